#include "tools/comparison.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "fs/layout.h"
#include "tools/compared_tree.h"
#include "tools/failure.h"
#include "tools/figures.h"
#include "tools/progress.h"
#include "tools/scratch_drive.h"

namespace prefixfs {
namespace {

using Clock = std::chrono::steady_clock;

// A value that is not at least a tenth smaller than another is not called faster: on a busy machine
// it would be noise.
constexpr double kDistinct = 0.9;

template <class Of>
std::vector<bool> smallest(const std::vector<Measured>& layouts, double distinct, Of of) {
  std::vector<double> values;
  for (const Measured& layout : layouts) values.push_back(of(layout));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<bool> marks;
  for (const double value : values) {
    marks.push_back(*low < *high * distinct && value * distinct <= *low);
  }
  return marks;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
T must(Result<T> result, std::string_view operation) {
  if (!result) throw Failure(operation, result.error());
  return *std::move(result);
}

class Comparer {
 public:
  Comparer(const ComparisonOptions& options, Io& io) : options_(options), progress_(io) {
    for (const std::string_view layout : kLayoutNames) {
      progress_.doing("making the tree, layout " + std::string(layout));
      drives_.push_back(make_scratch_drive(layout));
      DriveSession& session = *drives_.back();
      if (options.source) {
        progress_.wipe();
        tree_ = import_compared_tree(session, *options.source, options.sizes, io);
      } else {
        tree_ = make_compared_tree(session, options.sizes);
      }
    }
  }

  Comparison run() {
    reads();
    changes();
    removals();
    return {.tree = options_.source ? *options_.source : "a made tree",
            .nodes = tree_.nodes,
            .rounds = options_.rounds,
            .operations = std::move(operations_)};
  }

 private:
  void reads() {
    const std::string deepest = tree_.deepest.text();
    const auto depth = std::count(deepest.begin(), deepest.end(), '/');
    measure(
        "resolve a path " + std::to_string(depth) + " deep", {},
        [&](DriveSession& s, std::size_t) { must(s.drive().resolve(tree_.deepest), "resolve"); });
    measure("list the names in a folder", tree_.listed_nodes, listing(Detail::names));
    measure("list a folder with attributes", tree_.listed_nodes, listing(Detail::nodes));
    for (const ComparedTree::Folder& folder : tree_.folders) {
      const auto refs = locate(folder.path);
      measure("read a whole branch", folder.below, [&](DriveSession& s, std::size_t i) {
        const auto reader = s.drive().branch(refs[i]);
        while (s.drive().next_page(*reader).more) continue;
      });
    }
  }

  void changes() {
    const auto listed = locate(tree_.listed);
    // A new name each time: only the first would meet a folder without it.
    const auto name = [](std::size_t n) { return "prefixfs-new" + std::to_string(n); };
    std::vector<std::size_t> made(drives_.size());
    measure("create a file", {}, [&](DriveSession& s, std::size_t i) {
      must(s.drive().create(listed[i], name(made[i]++), {.mode = 0644}), "create");
    });
    for (std::size_t i = 0; i < drives_.size(); ++i) {
      while (made[i] > 0) {
        must(drives_[i]->drive().unlink(listed[i], name(--made[i]), nobody_holds), "remove");
      }
    }
    rename("rename a file", {}, tree_.file);
    for (const ComparedTree::Folder& folder : tree_.folders) {
      rename("rename a folder", folder.below, folder.path);
    }
  }

  void removals() {
    // The largest holds the others where the tree is the user's own: from the smallest on, and one
    // that is inside another is not counted again.
    for (const ComparedTree::Folder& folder : tree_.folders) {
      if (options_.source && &folder != &tree_.folders.back()) continue;
      const auto refs = locate(folder.path);
      measure_once("delete a tree", folder.below, [&](DriveSession& s, std::size_t i) {
        must(s.drive().remove_tree(refs[i]), "delete");
      });
    }
  }

  std::function<void(DriveSession&, std::size_t)> listing(Detail detail) {
    return [refs = locate(tree_.listed), detail](DriveSession& s, std::size_t i) {
      std::string after;
      while (true) {
        const ListPage page = must(s.drive().readdir(refs[i], after, 1000, detail), "list");
        if (!page.more) return;
        after = page.last;
      }
    };
  }

  // To a name of the same length and back, so that keys stay as long as they were.
  void rename(const std::string& operation, std::optional<std::uint64_t> n, const Path& path) {
    const auto folders = locate(path.parent());
    const std::string first(path.name());
    std::string second = first;
    for (char last : {'x', 'y', 'z'}) {
      second.back() = last;
      if (second != first && !drives_.front()->drive().resolve(path.parent().child(second))) break;
    }
    std::vector<bool> moved(drives_.size());
    const auto swap_names = [&](DriveSession& s, std::size_t i) {
      const std::string& from = moved[i] ? second : first;
      const std::string& to = moved[i] ? first : second;
      must(s.drive().rename(folders[i], from, folders[i], to, RenameMode::no_replace, nobody_holds),
           "rename");
      moved[i] = !moved[i];
    };
    measure(operation, n, swap_names);
    // As it was, for what comes next.
    for (std::size_t i = 0; i < drives_.size(); ++i) {
      if (moved[i]) swap_names(*drives_[i], i);
    }
  }

  std::vector<NodeRef> locate(const Path& path) {
    std::vector<NodeRef> refs;
    for (const auto& session : drives_) refs.push_back(session->locate(path).ref);
    return refs;
  }

  using Call = std::function<void(DriveSession&, std::size_t layout)>;

  void measure(const std::string& operation, std::optional<std::uint64_t> n, const Call& call) {
    measure(operation, n, call, options_.rounds);
  }
  void measure_once(const std::string& operation, std::optional<std::uint64_t> n,
                    const Call& call) {
    measure(operation, n, call, 1);
  }
  void measure(const std::string& operation, std::optional<std::uint64_t> n, const Call& call,
               std::size_t rounds) {
    progress_.doing(operation + (n ? " (" + grouped(*n) + ")" : ""));
    ComparedOperation compared{.operation = operation, .n = n, .layouts = {}};
    compared.layouts.resize(drives_.size());
    std::vector<std::vector<double>> seconds(drives_.size());
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < drives_.size(); ++i) {
        DriveSession& session = *drives_[i];
        session.drive().forget_cached();
        const table::Charge before = session.ledger().total().charge;
        const auto start = Clock::now();
        call(session, i);
        session.store().commit();
        seconds[i].push_back(std::chrono::duration<double>(Clock::now() - start).count());
        table::Charge charge = session.ledger().total().charge;
        charge -= before;
        // Once in so many creations ids are reserved: that round asks for more than the others.
        table::Charge& least = compared.layouts[i].charge;
        if (round == 0 || charge.requests < least.requests) least = charge;
      }
    }
    for (std::size_t i = 0; i < drives_.size(); ++i) {
      compared.layouts[i].seconds = median(std::move(seconds[i]));
    }
    operations_.push_back(std::move(compared));
  }

  const ComparisonOptions& options_;
  Progress progress_;
  std::vector<std::unique_ptr<DriveSession>> drives_;  // in the order of kLayoutNames
  ComparedTree tree_;
  std::vector<ComparedOperation> operations_;
};

}  // namespace

std::vector<bool> ComparedOperation::cheapest(const Prices& prices) const {
  return smallest(layouts, 1, [&](const Measured& m) {
    return prices.usd(m.charge.read_units, m.charge.write_units);
  });
}

std::vector<bool> ComparedOperation::fewest_requests() const {
  return smallest(layouts, 1,
                  [](const Measured& m) { return static_cast<double>(m.charge.requests); });
}

std::vector<bool> ComparedOperation::fastest() const {
  return smallest(layouts, kDistinct, [](const Measured& m) { return m.seconds; });
}

Comparison compare_layouts(const ComparisonOptions& options, Io& io) {
  return Comparer(options, io).run();
}

}  // namespace prefixfs
