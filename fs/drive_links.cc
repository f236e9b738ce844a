// Names of Drive's nodes: another one, one less, and all of a tree.
//
// Attributes stand in the row of a node's only name.  With the second name they move to a row of
// their own (layouts where Layout::attributes_with_name), and back when one is left and either it
// is known which, or that one is renamed.

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fs/drive.h"
#include "fs/node_item.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::Batch;
using table::MeteredTable;
using table::Store;

namespace {

NodeChange links_change(const Node& node) {
  NodeChange change{.set = {{"ctime", encode_time(node.ctime)}}};
  if (node.links > 1) {
    change.set.emplace_back("links", static_cast<std::uint64_t>(node.links));
  } else {
    change.remove.emplace_back("links");
  }
  return change;
}

}  // namespace

Result<Node> Drive::link(const NodeRef& ref, const NodeRef& dir, std::string_view name) {
  if (auto ok = check_name(name); !ok) return ok.error();
  if (is_detached(ref.id) || is_detached(dir.id)) return std::errc::no_such_file_or_directory;
  MeteredTable t(store_.table(), ledger_, "link",
                 [&] { return ref.path.text() + " " + dir.path.child(name).text(); });
  Store::Step step(store_);
  auto node = stored(t, ref);
  if (!node) return node;
  if (node->is_folder()) return std::errc::operation_not_permitted;
  if (node->links >= kMaxLinks) return std::errc::too_many_links;

  NodeRef before = ref;
  before.shared = node->shared;
  const bool second = layout_->attributes_with_name() && !node->shared;
  if (second) node->shared = true;
  ++node->links;
  node->ctime = clock_();
  Batch batch;
  layout_->add(batch, dir, name, *node, second ? Rows::all : Rows::name);
  layout_->update(batch, before, second ? only_name(*node) : links_change(*node));
  touch(batch, dir, node->ctime, 0);
  if (auto ok = apply(t, batch); !ok) return ok.error();
  step.done();
  changed(ref, *node);
  walk_.changed(ref.parent);
  walk_.changed(dir.id);
  walk_.changed(dir.parent);
  return node;
}

void Drive::lose_name(Batch& b, const NodeRef& gone, const Node& left) const {
  if (left.links == 0) {
    layout_->remove(b, gone);
    return;
  }
  layout_->remove(b, gone, Rows::name);
  layout_->update(b, gone, links_change(left));
}

Result<Removed> Drive::unlink(const NodeRef& dir, std::string_view name, const Held& held) {
  if (auto ok = check_name(name); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "unlink", [&] { return dir.path.child(name).text(); });
  Store::Step step(store_);
  const auto node = child(t, dir, name);
  if (!node) return node.error();
  if (node->is_folder()) return std::errc::is_a_directory;
  const NodeRef ref = child_ref(dir, name, *node);
  Node left = *node;
  --left.links;
  left.ctime = clock_();

  std::optional<NodeRef> last;
  if (left.shared && left.links == 1) last = held.other_name(ref);
  if (last) {
    left.shared = false;
    last->shared = false;
    Batch batch;
    layout_->remove(batch, ref);
    layout_->update(batch, *last, whole(left));
    touch(batch, dir, left.ctime, 0);
    // Another process may have made another node of that name.
    if (!apply(t, batch)) last.reset();
  }
  if (!last) {
    left.shared = node->shared;
    Batch batch;
    lose_name(batch, ref, left);
    touch(batch, dir, left.ctime, 0);
    if (auto ok = apply(t, batch); !ok) return ok.error();
  }
  if (left.links == 0) {
    finish(step, *node, held);
  } else {
    step.done();
  }
  changed(ref, *node);
  walk_.changed(dir.id);
  walk_.changed(dir.parent);
  return Removed{.id = node->id, .links = left.links, .shared = left.shared || left.links > 1};
}

namespace {

Path path_below(Path path, std::string_view below) {
  while (!below.empty()) {
    const std::size_t end = std::min(below.find('/'), below.size());
    path = path.child(below.substr(0, end));
    below.remove_prefix(std::min(end + 1, below.size()));
  }
  return path;
}

}  // namespace

Result<std::uint64_t> Drive::remove_tree(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "remove_tree", [&] { return ref.path.text(); });
  Store::Step step(store_);
  if (ref.path.is_root()) return std::errc::device_or_resource_busy;
  const auto top = stored(t, ref);
  if (!top) return top.error();
  const auto parent = layout_->resolve(t, ref.path.parent());
  if (!parent) return parent.error();
  const Time now = clock_();

  // Of nodes with several names: what is left of them once the names so far are gone.
  struct Left {
    NodeRef ref;
    Node node;
  };
  std::unordered_map<NodeId, Left> several;
  const auto lose = [&](Batch& batch, const NodeRef& gone, const Node& node) {
    if (!gone.shared) {
      layout_->remove(batch, gone);
      if (node.is_file()) drop_content(node.id);
      return;
    }
    layout_->remove(batch, gone, Rows::name);
    const auto known = several.try_emplace(node.id, Left{gone, node}).first;
    Node& left = known->second.node;
    if (left.links > 0) --left.links;
    left.ctime = now;
  };
  const auto settle = [&](Batch& batch) {
    for (const auto& [id, left] : several) {
      if (left.node.links > 0) {
        layout_->update(batch, left.ref, links_change(left.node));
        continue;
      }
      layout_->remove(batch, left.ref, Rows::attributes);
      if (left.node.is_file()) drop_content(id);
    }
    several.clear();
  };

  std::uint64_t removed = 0;
  const auto below = layout_->branch(ref, "");
  for (bool more = top->is_folder(); more;) {
    const BranchPage page = below->next(t);
    Batch batch;
    for (const BranchEntry& entry : page.entries) {
      const NodeRef dir{entry.parent, kNoId, path_below(ref.path, entry.below).parent()};
      const std::size_t slash = entry.below.rfind('/');
      const std::string_view name = slash == std::string::npos
                                        ? entry.below
                                        : std::string_view(entry.below).substr(slash + 1);
      lose(batch, child_ref(dir, name, entry.node), entry.node);
    }
    settle(batch);  // the next page says how many names are left by then
    if (auto ok = apply(t, batch); !ok) return ok.error();
    removed += page.entries.size();
    more = page.more;
  }
  Batch batch;
  NodeRef gone = ref;
  gone.shared = top->shared || top->links > 1;
  lose(batch, gone, *top);
  settle(batch);
  touch(batch, parent->ref, now, top->is_folder() ? -1 : 0);
  if (auto ok = apply(t, batch); !ok) return ok.error();
  step.done();
  walk_.clear();
  return removed + 1;
}

}  // namespace prefixfs
