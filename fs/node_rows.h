// NodeRows are the rows that hold attributes apart from names: (DRIVE#d, NODE#id).
//
// The layout `node` has one for each node; the other two for nodes with several names, each of
// whose rows then leads to it.  Stateless and immutable, so thread-safe.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fs/layout.h"
#include "fs/node.h"
#include "fs/result.h"
#include "table/table.h"

namespace prefixfs {

class NodeRows {
 public:
  explicit NodeRows(std::string_view drive) : drive_(drive) {}

  Result<Node> get(table::Table& t, NodeId id) const;  // ENOENT, EIO
  // Those that are there and can be nodes.  An id may be asked for twice.
  std::unordered_map<NodeId, Node> get(table::Table& t, std::span<const NodeId> ids) const;

  void add(table::Batch& b, const Node& node) const;
  void put(table::Batch& b, const Node& node) const;  // over the one that is there
  void update(table::Batch& b, NodeId id, const NodeChange& change) const;
  void remove(table::Batch& b, NodeId id) const;

 private:
  table::Key key(NodeId id) const;
  const std::string drive_;
};

// An Update of the row at `key`, which has to be there.
table::Update update_of(table::Key key, const NodeChange& change);

// For layouts that keep a node's attributes with its only name.
class SharedRows {
 public:
  explicit SharedRows(std::string_view drive) : rows_(drive) {}

  // The node at `ref`, whose name has the row `key`.
  Result<Node> get(table::Table& t, const NodeRef& ref, const table::Key& key) const;
  // The node in the row of a name, or the one that it leads to.
  Result<Node> at_name(table::Table& t, const table::Key& key) const;
  // In place of names their nodes; those that lead to none go.  Entry and BranchEntry.
  template <class E>
  void follow(table::Table& t, std::vector<E>& entries) const {
    std::vector<NodeId> ids;
    for (E& entry : entries) {
      if (entry.node.shared) {
        ids.push_back(entry.node.id);
      } else {
        entry.node.links = 1;
      }
    }
    if (ids.empty()) return;
    const auto nodes = rows_.get(t, ids);
    std::erase_if(entries, [&](const E& entry) {
      return entry.node.shared && !nodes.contains(entry.node.id);
    });
    for (E& entry : entries) {
      if (!entry.node.shared) continue;
      entry.node = nodes.at(entry.node.id);
      entry.node.shared = true;
    }
  }

  // Of the row of a name.
  static table::Item item(const Node& node);
  // Layout's verbs, as far as rows of attributes go.
  void add(table::Batch& b, const Node& node, Rows rows) const;
  void update(table::Batch& b, const NodeRef& ref, table::Key key, const NodeChange& change) const;
  void remove(table::Batch& b, const NodeRef& ref, table::Key key, Rows rows) const;
  void move(table::Batch& b, const Move& move) const;

 private:
  void place(table::Batch& b, const NodeRef& before, const Node& node) const;
  const NodeRows rows_;
};

}  // namespace prefixfs
