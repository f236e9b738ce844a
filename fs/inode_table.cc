#include "fs/inode_table.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <utility>

namespace prefixfs {

InodeTable::InodeTable() {
  Entry& root = entries_[kRootId];
  root.name.parent = kRootId;
  root.lookups = 1;
}

void InodeTable::remember(NodeId id, NodeId parent, std::string_view name, std::uint64_t mark,
                          Names names) {
  std::unique_lock lock(mutex_);
  const auto [it, fresh] = entries_.try_emplace(id);
  Entry& entry = it->second;
  ++entry.lookups;
  if (fresh) entry.mark = mark;
  if (id == kRootId) return;
  std::vector<NodeId> left;  // folders that it is no more in
  if (fresh) {
    entry.name = {parent, std::string(name)};
    count_child(parent);
  } else if (names == Names::several) {
    add_name(entry, {parent, name}, left);
  } else {
    // One found under another name: the kernel's idea of where it is moves along.
    for (const Name& other : entry.others) left.push_back(other.parent);
    entry.others.clear();
    if (!entry.name.is({parent, name})) {
      left.push_back(entry.name.parent);
      entry.name = {parent, std::string(name)};
      count_child(parent);
    }
    entry.name_is_gone = false;
  }
  entry.names = names;
  for (const NodeId folder : left) unlink_from(folder);
}

void InodeTable::add_name(Entry& entry, Place place, std::vector<NodeId>& left) {
  if (!entry.name_is_gone && entry.name.is(place)) return;
  for (const Name& other : entry.others) {
    if (other.is(place)) return;
  }
  count_child(place.parent);
  if (entry.name_is_gone) {
    left.push_back(entry.name.parent);
    entry.name = {place.parent, std::string(place.name)};
    entry.name_is_gone = false;
  } else {
    entry.others.push_back({place.parent, std::string(place.name)});
  }
}

std::optional<NodeRef> InodeTable::ref_of(NodeId id, const Name& name) const {
  std::vector<const std::string*> names{&name.name};
  for (NodeId above = name.parent; above != kRootId;) {
    const auto it = entries_.find(above);
    if (it == entries_.end() || names.size() > entries_.size()) return std::nullopt;
    names.push_back(&it->second.name.name);
    above = it->second.name.parent;
  }
  return NodeRef{id, name.parent, Path::from_components(names)};
}

Result<NodeRef> InodeTable::find(NodeId id) const {
  if (id == kRootId) return root_ref();
  std::shared_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return std::errc(ESTALE);
  auto ref = ref_of(id, it->second.name);
  if (!ref) return std::errc(ESTALE);
  ref->shared = it->second.names == Names::several;
  return *std::move(ref);
}

std::optional<NodeRef> InodeTable::other_name(NodeId id, Place gone) const {
  std::shared_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return std::nullopt;
  const Entry& entry = it->second;
  const Name* found = nullptr;
  if (!entry.name_is_gone && !entry.name.is(gone)) found = &entry.name;
  for (const Name& other : entry.others) {
    if (other.is(gone)) continue;
    if (found) return std::nullopt;
    found = &other;
  }
  return found ? ref_of(id, *found) : std::nullopt;
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

void InodeTable::moved(NodeId id, Place from, Place to, Names names) {
  std::unique_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return;
  Entry& entry = it->second;
  entry.names = names;
  std::vector<NodeId> left;
  const auto other = std::find_if(entry.others.begin(), entry.others.end(),
                                  [&](const Name& each) { return each.is(from); });
  if (other != entry.others.end()) {
    left.push_back(other->parent);
    *other = {to.parent, std::string(to.name)};
    count_child(to.parent);
  } else if (names == Names::several && (entry.name_is_gone || !entry.name.is(from))) {
    add_name(entry, to, left);
  } else {
    left.push_back(entry.name.parent);
    entry.name = {to.parent, std::string(to.name)};
    entry.name_is_gone = false;
    count_child(to.parent);
  }
  for (const NodeId folder : left) unlink_from(folder);
}

void InodeTable::lost_name(NodeId id, Place gone, Names names) {
  std::unique_lock lock(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return;
  Entry& entry = it->second;
  entry.names = names;
  const auto other = std::find_if(entry.others.begin(), entry.others.end(),
                                  [&](const Name& each) { return each.is(gone); });
  if (other != entry.others.end()) {
    entry.others.erase(other);
  } else if (!entry.name.is(gone)) {
    return;
  } else if (entry.others.empty()) {
    entry.name_is_gone = true;
    return;
  } else {
    entry.name = std::move(entry.others.back());
    entry.others.pop_back();
  }
  unlink_from(gone.parent);
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
  for (const auto& [id, entry] : entries_) {
    visit(id, entry.name.parent, entry.name.name);
    for (const Name& other : entry.others) visit(id, other.parent, other.name);
  }
}

void InodeTable::count_child(NodeId parent) {
  if (const auto at = entries_.find(parent); at != entries_.end()) ++at->second.children;
}

void InodeTable::unlink_from(NodeId parent) {
  const auto it = entries_.find(parent);
  if (it == entries_.end()) return;
  if (it->second.children > 0) --it->second.children;
  drop_if_unused(parent);
}

void InodeTable::drop_if_unused(NodeId id) {
  std::vector<NodeId> left;  // folders with a name less
  while (true) {
    const auto it = id == kRootId ? entries_.end() : entries_.find(id);
    if (it != entries_.end() && it->second.lookups == 0 && it->second.children == 0) {
      left.push_back(it->second.name.parent);
      for (const Name& other : it->second.others) left.push_back(other.parent);
      entries_.erase(it);
    }
    if (left.empty()) return;
    id = left.back();
    left.pop_back();
    const auto above = entries_.find(id);
    if (above != entries_.end() && above->second.children > 0) --above->second.children;
  }
}

}  // namespace prefixfs
