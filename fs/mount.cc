#include "fs/mount.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace prefixfs {
namespace {

constexpr std::uint64_t kDot = 1;
constexpr std::uint64_t kDotDot = 2;
constexpr std::uint64_t kFirstName = 3;
constexpr std::size_t kAhead = 1000;          // entries read from the table at a time
constexpr std::size_t kAheadOfChanges = 200;  // where the folder changes while it is read

constexpr std::uint64_t kSectorBytes = 512;

}  // namespace

Stat to_stat(const Node& node, Accounts& accounts) {
  Stat stat{.id = node.id,
            .kind = node.kind,
            .mode = node.mode,
            .links = node.links,
            .uid = accounts.user_id(node.owner),
            .gid = accounts.group_id(node.group),
            .rdev = node.rdev,
            .size = node.size,
            .atime = node.atime,
            .mtime = node.mtime,
            .ctime = node.ctime,
            .btime = node.btime};
  if (node.is_folder() && node.links != 0) {
    stat.links = 2 + static_cast<std::uint32_t>(node.folders);
  }
  if (node.is_file()) {
    const std::uint64_t holes = node.holes * table::kBlockBytes;
    const std::uint64_t stored = node.size > holes ? node.size - holes : 0;
    stat.sectors = (stored + kSectorBytes - 1) / kSectorBytes;
  }
  return stat;
}

// ---- Open folders ----

std::uint64_t OpenFolder::cookie_after(std::uint64_t cookie, std::string_view name) {
  // Read again from an earlier place, a folder mostly says the same.
  if (name_of(cookie + 1) == name && cookie >= kDotDot) return cookie + 1;
  names_ += name;
  ends_.push_back(names_.size());
  return kFirstName + ends_.size() - 1;
}

std::optional<std::string_view> OpenFolder::name_of(std::uint64_t cookie) const {
  if (cookie <= kDotDot) return std::string_view();
  const std::uint64_t index = cookie - kFirstName;
  if (index >= ends_.size()) return std::nullopt;
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(names_).substr(begin, ends_[index] - begin);
}

Result<std::unique_ptr<OpenFolder>> Mount::opendir(NodeId id) {
  if (is_control(id)) return std::make_unique<OpenFolder>(id);
  auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return std::make_unique<OpenFolder>(id);
}

// Makes `ahead_` hold what comes after `cookie`.
Result<void> Mount::refill(OpenFolder& folder, const NodeRef& dir, std::uint64_t cookie) {
  const auto& counter = changes_of(dir.id);
  const std::uint64_t changes = counter.load(std::memory_order_acquire);
  const bool usable = folder.ahead_cookie_ == cookie && folder.ahead_changes_ == changes;
  if (usable && (folder.ahead_next_ < folder.ahead_.size() || folder.ahead_is_last_)) return {};

  const auto after = folder.name_of(cookie);
  if (!after) return std::errc::invalid_argument;
  const bool changing = !folder.ahead_.empty() && folder.ahead_changes_ != changes;
  std::string from(*after);
  while (true) {
    auto page = drive_.readdir(dir, from, changing ? kAheadOfChanges : kAhead);
    if (!page) return page.error();
    folder.ahead_ = std::move(page->entries);
    folder.ahead_next_ = 0;
    folder.ahead_cookie_ = cookie;
    folder.ahead_is_last_ = !page->more;
    folder.ahead_changes_ = changes;
    // A page may hold nothing but items that cannot be nodes.
    if (!folder.ahead_.empty() || folder.ahead_is_last_) return {};
    from = std::move(page->last);
  }
}

Result<void> Mount::readdir(OpenFolder& folder, std::uint64_t cookie, bool counted,
                            const std::function<bool(const DirEntry&)>& take) {
  if (is_control(folder.id_)) return readdir_control(cookie, take);
  std::lock_guard folder_lock(folder.mutex_);
  std::shared_lock tree(tree_);
  const auto dir = inodes_.find(folder.id_);
  if (!dir) return dir.error();

  const auto dot = [&](std::string name, NodeId id, std::uint64_t own_cookie) {
    DirEntry entry{.name = std::move(name), .cookie = own_cookie};
    entry.stat.id = id;
    entry.stat.kind = Kind::folder;
    return take(entry);
  };
  if (cookie < kDot) {
    if (!dot(".", dir->id, kDot)) return {};
    cookie = kDot;
  }
  if (cookie < kDotDot) {
    if (!dot("..", dir->parent, kDotDot)) return {};
    cookie = kDotDot;
  }

  while (true) {
    if (auto ok = refill(folder, *dir, cookie); !ok) return ok;
    if (folder.ahead_next_ == folder.ahead_.size()) return {};
    const Entry& next = folder.ahead_[folder.ahead_next_];
    const std::uint64_t own_cookie = folder.cookie_after(cookie, next.name);
    const DirEntry entry{
        .name = next.name, .stat = to_stat(next.node, drive_.accounts()), .cookie = own_cookie};
    if (counted) inodes_.remember(next.node.id, dir->id, next.name);
    if (!take(entry)) {
      if (counted) inodes_.forget(next.node.id, 1);
      return {};
    }
    cookie = own_cookie;
    ++folder.ahead_next_;
    folder.ahead_cookie_ = cookie;
  }
}

// ---- Nodes ----

std::atomic<std::uint64_t>& Mount::changes_of(NodeId folder) {
  return changes_[number(folder) % changes_.size()];
}

void Mount::changed(NodeId folder) { changes_of(folder).fetch_add(1, std::memory_order_acq_rel); }

// ---- Control files ----

Result<Stat> Mount::lookup_control(NodeId parent, std::string_view name) {
  if (parent == kRootId) return to_stat(control_->folder(), drive_.accounts());
  if (parent != ControlFiles::folder_id()) return std::errc::not_a_directory;
  const auto node = control_->lookup(name);
  if (!node) return node.error();
  Stat stat = to_stat(*node, drive_.accounts());
  stat.fleeting = true;
  return stat;
}

// Names alone: a file's node is made when it is looked up.
Result<void> Mount::readdir_control(std::uint64_t cookie,
                                    const std::function<bool(const DirEntry&)>& take) {
  constexpr std::string_view kNames[] = {".", "..", "cost", "renames"};
  for (std::uint64_t i = cookie; i < std::size(kNames); ++i) {
    DirEntry entry{.name = std::string(kNames[i]), .cookie = i + 1};
    entry.stat.id = i == 1 ? kRootId : ControlFiles::folder_id();
    entry.stat.kind = i < 2 ? Kind::folder : Kind::file;
    entry.stat.fleeting = true;
    if (!take(entry)) return {};
  }
  return {};
}

Result<Stat> Mount::lookup(NodeId parent, std::string_view name) {
  if (is_control(parent, name)) return lookup_control(parent, name);
  std::shared_lock tree(tree_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto node = drive_.lookup(*dir, name);
  if (!node) return node.error();
  inodes_.remember(node->id, parent, name);
  return to_stat(*node, drive_.accounts());
}

void Mount::forget(NodeId id, std::uint64_t lookups) {
  if (is_control(id)) return control_->forget(id);
  if (inodes_.forget(id, lookups)) drive_.release(id);
}

Result<Stat> Mount::getattr(NodeId id) {
  if (is_control(id)) {
    const auto node = control_->getattr(id);
    if (!node) return node.error();
    return to_stat(*node, drive_.accounts());
  }
  std::shared_lock tree(tree_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto node = drive_.getattr(*ref);
  if (!node) return node.error();
  return to_stat(*node, drive_.accounts());
}

Result<Stat> Mount::setattr(NodeId id, const AttrChange& change) {
  if (is_control(id)) {
    if (change.mode || change.uid || change.gid) return std::errc::operation_not_permitted;
    if (change.size) {
      if (*change.size != 0) return std::errc::permission_denied;
      if (auto ok = control_->truncate(id); !ok) return ok.error();
    }
    return getattr(id);
  }
  std::shared_lock tree(tree_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto node = drive_.setattr(*ref, change);
  if (!node) return node.error();
  changed(ref->parent);
  return to_stat(*node, drive_.accounts());
}

Result<std::string> Mount::readlink(NodeId id) {
  std::shared_lock tree(tree_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return drive_.readlink(*ref);
}

Result<Stat> Mount::create(NodeId parent, std::string_view name, const NewNode& what) {
  if (is_control(parent)) return std::errc::permission_denied;
  if (is_control(parent, name)) return std::errc::file_exists;
  std::shared_lock tree(tree_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto node = drive_.create(*dir, name, what);
  if (!node) return node.error();
  inodes_.remember(node->id, parent, name);
  changed(parent);
  changed(dir->parent);
  return to_stat(*node, drive_.accounts());
}

Held Mount::held() const {
  return [this](NodeId id) { return inodes_.holds(id); };
}

// The last hold may have gone between the question and the answer.
void Mount::lost_name(NodeId id) {
  if (!inodes_.detached(id)) drive_.release(id);
}

Result<void> Mount::unlink(NodeId parent, std::string_view name) {
  if (is_control(parent, name)) return std::errc::permission_denied;
  std::unique_lock tree(tree_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto removed = drive_.unlink(*dir, name, held());
  if (!removed) return removed.error();
  lost_name(removed->id);
  changed(parent);
  changed(dir->parent);
  return {};
}

Result<void> Mount::rmdir(NodeId parent, std::string_view name) {
  if (is_control(parent, name)) return std::errc::permission_denied;
  std::unique_lock tree(tree_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto removed = drive_.rmdir(*dir, name, held());
  if (!removed) return removed.error();
  lost_name(removed->id);
  changed(parent);
  changed(dir->parent);
  return {};
}

Result<void> Mount::rename(NodeId parent, std::string_view name, NodeId new_parent,
                           std::string_view new_name, RenameMode mode) {
  if (is_control(parent, name) || is_control(new_parent, new_name)) {
    return std::errc::permission_denied;
  }
  std::unique_lock tree(tree_);
  const auto from = inodes_.find(parent);
  if (!from) return from.error();
  const auto to = inodes_.find(new_parent);
  if (!to) return to.error();
  const auto renamed = drive_.rename(*from, name, *to, new_name, mode, held());
  if (!renamed) return renamed.error();
  if (renamed->target != renamed->moved) {
    inodes_.moved(renamed->moved, new_parent, new_name);
    if (renamed->target && mode == RenameMode::exchange) {
      inodes_.moved(*renamed->target, parent, name);
    } else if (renamed->target) {
      lost_name(*renamed->target);
    }
  }
  for (const NodeId folder : {parent, new_parent, from->parent, to->parent}) changed(folder);
  return {};
}

Result<std::size_t> Mount::read(NodeId id, std::uint64_t offset, std::span<std::byte> out) {
  if (is_control(id)) {
    const auto text = control_->content(id);
    if (!text) return text.error();
    if (offset >= text->size()) return std::size_t{0};
    const auto bytes = std::as_bytes(std::span(*text)).subspan(offset);
    const std::size_t size = std::min(bytes.size(), out.size());
    std::copy_n(bytes.begin(), size, out.begin());
    return size;
  }
  std::shared_lock tree(tree_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return drive_.read(*ref, offset, out);
}

Result<std::size_t> Mount::write(NodeId id, std::uint64_t offset, std::span<const std::byte> data,
                                 bool keep_times) {
  if (is_control(id)) return std::errc::permission_denied;
  std::shared_lock tree(tree_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  auto written = drive_.write(*ref, offset, data, keep_times);
  if (written) changed(ref->parent);
  return written;
}

Result<Space> Mount::statfs() { return drive_.statfs(); }

void Mount::sync() { drive_.sync(); }

void Mount::foreign_change() {
  drive_.forget_cached();
  for (auto& counter : changes_) counter.fetch_add(1, std::memory_order_acq_rel);
}

}  // namespace prefixfs
