// Drive is a POSIX file system over a Store: every rule, once for all layouts, and no FUSE.
//
// Nodes are named by NodeRef.  Which of them somebody still holds is the caller's knowledge: a held
// node that loses its last name stays readable by its id ("detached") until release().  Detached
// nodes live in memory; a row that names their content is written with the commit that removes
// them, so that a crash leaves nothing behind that reap_orphans() does not find.
//
// Thread-safe as far as single calls go.  A caller that runs rename(), link(), unlink() or rmdir()
// beside other calls keeps the paths in its NodeRefs true, and `shared` (Mount's tree lock).

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fs/accounts.h"
#include "fs/drives.h"
#include "fs/layout.h"
#include "fs/node.h"
#include "fs/rename_cost.h"
#include "fs/result.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {

class Drive final : public Tree {
 public:
  // REQUIRES: the drive exists (find_drive) and `layout` is its own.  `file` is the table file, for
  // statfs.  All references outlive the Drive.
  Drive(table::Store& store, table::Ledger& ledger, Accounts& accounts,
        std::unique_ptr<Layout> layout, std::string name, std::string file, Clock clock);
  ~Drive() override;

  Result<Located> resolve(const Path& path);
  Result<Node> lookup(const NodeRef& dir, std::string_view name) override;
  Result<Node> getattr(const NodeRef& ref) override;
  // ENOENT, EINVAL (size of what is no file), EISDIR, EFBIG.
  Result<Node> setattr(const NodeRef& ref, const AttrChange& change) override;
  Result<std::string> readlink(const NodeRef& ref) override;
  Result<std::string> getxattr(const NodeRef& ref, std::string_view name) override;
  Result<std::vector<std::string>> listxattr(const NodeRef& ref) override;
  Result<void> setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                        XattrMode mode = XattrMode::set, const SetBy& by = {}) override;
  Result<void> removexattr(const NodeRef& ref, std::string_view name) override;

  // Children in key order.  A listing that starts ("after" empty) may come whole from a Walk.
  // With Detail::names the nodes may be their ids alone.
  Result<ListPage> readdir(const NodeRef& dir, std::string_view after, std::size_t limit,
                           Detail detail = Detail::nodes) override;
  // All below `dir`, parents before children, page by page.
  std::unique_ptr<BranchReader> branch(const NodeRef& dir) const;
  BranchPage next_page(BranchReader& reader);

  // EEXIST, ENOENT (the folder is gone), ENAMETOOLONG, EINVAL.
  Result<Node> create(const NodeRef& dir, std::string_view name, const NewNode& what) override;
  Result<Node> link(const NodeRef& ref, const NodeRef& dir, std::string_view name) override;
  Result<Removed> unlink(const NodeRef& dir, std::string_view name, const Held& held) override;
  Result<Removed> rmdir(const NodeRef& dir, std::string_view name, const Held& held) override;
  Result<Renamed> rename(const NodeRef& from_dir, std::string_view from, const NodeRef& to_dir,
                         std::string_view to, RenameMode mode, const Held& held) override;
  // What rename() in mode no_replace or replace would cost, and its errors, without writing.
  Result<RenameCost> predict_rename(const NodeRef& from_dir, std::string_view from,
                                    const NodeRef& to_dir, std::string_view to, RenameMode mode);
  // Renames of a folder with more nodes below than this are refused (E2BIG), nothing written.
  void limit_renames(std::optional<std::uint64_t> nodes) { rename_limit_ = nodes; }
  // Removes `ref` and all below it in one step, without asking one by one (prefixfs rm -r). Returns
  // how many nodes went.  REQUIRES: nobody holds any of them.
  Result<std::uint64_t> remove_tree(const NodeRef& ref);

  // Bytes read; fewer than asked only at the end of the file.
  Result<std::size_t> read(const NodeRef& ref, std::uint64_t offset,
                           std::span<std::byte> out) override;
  // All of `data` or an error.  EFBIG past 1 TiB, ENOSPC.
  Result<Written> write(const NodeRef& ref, std::uint64_t offset, std::span<const std::byte> data,
                        WriteBy by = {}) override;

  Result<Written> allocate(const NodeRef& ref, Allocate how, std::uint64_t offset,
                           std::uint64_t length, WriteBy by = {}) override;
  Result<std::uint64_t> seek(const NodeRef& ref, Seek what, std::uint64_t offset) override;
  Result<Written> copy(const NodeRef& from, std::uint64_t offset, const NodeRef& to,
                       std::uint64_t to_offset, std::uint64_t length, WriteBy by = {}) override;

  Result<Space> statfs() override;
  void sync() override;

  // Nobody holds the detached node any more: its content goes.
  void release(NodeId id) override;
  // At mount: the content of nodes that were detached when a process ended.  Returns how many.
  std::uint64_t reap_orphans();
  // Another process wrote to the table.
  void forget_cached() override { walk_.clear(); }

  // Called after each rename of a folder, outside the store's lock.  Set before use.
  void on_folder_rename(std::function<void(const RenameCost&)> callback);
  // Called now and then while a folder is renamed, inside the store's lock, with how many nodes
  // below it have moved.  Set before use.
  void on_rename_progress(std::function<void(std::uint64_t)> callback);

  bool keeps_acls() const override { return true; }

  const std::string& name() const { return name_; }
  const Layout& layout() const { return *layout_; }
  Accounts& accounts() override { return accounts_; }

 private:
  struct Detached {
    Node node;
    bool parked = false;  // its orphan row is written
  };

  // The node as stored, or the detached one; with an id, given now if the item had none.
  Result<Node> stored(table::Table& t, const NodeRef& ref);
  Node adopt(table::Table& t, const NodeRef& ref, Node node);
  Result<Node> child(table::Table& t, const NodeRef& dir, std::string_view name);

  std::optional<Node> detached(NodeId id) const;
  bool is_detached(NodeId id) const;
  // Ends a step in which the node lost its name: keeps it for those who hold it, or drops its
  // content.
  void finish(table::Store::Step& step, const Node& node, const Held& held);
  void forget_detached(NodeId id);
  void park_detached();
  void drop_content(NodeId id);

  // Writes back a changed node: to its row, or to memory where it is detached.
  Result<void> save(table::Table& t, const NodeRef& ref, const Node& node,
                    const NodeChange& change);
  Result<void> apply(table::Table& t, const table::Batch& batch);
  Result<void> set_acl(const char* operation, const NodeRef& ref, std::string_view name,
                       std::string_view value, const SetBy& by);
  template <class Change>
  Result<void> change_xattrs(const char* operation, const NodeRef& ref, Change change);
  // Rows for a node that has one name less than before; `left` is what it is now.
  void lose_name(table::Batch& b, const NodeRef& gone, const Node& left) const;
  void changed(const NodeRef& ref, const Node& node);
  void touch(table::Batch& b, const NodeRef& dir, const Time& now, int folders) const;
  bool drop_set_id(Node& node, NodeChange& change) const;  // false: there were none
  void resize(Node& node, std::uint64_t size, NodeChange& change);
  // After a change of content: the node's new length, with so many rows more than before, in
  // `change` as well.
  static void reshape(Node& node, std::uint64_t size, std::int64_t more_rows, NodeChange& change);
  void stamp(Node& node, NodeChange& change);
  // The stored node, where it is a file.
  Result<Node> file_at(table::Table& t, const NodeRef& ref);
  // A rename that may be done: what moves, and the rows to write for it.
  struct PlannedRename {
    NodeRef source;
    Node node;
    std::optional<Located> target;
    Path to;
    bool nothing = false;  // both names are of one node
    table::Batch move;
    table::Batch parents;
  };
  Result<PlannedRename> plan_rename(table::Table& t, const NodeRef& from_dir, std::string_view from,
                                    const NodeRef& to_dir, std::string_view to, RenameMode mode);
  Result<void> check_target(table::Table& t, const Node& node, const Located& target);
  Result<void> check_rename_limit(const PlannedRename& plan);

  table::Store& store_;
  table::Ledger& ledger_;
  Accounts& accounts_;
  std::unique_ptr<Layout> layout_;
  std::string name_;
  std::string file_;
  Clock clock_;
  IdSource ids_;                                   // guarded by the store's mutex
  mutable std::mutex detached_mutex_;              // taken inside the store's
  std::unordered_map<NodeId, Detached> detached_;  // guarded by detached_mutex_
  std::atomic<std::size_t> detached_count_{0};     // spares the lock where there are none
  Walk walk_;
  std::function<void(const RenameCost&)> on_rename_;
  std::function<void(std::uint64_t)> on_rename_progress_;
  std::optional<std::uint64_t> rename_limit_;
};

}  // namespace prefixfs
