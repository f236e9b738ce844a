#include "fs/flag_tree.h"

#include <algorithm>
#include <cstring>

#include "fs/host_space.h"
#include "fs/keys.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::MeteredTable;
using table::Store;
using table::Table;

namespace {

constexpr std::size_t kRemembered = 10'000;  // flags
constexpr std::uint64_t kBufferBytes = 4096;

std::string content_of(const std::string& value) { return value.empty() ? value : value + '\n'; }

std::string value_of(std::string content) {
  if (content.ends_with('\n')) content.pop_back();
  return content;
}

}  // namespace

FlagTree::FlagTree(Store& store, table::Ledger& ledger, Accounts& accounts, std::string file,
                   std::uint32_t uid, std::uint32_t gid, Clock clock)
    : store_(store),
      ledger_(ledger),
      accounts_(accounts),
      file_(std::move(file)),
      uid_(uid),
      gid_(gid),
      clock_(std::move(clock)),
      mounted_(clock_()) {}

// ---- What is known ----

void FlagTree::look_for_changes() {
  const std::uint64_t version = store_.version();
  if (version == version_ && flags_.size() < kRemembered) return;
  version_ = version;
  flags_.clear();
  environments_.clear();
}

void FlagTree::remember(const Name& name, const Flag& flag) {
  flags_[name] = flag;
  environments_[name.first] = true;
}

std::optional<Flag> FlagTree::stored(Table& t, const Name& name) {
  look_for_changes();
  const auto known = flags_.find(name);
  if (known != flags_.end()) return known->second;
  return flags_[name] = get_flag(t, name.first, name.second);
}

bool FlagTree::has_environment(Table& t, const std::string& env) {
  look_for_changes();
  const auto known = environments_.find(env);
  if (known != environments_.end()) return known->second;
  return environments_[env] = environment_exists(t, env);
}

void FlagTree::forget_cached() {}  // look_for_changes() finds out by itself

Result<FlagTree::Name> FlagTree::flag_name(const NodeRef& ref) {
  if (ref.path.depth() != 2) return std::errc::is_a_directory;
  return Name{ref.path.parent().name(), ref.path.name()};
}

// ---- Nodes ----

Node FlagTree::node_of(NodeId id, Kind kind, std::uint32_t mode) const {
  Node node;
  node.id = id;
  node.kind = kind;
  node.mode = mode;
  node.owner = accounts_.user_name(uid_);
  node.group = accounts_.group_name(gid_);
  node.mtime = node.ctime = node.atime = node.btime = mounted_;
  return node;
}

Node FlagTree::folder_node(NodeId id) const { return node_of(id, Kind::folder, 0755); }

NodeId FlagTree::id_of(const Name& name) {
  const auto [known, fresh] = ids_.try_emplace(name, NodeId{next_id_});
  if (fresh) ++next_id_;
  return known->second;
}

Node FlagTree::file_node(NodeId id, const std::string& content) {
  Node node = node_of(id, Kind::file, 0644);
  node.size = content.size();
  const auto [seen, fresh] = seen_.try_emplace(id, Seen{content, mounted_});
  if (!fresh && seen->second.content != content) seen->second = {content, clock_()};
  node.mtime = node.ctime = seen->second.since;
  return node;
}

Result<Node> FlagTree::attributes(Table& t, const NodeRef& ref) {
  const auto detached = detached_.find(ref.id);
  if (detached != detached_.end()) {
    Node node = node_of(ref.id, Kind::file, 0644);
    node.size = detached->second.size();
    node.links = 0;
    return node;
  }
  if (ref.path.is_root()) return folder_node(kRootId);
  if (ref.path.depth() == 1) {
    const std::string env(ref.path.name());
    if (!has_environment(t, env)) return std::errc::no_such_file_or_directory;
    return folder_node(id_of({env, ""}));
  }
  const auto name = flag_name(ref);
  if (!name) return name.error();
  const auto flag = stored(t, *name);
  if (!flag) return std::errc::no_such_file_or_directory;
  const NodeId id = id_of(*name);
  const auto draft = drafts_.find(id);
  return file_node(id, draft != drafts_.end() ? draft->second : content_of(flag->value));
}

Result<Node> FlagTree::lookup(const NodeRef& dir, std::string_view name) {
  if (auto ok = check_name(name); !ok) return ok.error();
  if (dir.path.depth() > 1) return std::errc::not_a_directory;
  const Path path = dir.path.child(name);
  MeteredTable t(store_.table(), ledger_, "lookup", [&] { return path.text(); });
  const std::lock_guard lock(mutex_);
  return attributes(t, {kNoId, dir.id, path});
}

Result<Node> FlagTree::getattr(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "getattr", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  return attributes(t, ref);
}

Result<Node> FlagTree::setattr(const NodeRef& ref, const AttrChange& change) {
  MeteredTable t(store_.table(), ledger_, "setattr", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  auto node = attributes(t, ref);
  if (!node) return node;
  // Times may be set to anything, as by touch; nobody keeps them.
  if ((change.mode && *change.mode != node->mode) || (change.uid && *change.uid != uid_) ||
      (change.gid && *change.gid != gid_)) {
    return std::errc::operation_not_permitted;
  }
  if (!change.size) return node;
  if (node->is_folder()) return std::errc::is_a_directory;
  if (*change.size > table::kMaxItemBytes) return std::errc::file_too_large;
  if (const auto detached = detached_.find(ref.id); detached != detached_.end()) {
    detached->second.resize(*change.size);
  } else {
    // It becomes the value with the write that follows, or when the file is closed.
    const auto name = flag_name(ref);
    const auto flag = stored(t, *name);
    const auto draft = drafts_.try_emplace(id_of(*name), content_of(flag->value)).first;
    draft->second.resize(*change.size);
  }
  return attributes(t, ref);
}

Result<std::string> FlagTree::readlink(const NodeRef&) { return std::errc::invalid_argument; }

// ---- Listing ----

Result<ListPage> FlagTree::readdir(const NodeRef& dir, std::string_view after, std::size_t limit,
                                   Detail) {
  MeteredTable t(store_.table(), ledger_, "readdir", [&] { return dir.path.text(); });
  const std::lock_guard lock(mutex_);
  look_for_changes();
  ListPage page;
  if (dir.path.is_root()) {
    for (std::string& env : environments(t)) {
      environments_[env] = true;
      if (env <= after || !check_name(env)) continue;
      page.entries.push_back({env, folder_node(id_of({env, ""}))});
    }
    if (!page.entries.empty()) page.last = page.entries.back().name;
    return page;
  }
  const std::string env(dir.path.name());
  FlagPage flags = list_flags(t, env, after, limit);
  for (NamedFlag& named : flags.flags) {
    const Name name{env, named.key};
    remember(name, named.flag);
    // A key with a '/' in it cannot be the name of a file.
    if (!check_name(named.key)) continue;
    const NodeId id = id_of(name);
    const auto draft = drafts_.find(id);
    page.entries.push_back(
        {named.key,
         file_node(id, draft != drafts_.end() ? draft->second : content_of(named.flag.value))});
  }
  page.more = flags.more;
  page.last = std::move(flags.last);
  return page;
}

// ---- Changing ----

Result<void> FlagTree::apply(Table& t, const table::Batch& batch) {
  const table::WriteResult result = t.apply(batch);
  switch (result.status) {
    case table::WriteStatus::ok:
      store_.commit();  // others see it now, and nothing keeps them from writing
      return {};
    case table::WriteStatus::condition_failed:
      return std::errc::file_exists;
    case table::WriteStatus::item_too_large:
      return std::errc::file_too_large;
    default:
      return std::errc::io_error;
  }
}

Result<Node> FlagTree::create(const NodeRef& dir, std::string_view name, const NewNode& what) {
  if (auto ok = check_name(name); !ok) return ok.error();
  const Path path = dir.path.child(name);
  MeteredTable t(store_.table(), ledger_, what.kind == Kind::folder ? "mkdir" : "create",
                 [&] { return path.text(); });
  const std::lock_guard lock(mutex_);
  const NodeRef ref{kNoId, dir.id, path};
  if (dir.path.is_root()) {
    if (what.kind != Kind::folder) return std::errc::operation_not_permitted;
    const std::string env(name);
    if (has_environment(t, env)) return std::errc::file_exists;
    const table::Batch batch{environment_put(env, accounts_.user_name(what.uid))};
    if (auto ok = apply(t, batch); !ok) return ok.error();
    look_for_changes();
    environments_[env] = true;
    return attributes(t, ref);
  }
  if (what.kind != Kind::file) return std::errc::operation_not_permitted;
  const Name flag_name{dir.path.name(), name};
  Flag flag;
  flag.updated_by = accounts_.user_name(what.uid);
  table::Put put = put_of(flag_name.first, flag_name.second, flag);
  put.condition = table::item_absent();
  if (auto ok = apply(t, {put}); !ok) return ok.error();
  look_for_changes();
  remember(flag_name, flag);
  return attributes(t, ref);
}

Result<Removed> FlagTree::unlink(const NodeRef& dir, std::string_view name, const Held& held) {
  if (dir.path.depth() != 1) return std::errc::is_a_directory;
  MeteredTable t(store_.table(), ledger_, "unlink", [&] { return dir.path.child(name).text(); });
  const std::lock_guard lock(mutex_);
  const Name flag_name{dir.path.name(), name};
  const auto flag = stored(t, flag_name);
  if (!flag) return std::errc::no_such_file_or_directory;
  if (auto ok = apply(t, {table::Delete{flag_key(flag_name.first, flag_name.second)}}); !ok) {
    return ok.error();
  }
  const NodeId id = id_of(flag_name);
  if (held(id)) detached_[id] = content_of(flag->value);
  drafts_.erase(id);
  seen_.erase(id);
  ids_.erase(flag_name);
  return Removed{id};
}

Result<Removed> FlagTree::rmdir(const NodeRef& dir, std::string_view name, const Held&) {
  if (!dir.path.is_root()) return std::errc::not_a_directory;
  MeteredTable t(store_.table(), ledger_, "rmdir", [&] { return dir.path.child(name).text(); });
  const std::lock_guard lock(mutex_);
  const std::string env(name);
  if (has_flags(t, env)) return std::errc::directory_not_empty;
  // One that was there for its flags alone has gone with the last: that is what was wanted.
  if (auto ok = apply(t, {environment_delete(env)}); !ok) return ok.error();
  const NodeId id = id_of({env, ""});
  ids_.erase({env, ""});
  return Removed{id};
}

Result<Renamed> FlagTree::rename(const NodeRef& from_dir, std::string_view from,
                                 const NodeRef& to_dir, std::string_view to, RenameMode mode,
                                 const Held& held) {
  if (auto ok = check_name(to); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "rename", [&] {
    return from_dir.path.child(from).text() + " " + to_dir.path.child(to).text();
  });
  const std::lock_guard lock(mutex_);
  if (from_dir.path.depth() != to_dir.path.depth()) return std::errc::operation_not_permitted;
  if (from_dir.path.is_root()) {
    return rename_environment(t, std::string(from), std::string(to), mode);
  }
  const Name a{from_dir.path.name(), from}, b{to_dir.path.name(), to};
  auto moved = stored(t, a);
  if (!moved) return std::errc::no_such_file_or_directory;
  const NodeId moved_id = id_of(a);
  if (a == b) return Renamed{moved_id, moved_id};
  const auto target = stored(t, b);
  if (target && mode == RenameMode::no_replace) return std::errc::file_exists;
  if (!target && mode == RenameMode::exchange) return std::errc::no_such_file_or_directory;

  table::Batch batch;
  if (mode == RenameMode::exchange) {
    batch = {put_of(b.first, b.second, *moved), put_of(a.first, a.second, *target)};
  } else {
    if (target && moved->type == "string" && target->type != "string") {
      // What an editor has written in a file of its own becomes the flag's next value.
      if (flag_problem(target->type, moved->value)) return std::errc::invalid_argument;
      moved->type = target->type;
    }
    batch = {put_of(b.first, b.second, *moved),
             table::Delete{flag_key(a.first, a.second), table::item_exists()}};
  }
  if (auto ok = apply(t, batch); !ok) return ok.error();
  const std::optional<NodeId> target_id = target ? std::optional(id_of(b)) : std::nullopt;
  if (mode == RenameMode::exchange) {
    std::swap(ids_[a], ids_[b]);
  } else {
    if (target && held(*target_id)) detached_[*target_id] = content_of(target->value);
    if (target) drafts_.erase(*target_id);
    name_again(a, b);
  }
  return Renamed{moved_id, target_id};
}

// Every flag is put under its new key and deleted under the old one, all or nothing.
Result<Renamed> FlagTree::rename_environment(Table& t, const std::string& from,
                                             const std::string& to, RenameMode mode) {
  const NodeId moved = id_of({from, ""});
  if (from == to) return Renamed{moved, moved};
  if (mode == RenameMode::exchange) return std::errc::invalid_argument;
  const bool replaces = has_environment(t, to);
  if (replaces && mode == RenameMode::no_replace) return std::errc::file_exists;
  if (replaces && has_flags(t, to)) return std::errc::directory_not_empty;
  table::Batch batch;
  for (const NamedFlag& named : all_flags(t, from)) {
    batch.push_back(put_of(to, named.key, named.flag));
    batch.push_back(table::Delete{flag_key(from, named.key)});
  }
  table::Put row = environment_put(to, accounts_.user_name(uid_));
  row.condition = {};
  batch.push_back(row);
  batch.push_back(environment_delete(from));
  if (auto ok = apply(t, batch); !ok) return ok.error();
  const Renamed renamed{moved, replaces ? std::optional(id_of({to, ""})) : std::nullopt};
  std::vector<Name> names;
  for (const auto& [name, id] : ids_) {
    if (name.first == from) names.push_back(name);
  }
  for (const Name& name : names) name_again(name, {to, name.second});
  return renamed;
}

void FlagTree::name_again(const Name& from, const Name& to) {
  const auto id = ids_.extract(from);
  if (!id.empty()) ids_[to] = id.mapped();
}

// ---- Content ----

Result<std::size_t> FlagTree::read(const NodeRef& ref, std::uint64_t offset,
                                   std::span<std::byte> out) {
  MeteredTable t(store_.table(), ledger_, "read", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  std::string content;
  if (const auto detached = detached_.find(ref.id); detached != detached_.end()) {
    content = detached->second;
  } else {
    const auto name = flag_name(ref);
    if (!name) return name.error();
    const auto draft = drafts_.find(ref.id);
    if (draft != drafts_.end()) {
      content = draft->second;
    } else {
      const auto flag = stored(t, *name);
      if (!flag) return std::errc::no_such_file_or_directory;
      content = content_of(flag->value);
    }
  }
  if (offset >= content.size()) return std::size_t{0};
  const std::size_t size = std::min<std::size_t>(out.size(), content.size() - offset);
  std::memcpy(out.data(), content.data() + offset, size);
  return size;
}

Result<Written> FlagTree::write(const NodeRef& ref, std::uint64_t offset,
                                std::span<const std::byte> data, WriteBy by) {
  MeteredTable t(store_.table(), ledger_, "write", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  if (offset > table::kMaxItemBytes || data.size() > table::kMaxItemBytes - offset) {
    return std::errc::file_too_large;
  }
  const auto put_into = [&](std::string& content) {
    if (content.size() < offset + data.size()) content.resize(offset + data.size());
    std::memcpy(content.data() + offset, data.data(), data.size());
  };
  if (const auto detached = detached_.find(ref.id); detached != detached_.end()) {
    put_into(detached->second);
    return Written{data.size()};
  }
  const auto name = flag_name(ref);
  if (!name) return name.error();
  const auto flag = stored(t, *name);
  if (!flag) return std::errc::no_such_file_or_directory;
  std::string& draft = drafts_.try_emplace(ref.id, content_of(flag->value)).first->second;
  put_into(draft);
  // More of a long JSON text may come: not after a newline, but for that of a full buffer.
  const bool ends = draft.ends_with('\n') && (offset + data.size()) % kBufferBytes != 0;
  if (flag->type == "json" && !ends && flag_problem(flag->type, value_of(draft))) {
    return Written{data.size()};
  }
  if (auto ok = store_draft(t, ref.id, *name, by.uid); !ok) {
    drafts_.erase(ref.id);
    return ok.error();
  }
  return Written{data.size()};
}

Result<void> FlagTree::store_draft(Table& t, NodeId id, const Name& name, std::uint32_t uid) {
  const auto draft = drafts_.find(id);
  if (draft == drafts_.end()) return {};
  auto flag = stored(t, name);
  if (!flag) return std::errc::no_such_file_or_directory;
  flag->value = value_of(draft->second);
  if (flag_problem(flag->type, flag->value)) return std::errc::invalid_argument;
  flag->updated_by = accounts_.user_name(uid);
  if (auto ok = apply(t, {put_of(name.first, name.second, *flag)}); !ok) return ok;
  drafts_.erase(draft);
  look_for_changes();
  remember(name, *flag);
  return {};
}

void FlagTree::opened(NodeId id) {
  const std::lock_guard lock(mutex_);
  ++opens_[id];
}

Result<void> FlagTree::flush(const NodeRef& ref, std::uint32_t uid) {
  MeteredTable t(store_.table(), ledger_, "flush", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  const auto name = flag_name(ref);
  if (!name) return {};
  return store_draft(t, ref.id, *name, uid);
}

// A shell closes copies of a descriptor before it writes, so only the last one ends a draft.
void FlagTree::closed(NodeId id) {
  const std::lock_guard lock(mutex_);
  const auto opens = opens_.find(id);
  if (opens == opens_.end() || --opens->second > 0) return;
  opens_.erase(opens);
  drafts_.erase(id);
}

void FlagTree::release(NodeId id) {
  const std::lock_guard lock(mutex_);
  detached_.erase(id);
  seen_.erase(id);
}

Result<Space> FlagTree::statfs() { return host_space(file_, store_); }

}  // namespace prefixfs
