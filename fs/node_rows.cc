#include "fs/node_rows.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "fs/keys.h"
#include "fs/node_item.h"

namespace prefixfs {

using table::Batch;
using table::Key;
using table::Table;

Key NodeRows::key(NodeId id) const { return node_key(drive_, id); }

Result<Node> NodeRows::get(Table& t, NodeId id) const {
  auto node = node_of(t.get(key(id)));
  if (!node) return node;
  node->id = id;  // the key says so, whatever the item does
  node->shared = false;
  return node;
}

std::unordered_map<NodeId, Node> NodeRows::get(Table& t, std::span<const NodeId> ids) const {
  std::unordered_map<NodeId, Node> nodes;
  std::unordered_map<std::string, NodeId> asked;
  std::vector<Key> keys;
  for (const NodeId id : ids) {
    Key row = key(id);
    if (asked.emplace(row.sk, id).second) keys.push_back(std::move(row));
  }
  for (std::size_t begin = 0; begin < keys.size(); begin += table::kMaxBatchGetItems) {
    const std::size_t end = std::min(begin + table::kMaxBatchGetItems, keys.size());
    std::vector<Key> left(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                          keys.begin() + static_cast<std::ptrdiff_t>(end));
    while (!left.empty()) {
      auto got = t.batch_get(left, table::Consistency::eventual);
      for (table::Row& row : got.rows) {
        auto node = decode_node(row.item);
        if (!node) continue;
        node->id = asked.at(row.key.sk);
        node->shared = false;
        nodes.emplace(node->id, *std::move(node));
      }
      left = std::move(got.unprocessed);
    }
  }
  return nodes;
}

void NodeRows::add(Batch& b, const Node& node) const {
  b.push_back(table::Put{key(node.id), encode_node(node), table::item_absent()});
}

void NodeRows::put(Batch& b, const Node& node) const {
  b.push_back(table::Put{key(node.id), encode_node(node), table::item_exists()});
}

void NodeRows::update(Batch& b, NodeId id, const NodeChange& change) const {
  b.push_back(update_of(key(id), change));
}

void NodeRows::remove(Batch& b, NodeId id) const {
  b.push_back(table::Delete{key(id), table::item_exists()});
}

table::Update update_of(Key key, const NodeChange& change) {
  return {.key = std::move(key),
          .set = change.set,
          .add = change.add,
          .remove = change.remove,
          .condition = change.only_of == kNoId
                           ? table::item_exists()
                           : table::attribute_equals("id", number(change.only_of))};
}

// ---- Where attributes are apart from names only if there are several ----

Result<Node> SharedRows::get(Table& t, const NodeRef& ref, const Key& key) const {
  if (ref.shared) {
    auto node = rows_.get(t, ref.id);
    if (node) node->shared = true;
    if (node || node.error() != std::errc::no_such_file_or_directory) return node;
    // Another process has made one row of two again.
  }
  return at_name(t, key);
}

Result<Node> SharedRows::at_name(Table& t, const Key& key) const {
  auto named = node_of(t.get(key));
  if (!named) return named;
  if (!named->shared) {
    named->links = 1;
    return named;
  }
  auto node = rows_.get(t, named->id);
  if (!node) return std::errc::io_error;
  node->shared = true;
  return node;
}

table::Item SharedRows::item(const Node& node) {
  return node.shared ? encode_name(node) : encode_node(node);
}

void SharedRows::add(Batch& b, const Node& node, Rows rows) const {
  if (node.shared && rows == Rows::all) rows_.add(b, node);
}

void SharedRows::update(Batch& b, const NodeRef& ref, Key key, const NodeChange& change) const {
  if (ref.shared) return rows_.update(b, ref.id, change);
  b.push_back(update_of(std::move(key), change));
}

void SharedRows::remove(Batch& b, const NodeRef& ref, Key key, Rows rows) const {
  if (rows != Rows::attributes) {
    b.push_back(table::Delete{std::move(key), table::item_exists()});
  }
  if (ref.shared && rows != Rows::name) rows_.remove(b, ref.id);
}

void SharedRows::move(Batch& b, const Move& move) const {
  place(b, move.from, move.node);
  if (move.target != nullptr) place(b, move.target->ref, move.target->node);
}

void SharedRows::place(Batch& b, const NodeRef& before, const Node& node) const {
  if (!before.shared) return;
  if (node.shared && node.links > 0) {
    rows_.put(b, node);
  } else {
    rows_.remove(b, before.id);
  }
}

}  // namespace prefixfs
