// InodeTable remembers what the kernel remembers.
//
// An inode number is a NodeId.  For each one the kernel holds, the table keeps (parent, name),
// never a path: renaming a folder moves one entry and every path below it follows.  Of a node with
// several names it keeps all that the kernel was given.  An entry lives while the kernel holds a
// lookup on it or on anything below it.  Thread-safe.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fs/node.h"
#include "fs/result.h"

namespace prefixfs {

// How many names a node has, or how it is stored (NodeRef::shared).
enum class Names { one, several };

class InodeTable {
 public:
  InodeTable();  // holds the root for ever

  // Once per entry the kernel was given; taken back with forget(id, 1) if it did not get it.
  // `mark` is the caller's own note about the node, kept from the first time on.
  // REQUIRES: parent is in the table
  void remember(NodeId id, NodeId parent, std::string_view name, std::uint64_t mark = 0,
                Names names = Names::one);
  std::uint64_t mark(NodeId id) const;  // 0: none
  void set_mark(NodeId id, std::uint64_t mark);

  // ESTALE: not in the table.  A detached node has the path of its last name, one with several
  // that of any it has or had.
  Result<NodeRef> find(NodeId id) const;
  bool holds(NodeId id) const;  // the kernel has a lookup on it

  struct Place {
    NodeId parent{};
    std::string_view name;
  };
  void moved(NodeId id, Place from, Place to, Names names = Names::one);
  // One name less.  With one left that is known here, `names` may be one.
  void lost_name(NodeId id, Place gone, Names names);
  // The only other name that is known; nullopt: there is none, or there are several.
  std::optional<NodeRef> other_name(NodeId id, Place gone) const;
  // Its last name is gone; it stays until forgotten.  false: nobody holds it any more.
  bool detached(NodeId id);

  // Returns true if that was the last hold on a detached node: it can be released.
  bool forget(NodeId id, std::uint64_t lookups);

  std::size_t size() const;
  // Every (id, parent, name) the kernel knows, in no order; `visit` may call no method of this.
  void for_each(const std::function<void(NodeId, NodeId, const std::string&)>& visit) const;

 private:
  struct Name {
    NodeId parent{};
    std::string name;
    bool is(const Place& place) const { return parent == place.parent && name == place.name; }
  };
  struct Entry {
    Name name;                  // of several, any
    bool name_is_gone = false;  // and others are not known
    std::vector<Name> others{};
    Names names = Names::one;
    std::uint64_t lookups = 0;
    std::uint64_t children = 0;  // entries whose parent this is
    std::uint64_t mark = 0;
    bool detached = false;
  };

  // All below need mutex_ held.
  std::optional<NodeRef> ref_of(NodeId id, const Name& name) const;
  // `left`: folders that lose a name of the entry, to be unlink_from() it in the end.
  void add_name(Entry& entry, Place place, std::vector<NodeId>& left);
  void count_child(NodeId parent);
  void unlink_from(NodeId parent);
  void drop_if_unused(NodeId id);

  mutable std::shared_mutex mutex_;
  std::unordered_map<NodeId, Entry> entries_;  // guarded by mutex_
};

}  // namespace prefixfs
