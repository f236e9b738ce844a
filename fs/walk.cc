#include "fs/walk.h"

#include <algorithm>
#include <utility>

namespace prefixfs {
namespace {

constexpr std::size_t kRecent = 16;
// Listings in a row before reading ahead: one folder and then one in it is also what a person does.
constexpr int kStepsToStart = 2;
constexpr std::size_t kFirstItems = 1024;  // of the first page read ahead; then whole pages
// Pages read for one listing before it is found in another way: a folder whose branch is larger
// than that is listed by hopping, and the walk meets its keys again further down.
constexpr int kPagesPerListing = 3;
constexpr std::size_t kMaxEntries = 100'000;

}  // namespace

std::shared_ptr<const std::vector<Entry>> Walk::listing(table::Table& t, const NodeRef& dir) {
  if (!layout_.ordered()) return nullptr;
  std::lock_guard lock(mutex_);

  const bool on_the_run = growing_paths_.contains(dir.id);
  steps_ = on_the_run || follows_walk(dir) ? steps_ + 1 : 0;
  // A walk goes on with the first child folder; a person mostly has another one in mind.
  if (dir.id == std::exchange(first_below_, kNoId)) steps_ = std::max(steps_, kStepsToStart);
  recent_.push_back(dir);
  if (recent_.size() > kRecent) recent_.pop_front();

  if (auto ready = take(dir.id)) return ready;
  if (steps_ < kStepsToStart && !on_the_run) return nullptr;

  int pages = kPagesPerListing;
  const bool ahead = top_ && top_->path.contains(dir.path) && top_->path != dir.path &&
                     cursor_ <= dir.path.below(top_->path) + "/";
  if (!on_the_run && !ahead) {  // behind what was read, or elsewhere: a new run
    start(dir);
    pages = 1;  // until it has shown its use
  }
  while (pages-- > 0 && top_) {
    read_page(t);
    if (auto ready = take(dir.id)) return ready;
  }
  if (const auto at = growing_paths_.find(dir.id); at != growing_paths_.end()) {
    Growing& growing = growing_.at(at->second);
    entries_ -= growing.entries.size();
    growing.entries = {};
    growing.spoilt = true;
  }
  return nullptr;
}

void Walk::listed(const NodeRef& dir, const std::vector<Entry>& entries) {
  std::lock_guard lock(mutex_);
  if (recent_.empty() || recent_.back().id != dir.id) return;
  for (const Entry& entry : entries) {
    if (!entry.node.is_folder()) continue;
    first_below_ = entry.node.id;
    return;
  }
}

void Walk::changed(NodeId folder) {
  std::lock_guard lock(mutex_);
  if (entries_ == 0 && growing_.empty() && ready_.empty()) return;
  take(folder);
  if (const auto at = growing_paths_.find(folder); at != growing_paths_.end()) {
    growing_.at(at->second).spoilt = true;
  }
}

void Walk::changed_node_with_names() {
  std::lock_guard lock(mutex_);
  if (entries_ == 0 && growing_.empty() && ready_.empty()) return;
  const auto has_one = [](const std::vector<Entry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const Entry& entry) { return entry.node.shared; });
  };
  std::vector<NodeId> gone;
  for (const auto& [id, listing] : ready_) {
    if (has_one(*listing)) gone.push_back(id);
  }
  for (const NodeId id : gone) take(id);
  for (auto& [below, growing] : growing_) growing.spoilt |= has_one(growing.entries);
}

void Walk::clear() {
  std::lock_guard lock(mutex_);
  stop();
  ready_.clear();
  order_.clear();
  entries_ = 0;
  recent_.clear();
  first_below_ = kNoId;
  steps_ = 0;
}

std::shared_ptr<const std::vector<Entry>> Walk::take(NodeId id) {
  const auto it = ready_.find(id);
  if (it == ready_.end()) return nullptr;
  auto listing = std::move(it->second);
  ready_.erase(it);
  entries_ -= listing->size();
  return listing;
}

// Down into a folder just listed, or on to a sibling of one.
bool Walk::follows_walk(const NodeRef& dir) const {
  return std::any_of(recent_.begin(), recent_.end(), [&](const NodeRef& before) {
    return before.id != dir.id && (before.id == dir.parent || before.parent == dir.parent);
  });
}

void Walk::start(const NodeRef& dir) {
  stop();
  // From the outermost folder of this walk, so that the run goes on past the end of `dir`.
  const NodeRef* top = nullptr;
  for (const NodeRef& before : recent_) {
    if (before.path.contains(dir.path) && before.id != dir.id &&
        (!top || before.path.contains(top->path))) {
      top = &before;
    }
  }
  if (!top) return;
  top_ = *top;
  const std::string below = dir.path.below(top_->path);
  cursor_ = below + "/";  // no key is this, and what lies below `dir` follows it
  run_ = layout_.branch(*top_, cursor_);
  next_items_ = kFirstItems;
  growing_paths_.emplace(dir.id, below);
  growing_[below].id = dir.id;
}

void Walk::read_page(table::Table& t) {
  BranchPage page = run_->next(t, next_items_);
  next_items_ = 0;
  for (BranchEntry& entry : page.entries) place(std::move(entry));
  cursor_ = page.last;

  for (auto it = growing_.begin(); it != growing_.end();) {
    // All that begins with "<folder>/" lies before "<folder>0".
    if (page.more && cursor_ < it->first + "0") {
      ++it;
      continue;
    }
    growing_paths_.erase(it->second.id);
    Growing done = std::move(it->second);
    it = growing_.erase(it);
    keep(std::move(done));
  }
  if (!page.more || entries_ > 2 * kMaxEntries) stop();
}

void Walk::place(BranchEntry entry) {
  const std::size_t slash = entry.below.rfind('/');
  const bool nested = slash != std::string::npos;
  if (entry.node.is_folder() && entry.node.id != kNoId) {
    growing_paths_.emplace(entry.node.id, entry.below);
    growing_[entry.below].id = entry.node.id;
  }
  // Children of the top itself are of no use: it was listed before the walk was known.
  if (!nested) return;
  const auto folder = growing_.find(entry.below.substr(0, slash));
  if (folder == growing_.end() || folder->second.spoilt) return;
  folder->second.entries.push_back({entry.below.substr(slash + 1), std::move(entry.node)});
  ++entries_;
}

void Walk::keep(Growing done) {
  // An id still to be given is given by the folder's own listing.
  const bool whole = std::none_of(done.entries.begin(), done.entries.end(), [](const Entry& e) {
    return number(e.node.id) <= number(kRootId);
  });
  if (done.spoilt || !whole) {
    entries_ -= done.entries.size();
    return;
  }
  const NodeId id = done.id;
  take(id);
  ready_[id] = std::make_shared<const std::vector<Entry>>(std::move(done.entries));
  order_.push_back(id);
  while (entries_ > kMaxEntries && !order_.empty()) {
    take(order_.front());
    order_.pop_front();
  }
  if (order_.size() > 2 * ready_.size() + kRecent) {
    std::erase_if(order_, [&](NodeId kept) { return !ready_.contains(kept); });
  }
}

void Walk::stop() {
  for (const auto& [below, growing] : growing_) entries_ -= growing.entries.size();
  growing_.clear();
  growing_paths_.clear();
  top_.reset();
  run_.reset();
  cursor_.clear();
}

}  // namespace prefixfs
