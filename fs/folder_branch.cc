#include "fs/folder_branch.h"

#include <algorithm>
#include <utility>

namespace prefixfs {
namespace {

constexpr std::size_t kPageNodes = 1000;

}  // namespace

FolderBranch::FolderBranch(const NodeRef& top, List list) : list_(std::move(list)) {
  pending_.push_back({top, ""});
  seen_.insert(number(top.id));
}

BranchPage FolderBranch::next(table::Table& t, std::size_t limit) {
  BranchPage page;
  if (pending_.empty()) return page;
  const Folder folder = pending_.back();
  ListPage listed = list_(t, folder.ref, after_, limit == 0 ? kPageNodes : limit);

  // Below what is listed already of this folder, so that its later pages come first; the child
  // folders of one page are read in their order.
  std::vector<Folder> children;
  page.entries.reserve(listed.entries.size());
  for (Entry& entry : listed.entries) {
    std::string below = folder.below + entry.name;
    if (entry.node.is_folder() && seen_.insert(number(entry.node.id)).second) {
      children.push_back({child_ref(folder.ref, entry.name, entry.node), below + "/"});
    }
    page.entries.push_back({std::move(below), std::move(entry.node), folder.ref.id});
  }
  if (listed.more) {
    after_ = std::move(listed.last);
    pending_.insert(pending_.end() - 1, children.rbegin(), children.rend());
  } else {
    after_.clear();
    pending_.pop_back();
    pending_.insert(pending_.end(), children.rbegin(), children.rend());
  }
  page.more = !pending_.empty();
  return page;
}

}  // namespace prefixfs
