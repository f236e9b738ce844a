#include "tools/tree_walk.h"

#include <utility>

#include "tools/session.h"

namespace prefixfs {
namespace {

constexpr std::size_t kPageEntries = 1000;

}  // namespace

TreeWalk::TreeWalk(Drive& drive, NodeRef top, Entry entry) : drive_(drive) {
  folders_.push_back({.ref = std::move(top), .entry = std::move(entry)});
}

// Makes sure that an entry is at hand if there is one.
void TreeWalk::refill(Folder& folder) {
  while (folder.next == folder.page.entries.size() && (!folder.started || folder.page.more)) {
    Result<ListPage> page = drive_.readdir(folder.ref, folder.page.last, kPageEntries);
    folder.started = true;
    folder.next = 0;
    if (!page) {
      folder.error = page.error();
      folder.page = {};
      return;
    }
    folder.page = *std::move(page);
  }
}

std::optional<TreeWalk::Step> TreeWalk::next() {
  if (folders_.empty()) return std::nullopt;
  Folder& folder = folders_.back();
  const std::size_t depth = folders_.size() - 1;
  refill(folder);
  if (folder.next == folder.page.entries.size()) {
    if (folder.error) {
      const std::errc error = *std::exchange(folder.error, std::nullopt);
      return Step{Step::What::failed, depth, folder.ref, folder.entry, false, error};
    }
    Step step{Step::What::leave, depth, std::move(folder.ref), std::move(folder.entry)};
    folders_.pop_back();
    return step;
  }
  Entry entry = std::move(folder.page.entries[folder.next++]);
  NodeRef ref = child_ref(folder.ref, entry.name, entry.node);
  refill(folder);  // only then it shows whether this is the last one
  const bool last = folder.next == folder.page.entries.size();
  if (entry.node.is_folder()) folders_.push_back({.ref = ref, .entry = entry});
  return Step{Step::What::enter, depth + 1, std::move(ref), std::move(entry), last};
}

void TreeWalk::skip() {
  if (folders_.size() > 1 && !folders_.back().started) folders_.pop_back();
}

}  // namespace prefixfs
