#include "tools/compared_tree.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "fs/keys.h"
#include "fs/node_item.h"
#include "tools/failure.h"
#include "tools/import.h"

namespace prefixfs {
namespace {

constexpr std::size_t kItemBytes = 100;
constexpr std::uint64_t kGroup = 50;  // a folder and the files in it
constexpr int kDepth = 8;
constexpr std::size_t kBatch = 1000;  // rows written at once

std::string folder_name(std::size_t i) { return std::to_string(i); }

// A whole number of seconds that is billed with so many bytes, as a time of a node.
std::int64_t seconds_of_bytes(std::size_t bytes) {
  std::int64_t seconds = 0;
  for (std::size_t i = 1; i < bytes; ++i) seconds = seconds * 100 + 11;
  return seconds;
}

// Writes nodes straight through the layout: what a drive would have done for each of them is not
// what is compared.
class Maker {
 public:
  explicit Maker(DriveSession& session)
      : session_(session),
        layout_(session.drive().layout()),
        pk_(drive_pk(session.drive().name())) {}

  struct Made {
    NodeRef ref;
    Node node;
  };

  // `folders`: how many folders it is going to hold.
  Made folder(const NodeRef& dir, const std::string& name, std::uint64_t folders) {
    return node(dir, name, {.kind = Kind::folder, .mode = 0755, .folders = folders});
  }
  void file(const NodeRef& dir, const std::string& name) {
    node(dir, name, {.kind = Kind::file, .mode = 0644});
  }

  void finish(std::uint64_t folders_of_root) {
    layout_.update(batch_, root_ref(), {.add = {{"folders", table::Number(folders_of_root)}}});
    write();
    session_.store().sync();
  }

 private:
  Made node(const NodeRef& dir, const std::string& name, Node node) {
    node.owner = "ann";
    node.group = "ann";
    node.id = ids_.next(session_.store().table());
    pad(node, dir.path.child(name));
    layout_.add(batch_, dir, name, node);
    if (batch_.size() >= kBatch) write();
    return {{node.id, dir.id, dir.path.child(name)}, node};
  }

  // Times take what is missing to the size wanted; those that are larger stay so.
  void pad(Node& node, const Path& path) const {
    const std::size_t bytes =
        table::billed_bytes(pk_, path_key(session_.drive().name(), path).sk, encode_node(node));
    std::size_t missing = kItemBytes - std::min(kItemBytes, bytes);
    for (Time* time : {&node.mtime, &node.ctime, &node.atime, &node.btime}) {
      const std::size_t here = std::min<std::size_t>(missing, 5);
      time->sec = seconds_of_bytes(1 + here);
      missing -= here;
    }
  }

  void write() {
    if (batch_.empty()) return;
    if (!session_.store().table().apply(batch_).ok()) {
      throw Failure("compare", "the tree cannot be made");
    }
    batch_.clear();
    session_.store().commit();
  }

  DriveSession& session_;
  const Layout& layout_;
  const std::string pk_;
  IdSource ids_;
  table::Batch batch_;
};

void make_below(Maker& maker, const NodeRef& folder, std::uint64_t nodes) {
  for (std::uint64_t made = 0; made < nodes; made += kGroup) {
    const NodeRef group = maker.folder(folder, std::to_string(made / kGroup), 0).ref;
    const std::uint64_t files = std::min(kGroup, nodes - made) - 1;
    for (std::uint64_t i = 0; i < files; ++i) maker.file(group, std::to_string(i));
  }
}

// What is found by looking through an imported tree.
class Survey {
 public:
  Survey(DriveSession& session, const Located& root) : root_(root.ref.path) {
    folders_[""] = {};
    const auto reader = session.drive().branch(root.ref);
    while (true) {
      const BranchPage page = session.drive().next_page(*reader);
      for (const BranchEntry& entry : page.entries) see(entry);
      if (!page.more) break;
    }
  }

  ComparedTree tree(const std::string& source, const std::vector<std::uint64_t>& sizes) const {
    if (!file_) throw Failure(source, "holds no file to compare with");
    ComparedTree tree{.listed = path(most_children()),
                      .deepest = path(deepest_),
                      .file = path(*file_),
                      .nodes = nodes_};
    tree.listed_nodes = folders_.at(most_children()).children;
    std::vector<std::string> chosen{""};
    for (const std::uint64_t size : sizes) chosen.push_back(nearest(size));
    std::sort(chosen.begin(), chosen.end(), [this](const auto& a, const auto& b) {
      return std::pair(folders_.at(a).below, a) < std::pair(folders_.at(b).below, b);
    });
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const std::string& below : chosen) {
      tree.folders.push_back({path(below), folders_.at(below).below});
    }
    return tree;
  }

 private:
  struct Counts {
    std::uint64_t children = 0;
    std::uint64_t below = 0;
  };

  void see(const BranchEntry& entry) {
    ++nodes_;
    if (entry.node.is_folder()) folders_.try_emplace(entry.below);
    if (entry.node.is_file() && !file_) file_ = entry.below;
    const auto depth = std::count(entry.below.begin(), entry.below.end(), '/');
    if (deepest_.empty() || depth > depth_) {
      deepest_ = entry.below;
      depth_ = depth;
    }
    bool parent = true;
    for (std::string_view rest = entry.below; !rest.empty(); parent = false) {
      const std::size_t slash = rest.rfind('/');
      rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
      Counts& counts = folders_[std::string(rest)];
      ++counts.below;
      if (parent) ++counts.children;
    }
  }

  const std::string& most_children() const {
    return std::max_element(
               folders_.begin(), folders_.end(),
               [](const auto& a, const auto& b) { return a.second.children < b.second.children; })
        ->first;
  }

  // By ratio: 40 is nearer to 50 than 70 is.
  const std::string& nearest(std::uint64_t size) const {
    const auto distance = [size](const Counts& counts) {
      return std::abs(
          std::log((static_cast<double>(counts.below) + 0.5) / (static_cast<double>(size) + 0.5)));
    };
    return std::min_element(folders_.begin(), folders_.end(),
                            [&](const auto& a, const auto& b) {
                              return distance(a.second) < distance(b.second);
                            })
        ->first;
  }

  Path path(const std::string& below) const {
    return below.empty() ? root_ : *Path::parse(root_.text() + "/" + below);
  }

  const Path root_;
  std::map<std::string, Counts, std::less<>> folders_;  // by their path below the root
  std::optional<std::string> file_;
  std::string deepest_;
  std::ptrdiff_t depth_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace

ComparedTree make_compared_tree(DriveSession& session, const std::vector<std::uint64_t>& sizes) {
  assert(std::is_sorted(sizes.begin(), sizes.end()) && sizes.size() <= 10);
  Maker maker(session);
  ComparedTree tree;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::uint64_t groups = (sizes[i] + kGroup - 1) / kGroup;
    const NodeRef folder = maker.folder(root_ref(), folder_name(i), groups).ref;
    make_below(maker, folder, sizes[i]);
    tree.folders.push_back({folder.path, sizes[i]});
    tree.nodes += sizes[i] + 1;
  }

  const NodeRef list = maker.folder(root_ref(), "list", 0).ref;
  for (std::uint64_t i = 0; i < kGroup; ++i) maker.file(list, std::to_string(i));
  tree.listed = list.path;
  tree.listed_nodes = kGroup;
  tree.file = list.path.child("0");

  NodeRef deep = root_ref();
  for (int i = 1; i < kDepth; ++i) deep = maker.folder(deep, "deep", i < kDepth - 1 ? 1 : 0).ref;
  maker.file(deep, "file");
  tree.deepest = deep.path.child("file");

  tree.nodes += 1 + kGroup + kDepth;
  maker.finish(sizes.size() + 2);
  return tree;
}

ComparedTree import_compared_tree(DriveSession& session, const std::string& source,
                                  const std::vector<std::uint64_t>& sizes, Io& io) {
  const Path to = *Path::parse("/tree");
  // With a slash, a symlink to a folder is that folder; a file is no tree.
  if (import_tree({.source = source + "/"}, session, io, to) != ExitStatus::ok) {
    throw Failure(source, "was not copied whole, so there is nothing to compare");
  }
  return Survey(session, session.locate(to)).tree(source, sizes);
}

}  // namespace prefixfs
