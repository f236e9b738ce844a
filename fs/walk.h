// Walk serves the folder listings of a tree walk (find, du, rm -r, cp -r) from one branch read.
//
// In an ordered layout all that lies below a folder is one run of keys.  When listings show that
// somebody is walking down a tree, Walk reads that run page by page ahead of the walk and answers
// the listings that follow without asking the table.  Listings are kept by folder id, bounded in
// number of entries, and dropped when anything in the folder changes.  Thread-safe.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fs/layout.h"
#include "table/table.h"

namespace prefixfs {

class Walk {
 public:
  explicit Walk(const Layout& layout) : layout_(layout) {}

  // The whole listing of `dir` if a walk has it, reading ahead through `t` where a walk is under
  // way; nullptr: list it yourself.  Call once per listing that starts at the first entry.
  std::shared_ptr<const std::vector<Entry>> listing(table::Table& t, const NodeRef& dir);

  // `dir` was listed otherwise; these are its first entries.
  void listed(const NodeRef& dir, const std::vector<Entry>& entries);

  // A child of `folder` was added, removed or its attributes changed.  Cheap when nothing is kept.
  void changed(NodeId folder);
  // The attributes or names of a node that has, or had, several names.
  void changed_node_with_names();
  // Keys moved, or another process wrote: nothing kept can be trusted.
  void clear();

 private:
  struct Growing {  // a folder whose run of keys is not read to its end yet
    NodeId id = kNoId;
    bool spoilt = false;  // changed, or listed otherwise, since: not to be kept
    std::vector<Entry> entries;
  };

  // All below need mutex_ held.
  std::shared_ptr<const std::vector<Entry>> take(NodeId id);
  bool follows_walk(const NodeRef& dir) const;
  void start(const NodeRef& dir);
  void read_page(table::Table& t);
  void place(BranchEntry entry);
  void keep(Growing done);
  void stop();

  const Layout& layout_;
  std::mutex mutex_;  // guards all below

  std::deque<NodeRef> recent_;  // folders listed lately, newest last
  NodeId first_below_ = kNoId;  // the first child folder of the last of them
  int steps_ = 0;               // listings in a row that went on where the ones before had been

  // The run being read: all below *top_, up to and with the key cursor_.
  std::optional<NodeRef> top_;
  std::unique_ptr<BranchReader> run_;
  std::string cursor_;
  std::size_t next_items_ = 0;                        // of the next page; 0: as many as it holds
  std::unordered_map<std::string, Growing> growing_;  // by path below the top
  std::unordered_map<NodeId, std::string> growing_paths_;

  std::unordered_map<NodeId, std::shared_ptr<const std::vector<Entry>>> ready_;
  std::deque<NodeId> order_;  // of ready_, oldest first; ids taken since may still be in it
  std::size_t entries_ = 0;   // in ready_ and growing_
};

}  // namespace prefixfs
