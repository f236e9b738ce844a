// The layout "node": the attributes under an immutable id, names as a second kind of row that leads
// to it.  A rename touches a handful of rows however much lies below, and getattr needs no path; a
// lookup is two gets, and listing with attributes a get per node.

#include <cassert>
#include <utility>

#include "fs/folder_branch.h"
#include "fs/keys.h"
#include "fs/layout.h"
#include "fs/node_rows.h"
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
  explicit NodeLayout(std::string_view drive) : drive_(drive), nodes_(drive) {}

  std::string_view name() const override { return "node"; }

  Result<Node> get(Table& t, const NodeRef& ref) const override {
    return nodes_.get(t, ref.path.is_root() ? kRootId : ref.id);
  }

  Result<Node> lookup(Table& t, const NodeRef& dir, std::string_view name) const override {
    const auto id = id_of(t, dir, name);
    if (!id) return id.error();
    return nodes_.get(t, *id);
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
    auto node = nodes_.get(t, ref.id);
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
    std::vector<NodeId> ids;
    for (const auto& [name, id] : names) ids.push_back(id);
    const auto nodes = nodes_.get(t, ids);
    for (auto& [name, id] : names) {
      if (const auto it = nodes.find(id); it != nodes.end()) {
        page.entries.push_back({std::move(name), it->second});
      }
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

  bool attributes_with_name() const override { return false; }

  void add(Batch& b, const NodeRef& dir, std::string_view name, const Node& node,
           Rows rows) const override {
    if (rows == Rows::all) nodes_.add(b, node);
    if (name.empty()) return;
    b.push_back(
        table::Put{name_key(drive_, dir.id, name), leads_to(node.id), table::item_absent()});
  }

  void update(Batch& b, const NodeRef& ref, const NodeChange& change) const override {
    nodes_.update(b, ref.path.is_root() ? kRootId : ref.id, change);
  }

  void remove(Batch& b, const NodeRef& ref, Rows rows) const override {
    if (!ref.path.is_root() && rows != Rows::attributes) {
      b.push_back(
          table::Delete{name_key(drive_, ref.parent, ref.path.name()), table::item_exists()});
    }
    if (rows != Rows::name) nodes_.remove(b, ref.id);
  }

  void move(Batch& b, const Move& move) const override {
    const table::Key from = name_key(drive_, move.from.parent, move.from.path.name());
    const table::Key to = name_key(drive_, move.to_dir.id, move.to_name);
    b.push_back(table::Put{to, leads_to(move.node.id),
                           move.target ? table::item_exists() : table::item_absent()});
    nodes_.put(b, move.node);
    if (move.target != nullptr && move.exchange) {
      b.push_back(table::Put{from, leads_to(move.target->node.id), table::item_exists()});
      nodes_.put(b, move.target->node);
      return;
    }
    b.push_back(table::Delete{from, table::item_exists()});
    if (move.target == nullptr) return;
    if (move.target->node.links > 0) {
      nodes_.put(b, move.target->node);
    } else {
      nodes_.remove(b, move.target->node.id);
    }
  }

 private:
  static Item leads_to(NodeId id) { return {{"id", number(id)}}; }

  Result<NodeId> id_of(Table& t, const NodeRef& dir, std::string_view name) const {
    const auto got = t.get(name_key(drive_, dir.id, name));
    if (!got.item) return std::errc::no_such_file_or_directory;
    const auto id = id_in(*got.item);
    if (!id) return std::errc::io_error;
    return *id;
  }

  const std::string drive_;
  const NodeRows nodes_;
};

}  // namespace

std::unique_ptr<Layout> make_node_layout(std::string_view drive) {
  assert(valid_drive_name(drive));
  return std::make_unique<NodeLayout>(drive);
}

}  // namespace prefixfs
