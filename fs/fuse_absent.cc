#include "fs/fuse_absent.h"

#include <utility>

namespace prefixfs {

bool AbsentNames::add(NodeId parent, std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (count_ >= limit_) {
    const auto below = names_.find(parent);
    return below != names_.end() && below->second.contains(std::string(name));
  }
  if (names_[parent].emplace(name).second) ++count_;
  return true;
}

void AbsentNames::forget(NodeId parent) {
  const std::lock_guard lock(mutex_);
  const auto below = names_.find(parent);
  if (below == names_.end()) return;
  count_ -= below->second.size();
  names_.erase(below);
}

bool AbsentNames::any_below(NodeId parent) const {
  const std::lock_guard lock(mutex_);
  return names_.contains(parent);
}

std::vector<AbsentNames::Absent> AbsentNames::take() {
  std::unordered_map<NodeId, std::unordered_set<std::string>> names;
  {
    const std::lock_guard lock(mutex_);
    names.swap(names_);
    count_ = 0;
  }
  std::vector<Absent> all;
  for (auto& [parent, below] : names) {
    while (!below.empty()) {
      all.push_back({parent, std::move(below.extract(below.begin()).value())});
    }
  }
  return all;
}

}  // namespace prefixfs
