#include "fs/convert.h"

#include <cassert>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>

#include "fs/keys.h"
#include "fs/layout.h"
#include "table/error.h"
#include "table/metered_table.h"

namespace prefixfs {
namespace {

using table::Batch;
using table::Delete;
using table::Fault;
using table::Key;
using table::Put;
using table::Table;
using table::TableError;

constexpr std::size_t kStraysNamed = 10;

// The folders that nodes still to come may lie in, where they come in the order of their paths.
class Parents {
 public:
  explicit Parents(const NodeRef& top) { open_.push_back({top, ""}); }

  const NodeRef& of(std::string_view below) {
    // '0' follows '/': all in a folder "b" sorts before "b0".  "b-c" lies between "b" and "b/...".
    while (open_.size() > 1 && below >= open_.back().below + "0") open_.pop_back();
    const std::size_t end = below.rfind('/');
    const std::string_view parent = end == below.npos ? "" : below.substr(0, end);
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].below == parent) return open_[i].ref;
    }
    return nowhere_;
  }
  void add(std::string_view below, const NodeRef& folder) {
    open_.push_back({folder, std::string(below)});
  }

 private:
  struct Open {
    NodeRef ref;
    std::string below;
  };
  std::vector<Open> open_;
  const NodeRef nowhere_{};
};

// The folder of each node that a branch reader returns, root_ref() first.
class Tree {
 public:
  explicit Tree(bool ordered) : ordered_(ordered), parents_(root_ref()) {}

  struct Place {
    NodeRef dir;
    NodeRef ref;
  };
  // nullopt: the node lies in no folder.
  std::optional<Place> place(const BranchEntry& entry) {
    const Path path = *Path::parse("/" + entry.below);
    NodeRef dir{entry.parent, kNoId, path.parent()};
    if (ordered_) dir = parents_.of(entry.below);
    if (dir.id == kNoId) return std::nullopt;
    NodeRef ref{entry.node.id, dir.id, path, entry.node.shared || entry.node.links > 1};
    if (ordered_ && entry.node.is_folder()) parents_.add(entry.below, ref);
    return Place{std::move(dir), std::move(ref)};
  }

 private:
  const bool ordered_;
  Parents parents_;
};

bool puts_one_twice(const Batch& batch) {
  std::set<std::pair<std::string_view, std::string_view>> keys;
  for (const table::Action& action : batch) {
    const Key& key = std::get<Put>(action).key;
    if (!keys.emplace(key.pk, key.sk).second) return true;
  }
  return false;
}

// One batch of both: where a row of the old layout has the key of one of the new, it is put over.
Batch put_over(Batch removed, Batch added) {
  if (puts_one_twice(added)) throw TableError(Fault::damaged, "two nodes have one id");
  std::set<std::pair<std::string_view, std::string_view>> gone;
  for (const table::Action& action : removed) {
    const Key& key = std::get<Delete>(action).key;
    gone.emplace(key.pk, key.sk);
  }
  std::set<std::pair<std::string, std::string>> both;
  for (table::Action& action : added) {
    Put& put = std::get<Put>(action);
    if (!gone.contains({put.key.pk, put.key.sk})) continue;
    put.condition = table::item_exists();
    both.emplace(put.key.pk, put.key.sk);
  }
  for (table::Action& action : removed) {
    const Key& key = std::get<Delete>(action).key;
    if (!both.contains({key.pk, key.sk})) added.push_back(std::move(action));
  }
  return added;
}

// Calls visit(Key) for each row that is spelt as one of the drive's nodes.
template <class Visit>
void for_each_node_row(Table& t, std::string_view drive, Visit visit) {
  table::Scan scan{.exclusive_start = Key{drive_pk(drive), ""}};
  while (true) {
    const auto page = t.scan(scan);
    for (const table::Row& row : page.rows) {
      if (!in_drive(drive, row.key.pk)) return;
      if (is_node_row(drive, row.key)) visit(row.key);
    }
    if (!page.last) return;
    scan.exclusive_start = page.last;
  }
}

class Converter {
 public:
  Converter(const DriveInfo& drive, std::string_view to)
      : drive_(drive.name),
        from_(make_layout(drive.layout, drive.name)),
        to_(make_layout(to, drive.name)) {
    assert(from_ && to_ && from_->name() != to_->name());
  }

  // false: there are rows that are none of the tree.
  bool rewrite(Table& t, const std::function<void(std::uint64_t)>& so_far, Conversion& done) {
    IdSource ids;
    std::uint64_t rows = 0;
    std::unordered_set<NodeId> several;  // those met that have several names
    const auto write = [&](Batch removed, Batch added) {
      rows += added.size();
      const Batch batch = put_over(std::move(removed), std::move(added));
      const auto written = t.apply(batch);
      if (!written.ok()) throw TableError(Fault::damaged, "two nodes have one id");
    };
    const auto new_id = [&] { return ids.next(t); };
    for_each_page(t, new_id, [&](const std::vector<Found>& found) {
      Batch removed, added;
      for (const Found& one : found) {
        // Further names of a node come without its attributes.
        const bool first = !one.place.ref.shared || several.insert(one.node.id).second;
        Node node = one.node;
        node.shared = to_->attributes_with_name() && node.links > 1;
        from_->remove(removed, one.place.ref, first ? Rows::all : Rows::name);
        to_->add(added, one.place.dir, one.name, node, first ? Rows::all : Rows::name);
        if (first) ++done.nodes;
      }
      write(std::move(removed), std::move(added));
      so_far(done.nodes);
    });
    std::uint64_t left = 0;
    for_each_node_row(t, drive_, [&](const Key&) { ++left; });
    return left == rows;
  }

  StrayRows strays(Table& t) {
    std::unordered_set<std::string> led_to;
    const auto text = [](const Key& key) { return key.pk + '\0' + key.sk; };
    const auto any_id = [] { return kRootId; };
    for_each_page(t, any_id, [&](const std::vector<Found>& found) {
      Batch rows;
      for (const Found& one : found) from_->remove(rows, one.place.ref);
      for (const table::Action& row : rows) led_to.insert(text(std::get<Delete>(row).key));
    });
    StrayRows strays;
    for_each_node_row(t, drive_, [&](const Key& key) {
      if (led_to.contains(text(key))) return;
      ++strays.count;
      if (strays.some.size() < kStraysNamed) strays.some.push_back(key);
    });
    return strays;
  }

 private:
  struct Found {
    Tree::Place place;
    std::string name;
    Node node;
  };

  // Calls visit(std::vector<Found>) with all nodes of the tree, parents before children.
  // `new_id` gives those an id that have none.
  template <class NewId, class Visit>
  void for_each_page(Table& t, NewId new_id, Visit visit) {
    auto root = from_->get(t, root_ref());
    if (!root) throw TableError(Fault::damaged, "the root of the drive is missing");
    root->id = kRootId;
    std::vector<Found> found;
    found.push_back({{root_ref(), root_ref()}, "", *std::move(root)});
    visit(found);

    Tree tree(from_->ordered());
    const auto reader = from_->branch(root_ref(), "");
    for (bool more = true; more;) {
      BranchPage page = reader->next(t);
      more = page.more;
      found.clear();
      for (BranchEntry& entry : page.entries) {
        if (entry.node.id == kNoId) entry.node.id = new_id();
        auto place = tree.place(entry);
        if (!place) continue;
        std::string name(place->ref.path.name());
        found.push_back({*std::move(place), std::move(name), std::move(entry.node)});
      }
      visit(found);
    }
  }

  const std::string drive_;
  const std::unique_ptr<Layout> from_, to_;
};

}  // namespace

std::variant<Conversion, StrayRows> convert_drive(
    table::Store& store, table::Ledger& ledger, const DriveInfo& drive, std::string_view to,
    const std::function<void(std::uint64_t)>& so_far) {
  Converter converter(drive, to);
  table::MeteredTable t(store.table(), ledger, "convert", [&] { return drive.name; });
  // What is open already must not be copied page by page for the sake of the step's savepoint.
  store.commit();
  Conversion done;
  {
    table::Store::Step step(store);
    if (converter.rewrite(t, so_far, done)) {
      const auto named = t.write(table::Update{.key = drive_key(drive.name),
                                               .set = {{"layout", std::string(to)}},
                                               .condition = table::item_exists()});
      if (!named.ok()) throw TableError(Fault::damaged, "the drive's item is gone");
      done.charge = t.charge();
      step.done();
      return done;
    }
  }
  return converter.strays(t);
}

}  // namespace prefixfs
