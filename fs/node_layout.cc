// The layout "node": the attributes under an immutable id, names as a second kind of row that leads
// to it.  A rename touches a handful of rows however much lies below, and getattr needs no path; a
// lookup is two gets, and listing with attributes a get per node.

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "fs/folder_branch.h"
#include "fs/keys.h"
#include "fs/layout.h"
#include "fs/node_item.h"
#include "fs/resolve_names.h"

namespace prefixfs {
namespace {

using table::Batch;
using table::Item;
using table::Table;

std::optional<NodeId> id_in(const Item& item) {
  const table::Value* value = item.find("id");
  const table::Number* n = value ? value->if_number() : nullptr;
  const auto id = n ? n->as_uint64() : std::nullopt;
  return id && *id > number(kRootId) ? std::optional(NodeId{*id}) : std::nullopt;
}

class NodeLayout final : public Layout {
 public:
  explicit NodeLayout(std::string_view drive) : drive_(drive) {}

  std::string_view name() const override { return "node"; }

  Result<Node> get(Table& t, const NodeRef& ref) const override {
    return by_id(t, ref.path.is_root() ? kRootId : ref.id);
  }

  Result<Node> lookup(Table& t, const NodeRef& dir, std::string_view name) const override {
    const auto id = id_of(t, dir, name);
    if (!id) return id.error();
    return by_id(t, *id);
  }

  Result<Located> resolve(Table& t, const Path& path) const override {
    NodeRef ref = root_ref();
    if (!path.is_root()) {
      // Only the last node is read: the names above it lead from id to id.
      auto found = resolve_names(path, [&](const NodeRef& dir, std::string_view name) {
        const auto id = id_of(t, dir, name);
        if (!id) return Result<Node>(id.error());
        Node passed;
        passed.id = *id;
        passed.kind = Kind::folder;
        return Result<Node>(std::move(passed));
      });
      if (!found) return found.error();
      ref = std::move(found->ref);
    }
    auto node = by_id(t, ref.id);
    if (!node) return node.error();
    return Located{std::move(ref), *std::move(node)};
  }

  ListPage list(Table& t, const NodeRef& dir, std::string_view after, std::size_t limit,
                Detail detail) const override {
    table::Query query{.pk = folder_pk(drive_, dir.id), .limit = limit};
    if (!after.empty()) query.exclusive_start = name_key(drive_, dir.id, after).sk;
    auto found = t.query(query);
    ListPage page;
    page.more = found.last.has_value();

    std::vector<std::pair<std::string, NodeId>> names;
    for (table::Row& row : found.rows) {
      auto name = name_of_sk(row.key.sk);
      if (!name) continue;
      page.last = *name;
      if (const auto id = id_in(row.item)) names.emplace_back(*std::move(name), *id);
    }
    page.entries.reserve(names.size());
    if (detail == Detail::names) {
      for (auto& [name, id] : names) {
        page.entries.push_back({std::move(name), {}});
        page.entries.back().node.id = id;
      }
      return page;
    }
    for (std::size_t begin = 0; begin < names.size(); begin += table::kMaxBatchGetItems) {
      const std::size_t end = std::min(begin + table::kMaxBatchGetItems, names.size());
      append_nodes(t, std::span(names).subspan(begin, end - begin), page.entries);
    }
    return page;
  }

  bool empty(Table& t, const NodeRef& dir) const override {
    return t.query({.pk = folder_pk(drive_, dir.id), .limit = 1}).scanned == 0;
  }

  std::unique_ptr<BranchReader> branch(const NodeRef& dir, std::string_view after) const override {
    assert(after.empty());
    static_cast<void>(after);
    return std::make_unique<FolderBranch>(
        dir, [this](Table& t, const NodeRef& folder, std::string_view from, std::size_t limit) {
          return list(t, folder, from, limit, Detail::nodes);
        });
  }

  bool ordered() const override { return false; }

  void add(Batch& b, const NodeRef& dir, std::string_view name, const Node& node) const override {
    b.push_back(table::Put{node_key(drive_, node.id), encode_node(node), table::item_absent()});
    if (name.empty()) return;
    b.push_back(
        table::Put{name_key(drive_, dir.id, name), leads_to(node.id), table::item_absent()});
  }

  void update(Batch& b, const NodeRef& ref, const NodeChange& change) const override {
    b.push_back(table::Update{.key = node_key(drive_, ref.path.is_root() ? kRootId : ref.id),
                              .set = change.set,
                              .add = change.add,
                              .remove = change.remove,
                              .condition = table::item_exists()});
  }

  void remove(Batch& b, const NodeRef& ref) const override {
    if (!ref.path.is_root()) {
      b.push_back(
          table::Delete{name_key(drive_, ref.parent, ref.path.name()), table::item_exists()});
    }
    b.push_back(table::Delete{node_key(drive_, ref.id), table::item_exists()});
  }

  void move(Batch& b, const Move& move) const override {
    const table::Key from = name_key(drive_, move.from.parent, move.from.path.name());
    const table::Key to = name_key(drive_, move.to_dir.id, move.to_name);
    b.push_back(table::Put{to, leads_to(move.node.id),
                           move.target ? table::item_exists() : table::item_absent()});
    b.push_back(
        table::Put{node_key(drive_, move.node.id), encode_node(move.node), table::item_exists()});
    if (move.target != nullptr && move.exchange) {
      b.push_back(table::Put{from, leads_to(move.target->node.id), table::item_exists()});
      b.push_back(table::Put{node_key(drive_, move.target->node.id), encode_node(move.target->node),
                             table::item_exists()});
      return;
    }
    b.push_back(table::Delete{from, table::item_exists()});
    if (move.target != nullptr) {
      b.push_back(table::Delete{node_key(drive_, move.target->node.id), table::item_exists()});
    }
  }

 private:
  static Item leads_to(NodeId id) { return {{"id", number(id)}}; }

  Result<Node> by_id(Table& t, NodeId id) const {
    auto node = node_of(t.get(node_key(drive_, id)));
    if (node) node->id = id;  // the key says so, whatever the item does
    return node;
  }

  Result<NodeId> id_of(Table& t, const NodeRef& dir, std::string_view name) const {
    const auto got = t.get(name_key(drive_, dir.id, name));
    if (!got.item) return std::errc::no_such_file_or_directory;
    const auto id = id_in(*got.item);
    if (!id) return std::errc::io_error;
    return *id;
  }

  void append_nodes(Table& t, std::span<const std::pair<std::string, NodeId>> names,
                    std::vector<Entry>& entries) const {
    std::vector<table::Key> keys;
    for (const auto& [name, id] : names) {
      table::Key key = node_key(drive_, id);
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
    std::unordered_map<std::string, Item> items;
    while (!keys.empty()) {
      auto got = t.batch_get(keys, table::Consistency::eventual);
      for (table::Row& row : got.rows) items.emplace(std::move(row.key.sk), std::move(row.item));
      keys = std::move(got.unprocessed);
    }
    for (const auto& [name, id] : names) {
      const auto it = items.find(node_key(drive_, id).sk);
      auto node = it == items.end() ? std::nullopt : decode_node(it->second);
      if (!node) continue;
      node->id = id;
      entries.push_back({name, *std::move(node)});
    }
  }

  const std::string drive_;
};

}  // namespace

std::unique_ptr<Layout> make_node_layout(std::string_view drive) {
  assert(valid_drive_name(drive));
  return std::make_unique<NodeLayout>(drive);
}

}  // namespace prefixfs
