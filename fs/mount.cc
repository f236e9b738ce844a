#include "fs/mount.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace prefixfs {
namespace {

constexpr std::size_t kAhead = 1000;          // entries read from the table at a time
constexpr std::size_t kAheadOfChanges = 200;  // where the folder changes while it is read

constexpr std::uint64_t kSectorBytes = 512;

constexpr std::string_view kSecurity = "security.";

Names names_of(const Node& node) {
  return node.shared || node.links > 1 ? Names::several : Names::one;
}
Names names_of(bool shared) { return shared ? Names::several : Names::one; }
bool has_names(const Entry& entry) { return names_of(entry.node) == Names::several; }

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

// ---- Listings ----

// The name that `cookie` was made from, where no listing remembers it.
Result<std::string> Mount::find_place(const NodeRef& dir, std::uint64_t cookie) {
  if (auto known = places_.name_of(dir.id, cookie)) return *std::move(known);
  std::string from;
  while (true) {
    const auto page = tree_.readdir(dir, from, kAhead);
    if (!page) return page.error();
    for (const Entry& entry : page->entries) {
      if (cookie_of(entry.name) == cookie) return entry.name;
    }
    if (!page->more) return std::errc::invalid_argument;
    from = page->last;
  }
}

// Makes `listing` hold the entries that follow, as they are now.
Result<void> Mount::read_ahead(Listing& listing, const NodeRef& dir) {
  const auto& counter = changes_of(dir.id);
  const std::uint64_t changes = counter.load(std::memory_order_acquire);
  const std::uint64_t shared_changes = shared_changes_.load(std::memory_order_acquire);
  const bool changed =
      listing.read && (listing.changes != changes ||
                       (listing.has_shared && listing.shared_changes != shared_changes));
  if (listing.read && !changed && (listing.next < listing.entries.size() || listing.is_last)) {
    return {};
  }
  std::string from = listing.after;
  while (true) {
    const std::uint64_t turn = turn_;
    auto page = tree_.readdir(dir, from, changed ? kAheadOfChanges : kAhead);
    if (!page) return page.error();
    listing.entries = std::move(page->entries);
    listing.next = 0;
    listing.read = true;
    listing.is_last = !page->more;
    listing.changes = changes;
    listing.turn = turn;
    listing.has_shared = std::any_of(listing.entries.begin(), listing.entries.end(), has_names);
    listing.shared_changes = shared_changes;
    // A page may hold nothing but items that cannot be nodes.
    if (!listing.entries.empty() || listing.is_last) return {};
    from = std::move(page->last);
  }
}

Result<void> Mount::readdir(NodeId folder, std::uint64_t cookie, bool counted,
                            const std::function<bool(const DirEntry&)>& take) {
  if (is_control(folder)) return readdir_control(cookie, take);
  std::shared_lock tree(paths_);
  const auto dir = inodes_.find(folder);
  if (!dir) return dir.error();

  const auto dot = [&](std::string name, NodeId id, std::uint64_t own_cookie) {
    DirEntry entry{.name = std::move(name), .cookie = own_cookie};
    entry.stat.id = id;
    entry.stat.kind = Kind::folder;
    return take(entry);
  };
  if (cookie < kCookieDot) {
    if (!dot(".", dir->id, kCookieDot)) return {};
    cookie = kCookieDot;
  }
  if (cookie < kCookieDotDot) {
    if (!dot("..", dir->parent, kCookieDotDot)) return {};
    cookie = kCookieDotDot;
  }

  Listing listing = ahead_.take(folder, cookie);
  if (!listing.read) {
    auto after = find_place(*dir, cookie);
    if (!after) return after.error();
    listing.after = *std::move(after);
  }
  bool full = false;
  while (!full) {
    if (auto ok = read_ahead(listing, *dir); !ok) return ok;
    if (listing.next == listing.entries.size()) break;
    const Entry& next = listing.entries[listing.next];
    const DirEntry entry{.name = next.name,
                         .stat = to_stat(next.node, tree_.accounts()),
                         .cookie = cookie_of(next.name)};
    if (counted) remember(next.node, dir->id, next.name, listing.turn);
    full = !take(entry);
    if (full) {
      if (counted) inodes_.forget(next.node.id, 1);
    } else {
      listing.cookie = entry.cookie;
      listing.after = entry.name;
      ++listing.next;
    }
  }
  // One that is at its end is asked once more, and done when it said so.
  if (listing.cookie == cookie && !full) return {};
  if (!listing.after.empty()) places_.remember(folder, listing.after);
  ahead_.put(std::move(listing));
  return {};
}

// ---- Nodes ----

std::atomic<std::uint64_t>& Mount::changes_of(NodeId folder) {
  return changes_[number(folder) % changes_.size()];
}

void Mount::changed(NodeId folder) { changes_of(folder).fetch_add(1, std::memory_order_acq_rel); }

void Mount::changed(const NodeRef& ref) {
  if (ref.shared) shared_changes_.fetch_add(1, std::memory_order_acq_rel);
  changed(ref.parent);
}

void Mount::remember(const Node& node, NodeId parent, std::string_view name, std::uint64_t turn) {
  const bool secured = std::ranges::any_of(node.xattrs.entries(), [](const auto& attribute) {
    return attribute.first.starts_with(kSecurity);
  });
  const bool plain = !secured && node.acls == Acls{};
  inodes_.remember(node.id, parent, name, plain ? turn : 0, names_of(node));
}

// ---- Control files ----

Result<Stat> Mount::lookup_control(NodeId parent, std::string_view name) {
  if (parent == kRootId) return to_stat(control_->folder(), tree_.accounts());
  if (parent != ControlFiles::folder_id()) return std::errc::not_a_directory;
  const auto node = control_->lookup(name);
  if (!node) return node.error();
  Stat stat = to_stat(*node, tree_.accounts());
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
  std::shared_lock tree(paths_);
  const std::uint64_t turn = turn_;
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto node = tree_.lookup(*dir, name);
  if (!node) return node.error();
  remember(*node, parent, name, turn);
  return to_stat(*node, tree_.accounts());
}

void Mount::forget(NodeId id, std::uint64_t lookups) {
  if (is_control(id)) return control_->forget(id);
  if (inodes_.forget(id, lookups)) tree_.release(id);
}

Result<Stat> Mount::getattr(NodeId id) {
  if (is_control(id)) {
    const auto node = control_->getattr(id);
    if (!node) return node.error();
    return to_stat(*node, tree_.accounts());
  }
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto node = tree_.getattr(*ref);
  if (!node) return node.error();
  return to_stat(*node, tree_.accounts());
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
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto node = tree_.setattr(*ref, change);
  if (!node) return node.error();
  changed(*ref);
  return to_stat(*node, tree_.accounts());
}

Result<std::string> Mount::readlink(NodeId id) {
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return tree_.readlink(*ref);
}

bool Mount::is_marked(std::string_view name) const {
  if (is_acl_xattr(name)) return tree_.keeps_acls();
  return name.starts_with(kSecurity) && name != kSecurity;
}

Result<std::string> Mount::getxattr(NodeId id, std::string_view name) {
  if (is_control(id)) return std::errc(ENODATA);
  std::shared_lock tree(paths_);
  if (is_marked(name) && inodes_.mark(id) == turn_) return std::errc(ENODATA);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return tree_.getxattr(*ref, name);
}

Result<std::vector<std::string>> Mount::listxattr(NodeId id) {
  if (is_control(id)) return std::vector<std::string>{};
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return tree_.listxattr(*ref);
}

Result<void> Mount::setxattr(NodeId id, std::string_view name, std::string_view value,
                             XattrMode mode, const SetBy& by) {
  if (is_control(id)) return std::errc::permission_denied;
  std::shared_lock shared(paths_, std::defer_lock);
  std::unique_lock exclusive(paths_, std::defer_lock);
  if (is_marked(name)) {
    exclusive.lock();
    inodes_.set_mark(id, 0);
  } else {
    shared.lock();
  }
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  auto done = tree_.setxattr(*ref, name, value, mode, by);
  if (done) changed(*ref);
  return done;
}

Result<void> Mount::removexattr(NodeId id, std::string_view name) {
  if (is_control(id)) return std::errc::permission_denied;
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  auto done = tree_.removexattr(*ref, name);
  if (done) changed(*ref);
  return done;
}

Result<Stat> Mount::create(NodeId parent, std::string_view name, const NewNode& what) {
  if (is_control(parent)) return std::errc::permission_denied;
  if (is_control(parent, name)) return std::errc::file_exists;
  std::shared_lock tree(paths_);
  const std::uint64_t turn = turn_;
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto node = tree_.create(*dir, name, what);
  if (!node) return node.error();
  remember(*node, parent, name, turn);
  changed(parent);
  changed(dir->parent);
  return to_stat(*node, tree_.accounts());
}

Held Mount::held() const {
  return {[this](NodeId id) { return inodes_.holds(id); },
          [this](const NodeRef& gone) {
            return inodes_.other_name(gone.id, {gone.parent, gone.path.name()});
          }};
}

void Mount::lost_name(NodeId id, InodeTable::Place gone, std::uint32_t left, bool shared) {
  if (left > 0) {
    inodes_.lost_name(id, gone, names_of(shared));
    shared_changes_.fetch_add(1, std::memory_order_acq_rel);
    return;
  }
  // The last hold may have gone between the question and the answer.
  if (!inodes_.detached(id)) tree_.release(id);
}

Result<Stat> Mount::link(NodeId id, NodeId new_parent, std::string_view new_name) {
  if (is_control(id)) return std::errc::operation_not_permitted;
  if (is_control(new_parent)) return std::errc::permission_denied;
  if (is_control(new_parent, new_name)) return std::errc::file_exists;
  std::unique_lock tree(paths_);
  const std::uint64_t turn = turn_;
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto dir = inodes_.find(new_parent);
  if (!dir) return dir.error();
  const auto node = tree_.link(*ref, *dir, new_name);
  if (!node) return node.error();
  remember(*node, new_parent, new_name, turn);
  changed(child_ref(*dir, new_name, *node));
  changed(ref->parent);
  changed(dir->parent);
  return to_stat(*node, tree_.accounts());
}

Result<void> Mount::unlink(NodeId parent, std::string_view name) {
  if (is_control(parent, name)) return std::errc::permission_denied;
  std::unique_lock tree(paths_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto removed = tree_.unlink(*dir, name, held());
  if (!removed) return removed.error();
  lost_name(removed->id, {parent, name}, removed->links, removed->shared);
  places_.remember(parent, name);
  changed(parent);
  changed(dir->parent);
  return {};
}

Result<void> Mount::rmdir(NodeId parent, std::string_view name) {
  if (is_control(parent, name)) return std::errc::permission_denied;
  std::unique_lock tree(paths_);
  const auto dir = inodes_.find(parent);
  if (!dir) return dir.error();
  const auto removed = tree_.rmdir(*dir, name, held());
  if (!removed) return removed.error();
  lost_name(removed->id, {parent, name}, 0, false);
  places_.remember(parent, name);
  changed(parent);
  changed(dir->parent);
  return {};
}

Result<void> Mount::rename(NodeId parent, std::string_view name, NodeId new_parent,
                           std::string_view new_name, RenameMode mode) {
  if (is_control(parent, name) || is_control(new_parent, new_name)) {
    return std::errc::permission_denied;
  }
  std::unique_lock tree(paths_);
  const auto from = inodes_.find(parent);
  if (!from) return from.error();
  const auto to = inodes_.find(new_parent);
  if (!to) return to.error();
  const auto renamed = tree_.rename(*from, name, *to, new_name, mode, held());
  if (!renamed) return renamed.error();
  if (renamed->target != renamed->moved) {
    const InodeTable::Place from_place{parent, name}, to_place{new_parent, new_name};
    if (renamed->target && mode == RenameMode::exchange) {
      inodes_.moved(*renamed->target, to_place, from_place, names_of(renamed->target_shared));
    } else if (renamed->target) {
      lost_name(*renamed->target, to_place, renamed->target_links, renamed->target_shared);
    }
    inodes_.moved(renamed->moved, from_place, to_place, names_of(renamed->moved_shared));
    if (renamed->moved_shared || renamed->target_shared) {
      shared_changes_.fetch_add(1, std::memory_order_acq_rel);
    }
    places_.remember(parent, name);
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
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return tree_.read(*ref, offset, out);
}

Result<Written> Mount::write(NodeId id, std::uint64_t offset, std::span<const std::byte> data,
                             WriteBy by) {
  if (is_control(id)) return std::errc::permission_denied;
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  auto written = tree_.write(*ref, offset, data, by);
  if (written) changed(*ref);
  return written;
}

Result<Written> Mount::allocate(NodeId id, Allocate how, std::uint64_t offset, std::uint64_t length,
                                WriteBy by) {
  if (is_control(id)) return std::errc::operation_not_supported;
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  const auto done = tree_.allocate(*ref, how, offset, length, by);
  if (done) changed(*ref);
  return done;
}

Result<std::uint64_t> Mount::seek(NodeId id, Seek what, std::uint64_t offset) {
  if (is_control(id)) {
    const auto text = control_->content(id);
    if (!text) return text.error();
    if (offset >= text->size()) return std::errc::no_such_device_or_address;
    return what == Seek::data ? offset : text->size();
  }
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  return tree_.seek(*ref, what, offset);
}

Result<Written> Mount::copy(NodeId from, std::uint64_t offset, NodeId to, std::uint64_t to_offset,
                            std::uint64_t length, WriteBy by) {
  if (is_control(from) || is_control(to)) return std::errc::operation_not_supported;
  std::shared_lock tree(paths_);
  const auto source = inodes_.find(from);
  if (!source) return source.error();
  const auto target = inodes_.find(to);
  if (!target) return target.error();
  const auto copied = tree_.copy(*source, offset, *target, to_offset, length, by);
  if (copied) changed(*target);
  return copied;
}

Result<std::uint64_t> Mount::count_calls(NodeId id) const {
  if (!is_control(id)) return std::errc::inappropriate_io_control_operation;
  return control_->calls();
}

void Mount::opened(NodeId id) {
  if (!is_control(id)) tree_.opened(id);
}

void Mount::closed(NodeId id) {
  if (!is_control(id)) tree_.closed(id);
}

Result<void> Mount::flush(NodeId id, std::uint32_t uid) {
  if (is_control(id)) return {};
  std::shared_lock tree(paths_);
  const auto ref = inodes_.find(id);
  if (!ref) return ref.error();
  auto flushed = tree_.flush(*ref, uid);
  changed(*ref);
  return flushed;
}

Result<Space> Mount::statfs() { return tree_.statfs(); }

void Mount::sync() { tree_.sync(); }

void Mount::foreign_change() {
  ++turn_;
  tree_.forget_cached();
  for (auto& counter : changes_) counter.fetch_add(1, std::memory_order_acq_rel);
}

}  // namespace prefixfs
