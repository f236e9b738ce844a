// InodeTable remembers what the kernel remembers.
//
// An inode number is a NodeId.  For each one the kernel holds, the table keeps (parent, name),
// never a path: renaming a folder moves one entry and every path below it follows.  An entry lives
// while the kernel holds a lookup on it or on anything below it.  Thread-safe.

#pragma once

#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fs/node.h"
#include "fs/result.h"

namespace prefixfs {

class InodeTable {
 public:
  InodeTable();  // holds the root for ever

  // Once per entry the kernel was given; taken back with forget(id, 1) if it did not get it.
  // `mark` is the caller's own note about the node, kept from the first time on.
  // REQUIRES: parent is in the table
  void remember(NodeId id, NodeId parent, std::string_view name, std::uint64_t mark = 0);
  std::uint64_t mark(NodeId id) const;  // 0: none
  void set_mark(NodeId id, std::uint64_t mark);

  // ESTALE: not in the table.  A detached node has the path of its last name.
  Result<NodeRef> find(NodeId id) const;
  bool holds(NodeId id) const;  // the kernel has a lookup on it

  void moved(NodeId id, NodeId parent, std::string_view name);
  // Its name is gone; it stays until forgotten.  false: nobody holds it any more.
  bool detached(NodeId id);

  // Returns true if that was the last hold on a detached node: it can be released.
  bool forget(NodeId id, std::uint64_t lookups);

  std::size_t size() const;
  // Every (id, parent, name) the kernel knows, in no order; `visit` may call no method of this.
  void for_each(const std::function<void(NodeId, NodeId, const std::string&)>& visit) const;

 private:
  struct Entry {
    NodeId parent{};
    std::string name;
    std::uint64_t lookups = 0;
    std::uint64_t children = 0;  // entries whose parent this is
    std::uint64_t mark = 0;
    bool detached = false;
  };

  void unlink_from(NodeId parent);  // REQUIRES: mutex_ held
  void drop_if_unused(NodeId id);   // REQUIRES: mutex_ held

  mutable std::shared_mutex mutex_;
  std::unordered_map<NodeId, Entry> entries_;  // guarded by mutex_
};

}  // namespace prefixfs
