// Mount is a Tree as the kernel sees it: inode numbers, lookup counts, listings.  Everything
// that fuse_ops does, minus FUSE, so that tests need no mount.
//
// Lock order: paths_ -> inside InodeTable; paths_ -> inside the Tree (Walk -> Store); paths_ ->
// inside FolderPlaces, inside ReadAhead.  Nothing is held when a call returns, so a reply may let
// the kernel forget at once.  Thread-safe.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/control_files.h"
#include "fs/folder_places.h"
#include "fs/inode_table.h"
#include "fs/read_ahead.h"
#include "fs/tree.h"

namespace prefixfs {

// Attributes as stat() shows them.
struct Stat {
  NodeId id{};
  Kind kind = Kind::file;
  std::uint32_t mode = 0;  // permission bits
  std::uint32_t links = 1;
  std::uint32_t uid = 0, gid = 0;
  std::uint64_t rdev = 0;
  std::uint64_t size = 0;
  std::uint64_t sectors = 0;  // of 512 bytes
  Time atime, mtime, ctime, btime;
  bool fleeting = false;  // the kernel must ask again for the name each time
};
Stat to_stat(const Node& node, Accounts& accounts);

struct DirEntry {
  std::string name;
  Stat stat;
  std::uint64_t cookie = 0;  // continue after this entry
};

class Mount {
 public:
  // `control`: nullptr, or the files to show under .prefixfs.  Both outlive the Mount.
  explicit Mount(Tree& tree, ControlFiles* control = nullptr) : tree_(tree), control_(control) {}

  Result<Stat> lookup(NodeId parent, std::string_view name);  // one lookup is counted
  void forget(NodeId id, std::uint64_t lookups);
  Result<Stat> getattr(NodeId id);
  Result<Stat> setattr(NodeId id, const AttrChange& change);
  Result<std::string> readlink(NodeId id);
  // As Drive's.  That a file has none of the attributes security.*, which the kernel and `ls` ask
  // for, and no ACL, which the kernel asks before it lets others in, is answered without the table
  // as long as nobody has given it any of them.
  Result<std::string> getxattr(NodeId id, std::string_view name);
  Result<std::vector<std::string>> listxattr(NodeId id);
  Result<void> setxattr(NodeId id, std::string_view name, std::string_view value, XattrMode mode,
                        const SetBy& by);
  Result<void> removexattr(NodeId id, std::string_view name);
  Result<Stat> create(NodeId parent, std::string_view name, const NewNode& what);  // counted
  Result<Stat> link(NodeId id, NodeId new_parent, std::string_view new_name);      // counted
  Result<void> unlink(NodeId parent, std::string_view name);
  Result<void> rmdir(NodeId parent, std::string_view name);
  Result<void> rename(NodeId parent, std::string_view name, NodeId new_parent,
                      std::string_view new_name, RenameMode mode);

  // Calls `take` with entries from after `cookie` on (0: from the start), "." and ".." first, until
  // it returns false (that entry was not taken) or the folder ends.  With `counted`, each entry
  // taken counts one lookup but for "." and "..".  Folders are not opened: a cookie stands for a
  // name in any listing of the folder, also when the name is gone.  EINVAL: no such cookie.
  Result<void> readdir(NodeId folder, std::uint64_t cookie, bool counted,
                       const std::function<bool(const DirEntry&)>& take);

  Result<std::size_t> read(NodeId id, std::uint64_t offset, std::span<std::byte> out);
  Result<Written> write(NodeId id, std::uint64_t offset, std::span<const std::byte> data,
                        WriteBy by);
  Result<Written> allocate(NodeId id, Allocate how, std::uint64_t offset, std::uint64_t length,
                           WriteBy by);
  Result<std::uint64_t> seek(NodeId id, Seek what, std::uint64_t offset);
  Result<Written> copy(NodeId from, std::uint64_t offset, NodeId to, std::uint64_t to_offset,
                       std::uint64_t length, WriteBy by);
  bool keeps_acls() const { return tree_.keeps_acls(); }
  bool counts_opens() const { return tree_.counts_opens(); }
  void opened(NodeId id);
  Result<void> flush(NodeId id, std::uint32_t uid);
  void closed(NodeId id);
  Result<Space> statfs();
  void sync();
  // Of a control file: operations booked so far.  ENOTTY: another node.
  Result<std::uint64_t> count_calls(NodeId id) const;

  // Another process wrote to the table: forgets what was read ahead.
  void foreign_change();

  InodeTable& inodes() { return inodes_; }

 private:
  // Whether an inode's mark says that it has no such attribute.
  bool is_marked(std::string_view name) const;
  void remember(const Node& node, NodeId parent, std::string_view name, std::uint64_t turn);
  Held held() const;
  void lost_name(NodeId id, InodeTable::Place gone, std::uint32_t left, bool shared);
  std::atomic<std::uint64_t>& changes_of(NodeId folder);
  void changed(NodeId folder);
  void changed(const NodeRef& ref);  // the attributes of a node
  Result<std::string> find_place(const NodeRef& dir, std::uint64_t cookie);
  Result<void> read_ahead(Listing& listing, const NodeRef& dir);

  bool is_control(NodeId id) const { return control_ != nullptr && ControlFiles::owns(id); }
  bool is_control(NodeId parent, std::string_view name) const {
    return is_control(parent) ||
           (control_ != nullptr && parent == kRootId && name == kControlFolder);
  }
  Result<Stat> lookup_control(NodeId parent, std::string_view name);
  Result<void> readdir_control(std::uint64_t cookie,
                               const std::function<bool(const DirEntry&)>& take);

  Tree& tree_;
  ControlFiles* const control_;
  InodeTable inodes_;
  // exclusive: rename, link, unlink, rmdir, giving a security.* attribute or an ACL; shared: all
  // else that uses a path
  std::shared_mutex paths_;
  // Per folder (several may share one) a count of changes to its children: what a Listing has read
  // ahead is good as long as its count stands.
  std::array<std::atomic<std::uint64_t>, 1024> changes_{};
  std::atomic<std::uint64_t> shared_changes_{0};  // likewise, to nodes with several names
  FolderPlaces places_;
  ReadAhead ahead_;
  // One more with each change by another process.  An inode is marked with the turn in which it was
  // known to have neither.
  std::atomic<std::uint64_t> turn_{1};
};

}  // namespace prefixfs
