// Tree is what a Mount shows: folders and files by NodeRef, with the rules of POSIX.
//
// A Drive is one, the feature flags are another.  Which nodes somebody still holds is the caller's
// knowledge: a held node that loses its last name stays readable by its id until release().
//
// Thread-safe as far as single calls go.  A caller that runs rename(), link(), unlink() or rmdir()
// beside other calls keeps the paths in its NodeRefs true, and `shared` (Mount's tree lock).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fs/accounts.h"
#include "fs/acl.h"
#include "fs/layout.h"
#include "fs/node.h"
#include "fs/result.h"
#include "fs/xattrs.h"

namespace prefixfs {

struct NewNode {
  Kind kind = Kind::file;
  std::uint32_t mode = 0;   // permission bits
  std::uint32_t umask = 0;  // applied where the folder has no default ACL
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string target{};    // symlinks
  std::uint64_t rdev = 0;  // devices
  table::Item xattrs{};    // as set_xattr() spells them
  // These and no others; without, the folder's default ACL is inherited.
  std::optional<Acls> acls{};
};

struct AttrChange {
  std::optional<std::uint32_t> mode{}, uid{}, gid{};
  std::optional<std::uint64_t> size{};
  std::optional<Time> atime{}, mtime{}, ctime{};
  bool drop_set_id = false;  // as after a write by somebody without privileges
};

enum class RenameMode { replace, no_replace, exchange };

struct Removed {
  NodeId id{};
  std::uint32_t links = 0;  // names that are left
  bool shared = false;      // as in NodeRef, now
};
struct Renamed {
  NodeId moved{};
  std::optional<NodeId> target{};  // replaced or exchanged
  bool moved_shared = false;       // as in NodeRef, now
  bool target_shared = false;
  std::uint32_t target_links = 0;  // names that are left of it
};

struct Space {
  std::uint64_t block_bytes = 0, blocks = 0, free = 0, available = 0;
};

// What the caller knows of a node.
class Held {
 public:
  using Holds = std::function<bool(NodeId)>;
  // The one other name that `gone`, which loses this one, was seen under; nullopt: none, or
  // several.
  using OtherName = std::function<std::optional<NodeRef>(const NodeRef& gone)>;

  template <class Call>
  requires(std::is_invocable_r_v<bool, Call, NodeId>)
      Held(Call holds, OtherName other_name = nullptr)  // NOLINT(google-explicit-constructor)
      : holds_(std::move(holds)), other_name_(std::move(other_name)) {}

  // Whether somebody holds the node: it must outlive its last name.
  bool operator()(NodeId id) const { return holds_(id); }
  std::optional<NodeRef> other_name(const NodeRef& gone) const {
    return other_name_ ? other_name_(gone) : std::nullopt;
  }

 private:
  Holds holds_;
  OtherName other_name_;
};
inline bool nobody_holds(NodeId) { return false; }

// Names of one node.
inline constexpr std::uint32_t kMaxLinks = 65'000;

// Who sets an attribute.
struct SetBy {
  std::uint32_t uid = 0;
  std::vector<std::uint32_t> groups{};  // all the caller's, where the attribute is an access ACL
};

struct WriteBy {
  std::uint32_t uid = 0;
  bool keep_times = false;   // the caller sets them
  bool drop_set_id = false;  // the writer may not keep the file's set-ID bits
};

struct Written {
  std::size_t bytes = 0;
  bool set_id_dropped = false;  // the file's mode is another than before
};

enum class Allocate {
  extend,     // the file becomes as long as the range reaches
  keep_size,  // nothing is seen of it
  punch,      // the range becomes a hole, the length stays
  zero,       // the range becomes a hole, the file as long as it reaches
  zero_keep_size,
};
enum class Seek { data, hole };

class Tree {
 public:
  Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  virtual ~Tree() = default;

  virtual Result<Node> lookup(const NodeRef& dir, std::string_view name) = 0;
  virtual Result<Node> getattr(const NodeRef& ref) = 0;
  // ENOENT, EINVAL (size of what is no file), EISDIR, EFBIG.
  virtual Result<Node> setattr(const NodeRef& ref, const AttrChange& change) = 0;
  virtual Result<std::string> readlink(const NodeRef& ref) = 0;

  // Errors of check_xattr_name(), set_xattr() and remove_xattr(); ENODATA: no such attribute.
  // ACLs (fs/acl.h) are attributes here, where the tree keeps any: EACCES: a default ACL of what is
  // no folder; EOPNOTSUPP: of a symlink.  Removing one that is not there is no error.
  virtual Result<std::string> getxattr(const NodeRef& ref, std::string_view name) = 0;
  virtual Result<std::vector<std::string>> listxattr(const NodeRef& ref) = 0;
  virtual Result<void> setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                                XattrMode mode = XattrMode::set, const SetBy& by = {}) = 0;
  virtual Result<void> removexattr(const NodeRef& ref, std::string_view name) = 0;

  // Children in key order.  A listing that starts has an empty "after".  With Detail::names the
  // nodes may be their ids alone.
  virtual Result<ListPage> readdir(const NodeRef& dir, std::string_view after, std::size_t limit,
                                   Detail detail = Detail::nodes) = 0;

  // EEXIST, ENOENT (the folder is gone), ENAMETOOLONG, EINVAL.
  virtual Result<Node> create(const NodeRef& dir, std::string_view name, const NewNode& what) = 0;
  // Another name for a node that is no folder.  EEXIST, ENOENT (no name leads to the node any more,
  // or the folder is gone), EMLINK, EPERM (a folder, or this tree has no such names).
  virtual Result<Node> link(const NodeRef& /*node*/, const NodeRef& /*dir*/,
                            std::string_view /*name*/) {
    return std::errc::operation_not_permitted;
  }
  virtual Result<Removed> unlink(const NodeRef& dir, std::string_view name, const Held& held) = 0;
  virtual Result<Removed> rmdir(const NodeRef& dir, std::string_view name, const Held& held) = 0;
  virtual Result<Renamed> rename(const NodeRef& from_dir, std::string_view from,
                                 const NodeRef& to_dir, std::string_view to, RenameMode mode,
                                 const Held& held) = 0;

  // Bytes read; fewer than asked only at the end of the file.
  virtual Result<std::size_t> read(const NodeRef& ref, std::uint64_t offset,
                                   std::span<std::byte> out) = 0;
  // All of `data` or an error.  EFBIG, ENOSPC.
  virtual Result<Written> write(const NodeRef& ref, std::uint64_t offset,
                                std::span<const std::byte> data, WriteBy by = {}) = 0;
  // ENOSPC where what the range may come to hold has no room now; none is set aside.  EFBIG,
  // ENODEV.
  virtual Result<Written> allocate(const NodeRef&, Allocate, std::uint64_t /*offset*/,
                                   std::uint64_t /*length*/, WriteBy /*by*/ = {}) {
    return std::errc::operation_not_supported;
  }
  // Where from `offset` on data begins, or a hole; the end of the file counts as one.  ENXIO: past
  // the end, or no more data.  ENOSYS: asked of no file of this tree.
  virtual Result<std::uint64_t> seek(const NodeRef&, Seek, std::uint64_t /*offset*/) {
    return std::errc::function_not_supported;
  }
  // Copies bytes from one file to another, or within one, and returns how many: fewer than asked
  // where the source ends, or much was asked for.  EINVAL: the ranges overlap.  EFBIG, ENOSPC.
  virtual Result<Written> copy(const NodeRef& /*from*/, std::uint64_t /*offset*/,
                               const NodeRef& /*to*/, std::uint64_t /*to_offset*/,
                               std::uint64_t /*length*/, WriteBy /*by*/ = {}) {
    return std::errc::operation_not_supported;
  }
  virtual bool keeps_acls() const { return false; }
  // Whether it matters who has a file open: whether the kernel is to tell.
  virtual bool counts_opens() const { return false; }
  virtual void opened(NodeId) {}
  // A descriptor was closed, or what was written is wanted on the disk.  EINVAL: it cannot stay.
  virtual Result<void> flush(const NodeRef&, std::uint32_t /*uid*/) { return {}; }
  virtual void closed(NodeId) {}  // once for each opened()

  virtual Result<Space> statfs() = 0;
  virtual void sync() = 0;  // all that was done so far survives a power cut

  // Nobody holds the node without a name any more: its content goes.
  virtual void release(NodeId id) = 0;
  // Another process wrote to the table.
  virtual void forget_cached() = 0;

  virtual Accounts& accounts() = 0;
};

}  // namespace prefixfs
