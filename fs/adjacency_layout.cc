// The layout "adjacency": one row per child under its parent, the attributes inline.  A lookup is
// one get and a rename two writes however much lies below; a path costs a get per component and a
// branch a Query per folder.

#include <cassert>
#include <utility>

#include "fs/folder_branch.h"
#include "fs/keys.h"
#include "fs/layout.h"
#include "fs/node_item.h"
#include "fs/node_rows.h"
#include "fs/resolve_names.h"

namespace prefixfs {
namespace {

using table::Batch;
using table::Table;

class AdjacencyLayout final : public Layout {
 public:
  explicit AdjacencyLayout(std::string_view drive) : drive_(drive), shared_(drive) {}

  std::string_view name() const override { return "adjacency"; }

  Result<Node> get(Table& t, const NodeRef& ref) const override {
    return shared_.get(t, ref, key(ref));
  }

  Result<Node> lookup(Table& t, const NodeRef& dir, std::string_view name) const override {
    return shared_.at_name(t, name_key(drive_, dir.id, name));
  }

  Result<Located> resolve(Table& t, const Path& path) const override {
    if (path.is_root()) {
      auto root = get(t, root_ref());
      if (!root) return root.error();
      return Located{root_ref(), *std::move(root)};
    }
    return resolve_names(
        path, [&](const NodeRef& dir, std::string_view name) { return lookup(t, dir, name); });
  }

  ListPage list(Table& t, const NodeRef& dir, std::string_view after, std::size_t limit,
                Detail detail) const override {
    table::Query query{.pk = folder_pk(drive_, dir.id), .limit = limit};
    if (!after.empty()) query.exclusive_start = name_key(drive_, dir.id, after).sk;
    auto found = t.query(query);
    ListPage page;
    page.more = found.last.has_value();
    page.entries.reserve(found.rows.size());
    for (table::Row& row : found.rows) {
      auto name = name_of_sk(row.key.sk);
      if (!name) continue;
      page.last = *name;
      auto node = decode_node(row.item);
      if (node) page.entries.push_back({*std::move(name), *std::move(node)});
    }
    if (detail == Detail::nodes) shared_.follow(t, page.entries);
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
  bool attributes_with_name() const override { return true; }

  void add(Batch& b, const NodeRef& dir, std::string_view name, const Node& node,
           Rows rows) const override {
    const table::Key at = name.empty() ? path_key(drive_, Path()) : name_key(drive_, dir.id, name);
    b.push_back(table::Put{at, SharedRows::item(node), table::item_absent()});
    shared_.add(b, node, rows);
  }

  void update(Batch& b, const NodeRef& ref, const NodeChange& change) const override {
    shared_.update(b, ref, key(ref), change);
  }

  void remove(Batch& b, const NodeRef& ref, Rows rows) const override {
    shared_.remove(b, ref, key(ref), rows);
  }

  void move(Batch& b, const Move& move) const override {
    b.push_back(table::Put{name_key(drive_, move.to_dir.id, move.to_name),
                           SharedRows::item(move.node),
                           move.target ? table::item_exists() : table::item_absent()});
    if (move.target != nullptr && move.exchange) {
      b.push_back(
          table::Put{key(move.from), SharedRows::item(move.target->node), table::item_exists()});
    } else {
      b.push_back(table::Delete{key(move.from), table::item_exists()});
    }
    shared_.move(b, move);
  }

 private:
  table::Key key(const NodeRef& ref) const {
    return ref.path.is_root() ? path_key(drive_, Path())
                              : name_key(drive_, ref.parent, ref.path.name());
  }

  const std::string drive_;
  const SharedRows shared_;
};

}  // namespace

std::unique_ptr<Layout> make_adjacency_layout(std::string_view drive) {
  assert(valid_drive_name(drive));
  return std::make_unique<AdjacencyLayout>(drive);
}

}  // namespace prefixfs
