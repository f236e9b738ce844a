#include "fs/drive.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "fs/host_space.h"
#include "fs/keys.h"
#include "fs/node_item.h"
#include "table/error.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::Batch;
using table::MeteredTable;
using table::Store;
using table::Table;

Drive::Drive(Store& store, table::Ledger& ledger, Accounts& accounts,
             std::unique_ptr<Layout> layout, std::string name, std::string file, Clock clock)
    : store_(store),
      ledger_(ledger),
      accounts_(accounts),
      layout_(std::move(layout)),
      name_(std::move(name)),
      file_(std::move(file)),
      clock_(std::move(clock)),
      walk_(*layout_) {
  store_.before_commit([this] { park_detached(); });
}

Drive::~Drive() { store_.before_commit(nullptr); }

void Drive::on_rename_progress(std::function<void(std::uint64_t)> callback) {
  on_rename_progress_ = std::move(callback);
}

void Drive::on_folder_rename(std::function<void(const RenameCost&)> callback) {
  on_rename_ = std::move(callback);
}

// ---- Finding nodes ----

Result<Located> Drive::resolve(const Path& path) {
  MeteredTable t(store_.table(), ledger_, "resolve", [&] { return path.text(); });
  auto found = layout_->resolve(t, path);
  if (!found) return found.error();
  if (number(found->node.id) <= number(kRootId) && !path.is_root()) {
    found->node = adopt(t, found->ref, std::move(found->node));
    found->ref.id = found->node.id;
  }
  return found;
}

Result<Node> Drive::lookup(const NodeRef& dir, std::string_view name) {
  if (auto ok = check_name(name); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "lookup", [&] { return dir.path.child(name).text(); });
  return child(t, dir, name);
}

Result<Node> Drive::getattr(const NodeRef& ref) {
  if (auto node = detached(ref.id)) return *std::move(node);
  MeteredTable t(store_.table(), ledger_, "getattr", [&] { return ref.path.text(); });
  return stored(t, ref);
}

Result<Node> Drive::stored(Table& t, const NodeRef& ref) {
  if (auto node = detached(ref.id)) return *std::move(node);
  auto node = layout_->get(t, ref);
  if (!node) return node.error();
  if (ref.id == kRootId) {
    node->id = kRootId;  // also where another tool wrote the root without one
    return node;
  }
  Node known = adopt(t, ref, *std::move(node));
  // Another process has put another node there.
  if (ref.id != kNoId && known.id != ref.id) return std::errc(ESTALE);
  return known;
}

Result<Node> Drive::child(Table& t, const NodeRef& dir, std::string_view name) {
  if (is_detached(dir.id)) return std::errc::no_such_file_or_directory;
  auto node = layout_->lookup(t, dir, name);
  if (!node) return node.error();
  if (number(node->id) > number(kRootId)) return node;
  return adopt(t, {node->id, dir.id, dir.path.child(name)}, *std::move(node));
}

// An item written by another tool has no id until somebody looks at it.
Node Drive::adopt(Table& t, const NodeRef& ref, Node node) {
  if (number(node.id) > number(kRootId)) return node;
  try {
    Store::Step step(store_);
    IdSource::Lease lease(ids_);
    node.id = ids_.next(t);
    Batch batch;
    layout_->update(batch, ref, {.set = {{"id", number(node.id)}}});
    if (t.apply(batch).ok()) {
      step.done();
      lease.keep();
    }
  } catch (const table::TableError& error) {
    if (error.fault() != table::Fault::readonly) throw;
    // Nothing can be stored: a number outside the range of ids, the same for the same path.
    node.id = NodeId{std::uint64_t{1} << 62 | std::hash<std::string>{}(ref.path.text()) >> 2};
  }
  return node;
}

// ---- Listing ----

Result<ListPage> Drive::readdir(const NodeRef& dir, std::string_view after, std::size_t limit,
                                Detail detail) {
  if (is_detached(dir.id)) return ListPage{};
  MeteredTable t(store_.table(), ledger_, "readdir", [&] { return dir.path.text(); });
  if (after.empty()) {
    if (const auto listing = walk_.listing(t, dir)) {
      ListPage page;
      page.entries = *listing;
      return page;
    }
  }
  ListPage page = layout_->list(t, dir, after, limit, detail);
  for (Entry& entry : page.entries) {
    if (number(entry.node.id) > number(kRootId)) continue;
    entry.node = adopt(t, {kNoId, dir.id, dir.path.child(entry.name)}, std::move(entry.node));
  }
  if (after.empty() && detail == Detail::nodes) walk_.listed(dir, page.entries);
  return page;
}

std::unique_ptr<BranchReader> Drive::branch(const NodeRef& dir) const {
  return layout_->branch(dir, "");
}

BranchPage Drive::next_page(BranchReader& reader) {
  MeteredTable t(store_.table(), ledger_, "branch");
  return reader.next(t);
}

// ---- Attributes ----

Result<Node> Drive::setattr(const NodeRef& ref, const AttrChange& change) {
  MeteredTable t(store_.table(), ledger_, "setattr", [&] { return ref.path.text(); });
  Store::Step step(store_);
  auto found = stored(t, ref);
  if (!found) return found;
  Node& node = *found;
  const Time now = clock_();
  NodeChange write;

  if (change.size) {
    if (node.is_folder()) return std::errc::is_a_directory;
    if (!node.is_file()) return std::errc::invalid_argument;
    if (*change.size > table::kMaxFileBytes) return std::errc::file_too_large;
    resize(node, *change.size, write);
    if (!change.mtime) {
      node.mtime = now;
      write.set.emplace_back("mtime", encode_time(now));
    }
  }
  if (change.mode) {
    node.mode = *change.mode & 07777;
    write.set.emplace_back("mode", static_cast<std::uint64_t>(node.mode));
  }
  // Whoever changes the owner: what the old one vouched for is no more.
  const bool owned = change.uid || change.gid;
  if (!change.mode && (change.drop_set_id || (owned && !node.is_folder()))) {
    drop_set_id(node, write);
  }
  if (change.uid) {
    node.owner = accounts_.user_name(*change.uid);
    write.set.emplace_back("owner", node.owner);
  }
  if (change.gid) {
    node.group = accounts_.group_name(*change.gid);
    write.set.emplace_back("group", node.group);
  }
  if (change.mtime) {
    node.mtime = *change.mtime;
    write.set.emplace_back("mtime", encode_time(node.mtime));
  }
  if (change.atime) {
    node.atime = *change.atime;
    write.set.emplace_back("atime", encode_time(node.atime));
  }
  node.ctime = change.ctime.value_or(now);
  write.set.emplace_back("ctime", encode_time(node.ctime));

  if (auto ok = save(t, ref, node, write); !ok) return ok.error();
  step.done();
  changed(ref, node);
  return found;
}

// Without the group's right to execute, set-group-ID is no privilege but a mark.
bool Drive::drop_set_id(Node& node, NodeChange& change) const {
  std::uint32_t mode = node.mode & ~static_cast<std::uint32_t>(S_ISUID);
  if (mode & S_IXGRP) mode &= ~static_cast<std::uint32_t>(S_ISGID);
  if (mode == node.mode) return false;
  node.mode = mode;
  change.set.emplace_back("mode", static_cast<std::uint64_t>(mode));
  return true;
}

Result<void> Drive::save(Table& t, const NodeRef& ref, const Node& node, const NodeChange& change) {
  {
    std::lock_guard lock(detached_mutex_);
    if (const auto it = detached_.find(ref.id); it != detached_.end()) {
      it->second.node = node;
      return {};
    }
  }
  if (change.set.empty() && change.add.empty() && change.remove.empty()) return {};
  NodeRef stored = ref;
  stored.shared = node.shared;
  Batch batch;
  layout_->update(batch, stored, change);
  return apply(t, batch);
}

void Drive::changed(const NodeRef& ref, const Node& node) {
  if (node.shared || node.links > 1) {
    walk_.changed_node_with_names();
  } else {
    walk_.changed(ref.parent);
  }
}

Result<void> Drive::apply(Table& t, const Batch& batch) {
  const auto written = t.apply(batch);
  if (written.ok()) return {};
  switch (written.status) {
    case table::WriteStatus::condition_failed:
      // Another process took the item away, or made it, since it was looked at.
      for (std::size_t i = 0; i < written.reasons.size(); ++i) {
        if (written.reasons[i] != table::WriteStatus::condition_failed) continue;
        const bool put = std::holds_alternative<table::Put>(batch[i]);
        return put ? std::errc::file_exists : std::errc::no_such_file_or_directory;
      }
      return std::errc::no_such_file_or_directory;
    case table::WriteStatus::item_too_large:
      return std::errc::no_space_on_device;
    default:
      return std::errc::io_error;
  }
}

void Drive::touch(Batch& b, const NodeRef& dir, const Time& now, int folders) const {
  NodeChange change{.set = {{"mtime", encode_time(now)}, {"ctime", encode_time(now)}}};
  if (folders != 0) change.add.emplace_back("folders", table::Number(folders));
  layout_->update(b, dir, change);
}

// ---- Making and removing ----

Result<Node> Drive::create(const NodeRef& dir, std::string_view name, const NewNode& what) {
  if (auto ok = check_name(name); !ok) return ok.error();
  if (is_detached(dir.id)) return std::errc::no_such_file_or_directory;
  MeteredTable t(store_.table(), ledger_, "create", [&] { return dir.path.child(name).text(); });
  Store::Step step(store_);
  const auto folder = stored(t, dir);
  if (!folder) return folder.error();
  if (!folder->is_folder()) return std::errc::not_a_directory;

  Node node;
  node.kind = what.kind;
  node.mode = what.mode & 07777;
  if (what.acls) {
    node.acls = *what.acls;
  } else if (folder->acls.default_acl.empty()) {
    node.mode &= ~what.umask;
  } else if (node.kind != Kind::symlink) {
    node.acls.access = inherited_acl(folder->acls.default_acl, node.mode);
    if (node.is_folder()) node.acls.default_acl = folder->acls.default_acl;
  }
  node.owner = accounts_.user_name(what.uid);
  node.group = accounts_.group_name(what.gid);
  if (folder->mode & S_ISGID) {  // what is made in such a folder belongs to the folder's group
    node.group = folder->group;
    if (node.is_folder()) node.mode |= S_ISGID;
  }
  node.target = what.target;
  node.rdev = what.rdev;
  node.xattrs = what.xattrs;
  if (node.kind == Kind::symlink) node.size = node.target.size();
  node.mtime = node.ctime = node.atime = node.btime = clock_();

  IdSource::Lease lease(ids_);
  node.id = ids_.next(t);
  Batch batch;
  layout_->add(batch, dir, name, node);
  touch(batch, dir, node.mtime, node.is_folder() ? 1 : 0);
  if (auto ok = apply(t, batch); !ok) return ok.error();
  step.done();
  lease.keep();
  walk_.changed(dir.id);
  walk_.changed(dir.parent);
  return node;
}

Result<Removed> Drive::rmdir(const NodeRef& dir, std::string_view name, const Held& held) {
  if (auto ok = check_name(name); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "rmdir", [&] { return dir.path.child(name).text(); });
  Store::Step step(store_);
  const auto node = child(t, dir, name);
  if (!node) return node.error();
  if (!node->is_folder()) return std::errc::not_a_directory;
  const NodeRef ref{node->id, dir.id, dir.path.child(name)};
  if (!layout_->empty(t, ref)) return std::errc::directory_not_empty;

  Batch batch;
  layout_->remove(batch, ref);
  touch(batch, dir, clock_(), -1);
  if (auto ok = apply(t, batch); !ok) return ok.error();
  finish(step, *node, held);
  walk_.changed(dir.id);
  walk_.changed(dir.parent);
  return Removed{.id = node->id};
}

// ---- The drive as a whole ----

Result<Space> Drive::statfs() { return host_space(file_, store_); }

void Drive::sync() { store_.sync(); }

}  // namespace prefixfs
