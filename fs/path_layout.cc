// The layout "path": one row per node, the whole path in its sort key.  The order of the keys is
// the tree, so a branch is one Query; a key cannot be updated, so a rename moves every descendant's
// row.

#include <cassert>
#include <utility>

#include "fs/keys.h"
#include "fs/layout.h"
#include "fs/node_item.h"
#include "fs/node_rows.h"

namespace prefixfs {
namespace {

using table::Batch;
using table::Key;
using table::Table;

// Whether `below` is what Path::below() gives: a key that is not can be no node of the tree.
bool canonical(std::string_view below) {
  while (true) {
    const std::size_t end = below.find('/');
    const std::string_view name = below.substr(0, end);
    if (name.empty() || name == "." || name == ".." || name.size() > kMaxNameBytes) return false;
    if (end == below.npos) return true;
    below.remove_prefix(end + 1);
  }
}

class PathBranch final : public BranchReader {
 public:
  PathBranch(std::string pk, std::string prefix, std::string_view after, const SharedRows& shared)
      : pk_(std::move(pk)),
        prefix_(std::move(prefix)),
        after_(prefix_ + std::string(after)),
        shared_(shared) {}

  BranchPage next(Table& t, std::size_t limit) override {
    BranchPage page;
    if (at_end_) return page;
    // Starting after the bare prefix keeps out the root's own row, whose key it is.
    auto found = t.query(
        {.pk = pk_, .sk = table::SkBeginsWith{prefix_}, .limit = limit, .exclusive_start = after_});
    page.more = found.last.has_value();
    page.entries.reserve(found.rows.size());
    if (found.last) {
      page.last = found.last->sk.substr(prefix_.size());
      after_ = std::move(found.last->sk);
    }
    at_end_ = !page.more;
    for (table::Row& row : found.rows) {
      std::string below = row.key.sk.substr(prefix_.size());
      auto node = canonical(below) ? decode_node(row.item) : std::nullopt;
      if (node) page.entries.push_back({std::move(below), *std::move(node), kNoId});
    }
    shared_.follow(t, page.entries);
    return page;
  }

 private:
  const std::string pk_, prefix_;
  std::string after_;
  const SharedRows& shared_;
  bool at_end_ = false;
};

class PathLayout final : public Layout {
 public:
  explicit PathLayout(std::string_view drive) : pk_(drive_pk(drive)), shared_(drive) {}

  std::string_view name() const override { return "path"; }

  Result<Node> get(Table& t, const NodeRef& ref) const override {
    return shared_.get(t, ref, key(ref.path));
  }

  Result<Node> lookup(Table& t, const NodeRef& dir, std::string_view name) const override {
    return shared_.at_name(t, key(dir.path.child(name)));
  }

  Result<Located> resolve(Table& t, const Path& path) const override {
    auto node = shared_.at_name(t, key(path));
    if (!node) return node.error();
    if (path.is_root()) return Located{root_ref(), *std::move(node)};
    const NodeId parent = path.depth() == 1 ? kRootId : kNoId;  // deeper ones would cost a get
    NodeRef ref{node->id, parent, path, node->shared};
    return Located{std::move(ref), *std::move(node)};
  }

  ListPage list(Table& t, const NodeRef& dir, std::string_view after, std::size_t limit,
                Detail detail) const override {
    const std::string prefix = below_prefix(dir.path);
    auto listed =
        t.list({.pk = pk_, .prefix = prefix, .after = std::string(after), .limit = limit});
    ListPage page;
    page.more = listed.more;
    page.hops = listed.hops;
    page.entries.reserve(listed.rows.size());
    for (table::Row& row : listed.rows) {
      std::string name = row.key.sk.substr(prefix.size());
      page.last = name;
      auto node = decode_node(row.item);
      if (node && check_name(name)) page.entries.push_back({std::move(name), *std::move(node)});
    }
    if (detail == Detail::nodes) shared_.follow(t, page.entries);
    return page;
  }

  bool empty(Table& t, const NodeRef& dir) const override {
    const std::string prefix = below_prefix(dir.path);
    const auto found = t.query(
        {.pk = pk_, .sk = table::SkBeginsWith{prefix}, .limit = 1, .exclusive_start = prefix});
    return found.scanned == 0;
  }

  std::unique_ptr<BranchReader> branch(const NodeRef& dir, std::string_view after) const override {
    return std::make_unique<PathBranch>(pk_, below_prefix(dir.path), after, shared_);
  }

  bool ordered() const override { return true; }
  bool attributes_with_name() const override { return true; }

  void add(Batch& b, const NodeRef& dir, std::string_view name, const Node& node,
           Rows rows) const override {
    const Path path = name.empty() ? Path() : dir.path.child(name);
    b.push_back(table::Put{key(path), SharedRows::item(node), table::item_absent()});
    shared_.add(b, node, rows);
  }

  void update(Batch& b, const NodeRef& ref, const NodeChange& change) const override {
    shared_.update(b, ref, key(ref.path), change);
  }

  void remove(Batch& b, const NodeRef& ref, Rows rows) const override {
    shared_.remove(b, ref, key(ref.path), rows);
  }

  void move(Batch& b, const Move& move) const override {
    const Path& from = move.from.path;
    const Path to = move.to_dir.path.child(move.to_name);
    const bool exchange = move.target != nullptr && move.exchange;

    b.push_back(table::Put{key(to), SharedRows::item(move.node),
                           move.target ? table::item_exists() : table::item_absent()});
    if (exchange) {
      b.push_back(table::Put{key(from), SharedRows::item(move.target->node), table::item_exists()});
    } else {
      b.push_back(table::Delete{key(from), table::item_exists()});
    }
    shared_.move(b, move);

    const bool below_to = exchange && move.target->node.is_folder();
    if (move.node.is_folder() && below_to) {
      b.push_back(table::SwapRange{pk_, below_prefix(from), below_prefix(to)});
    } else if (move.node.is_folder()) {
      b.push_back(table::MoveRange{pk_, below_prefix(from), below_prefix(to)});
    } else if (below_to) {
      b.push_back(table::MoveRange{pk_, below_prefix(to), below_prefix(from)});
    }
  }

 private:
  Key key(const Path& path) const { return {pk_, path_sk(path)}; }

  const std::string pk_;
  const SharedRows shared_;
};

}  // namespace

std::unique_ptr<Layout> make_path_layout(std::string_view drive) {
  assert(valid_drive_name(drive));
  return std::make_unique<PathLayout>(drive);
}

}  // namespace prefixfs
