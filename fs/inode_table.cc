#include "fs/inode_table.h"

#include <cassert>
#include <mutex>
#include <vector>

namespace prefixfs {

InodeTable::InodeTable() { entries_[kRootId] = {.parent = kRootId, .name = "", .lookups = 1}; }

void InodeTable::remember(NodeId id, NodeId parent, std::string_view name, std::uint64_t mark) {
  std::unique_lock lock(mutex_);
  const auto [it, fresh] = entries_.try_emplace(id);
  Entry& entry = it->second;
  ++entry.lookups;
  if (fresh) entry.mark = mark;
  if (!fresh && (id == kRootId || (entry.parent == parent && entry.name == name))) return;
  // New here, or found under another name: the kernel's idea of where it is moves along.
  const NodeId old_parent = entry.parent;
  entry.parent = parent;
  entry.name = name;
  if (const auto at = entries_.find(parent); at != entries_.end()) ++at->second.children;
  if (!fresh) unlink_from(old_parent);
}

Result<NodeRef> InodeTable::find(NodeId id) const {
  if (id == kRootId) return root_ref();
  std::shared_lock lock(mutex_);
  std::vector<const std::string*> names;
  auto it = entries_.find(id);
  if (it == entries_.end()) return std::errc(ESTALE);
  const NodeId parent = it->second.parent;
  while (it->first != kRootId) {
    names.push_back(&it->second.name);
    it = entries_.find(it->second.parent);
    if (it == entries_.end() || names.size() > entries_.size()) return std::errc(ESTALE);
  }
  return NodeRef{id, parent, Path::from_components(names)};
}

std::uint64_t InodeTable::mark(NodeId id) const {
  std::shared_lock lock(mutex_);
  const auto it = entries_.find(id);
  return it == entries_.end() ? 0 : it->second.mark;
}

void InodeTable::set_mark(NodeId id, std::uint64_t mark) {
  std::unique_lock lock(mutex_);
  if (const auto it = entries_.find(id); it != entries_.end()) it->second.mark = mark;
}

bool InodeTable::holds(NodeId id) const {
  std::shared_lock lock(mutex_);
  const auto it = entries_.find(id);
  return it != entries_.end() && it->second.lookups > 0;
}

void InodeTable::moved(NodeId id, NodeId parent, std::string_view name) {
  std::unique_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return;
  const NodeId old_parent = it->second.parent;
  it->second.parent = parent;
  it->second.name = name;
  if (old_parent == parent) return;
  if (const auto at = entries_.find(parent); at != entries_.end()) ++at->second.children;
  unlink_from(old_parent);
}

bool InodeTable::detached(NodeId id) {
  std::unique_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end() || it->second.lookups == 0) return false;
  it->second.detached = true;
  return true;
}

bool InodeTable::forget(NodeId id, std::uint64_t lookups) {
  if (id == kRootId) return false;
  std::unique_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return false;
  assert(lookups <= it->second.lookups);
  it->second.lookups -= lookups < it->second.lookups ? lookups : it->second.lookups;
  if (it->second.lookups > 0) return false;
  const bool last_of_detached = it->second.detached;
  drop_if_unused(id);
  return last_of_detached;
}

std::size_t InodeTable::size() const {
  std::shared_lock lock(mutex_);
  return entries_.size();
}

void InodeTable::for_each(
    const std::function<void(NodeId, NodeId, const std::string&)>& visit) const {
  std::shared_lock lock(mutex_);
  for (const auto& [id, entry] : entries_) visit(id, entry.parent, entry.name);
}

void InodeTable::unlink_from(NodeId parent) {
  const auto it = entries_.find(parent);
  if (it == entries_.end()) return;
  if (it->second.children > 0) --it->second.children;
  drop_if_unused(parent);
}

void InodeTable::drop_if_unused(NodeId id) {
  while (id != kRootId) {
    const auto it = entries_.find(id);
    if (it == entries_.end() || it->second.lookups > 0 || it->second.children > 0) return;
    const NodeId parent = it->second.parent;
    entries_.erase(it);
    const auto above = entries_.find(parent);
    if (above == entries_.end()) return;
    if (above->second.children > 0) --above->second.children;
    id = parent;
  }
}

}  // namespace prefixfs
