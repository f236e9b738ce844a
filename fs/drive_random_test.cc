// Thousands of random operations on a drive and on a plain model in memory: every result, every
// errno and, now and then, the whole tree must agree.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "fs/drive_fixture.h"

namespace prefixfs {
namespace {

// A file system as the simplest thing that could be one: nodes that own their children.
struct ModelNode {
  bool folder = false;
  std::string content;
  std::uint32_t mode = 0;
  std::uint32_t links = 1;  // of a file
  std::map<std::string, std::shared_ptr<ModelNode>> children;
};
using ModelPtr = std::shared_ptr<ModelNode>;

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) names.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return names;
}

class Model {
 public:
  ModelPtr find(std::string_view path) const {
    ModelPtr at = root_;
    for (const std::string& name : split(path)) {
      const auto it = at->children.find(name);
      if (it == at->children.end()) return nullptr;
      at = it->second;
    }
    return at;
  }
  static bool below(const ModelPtr& top, const ModelPtr& node) {
    if (top == node) return true;
    for (const auto& [name, child] : top->children) {
      if (below(child, node)) return true;
    }
    return false;
  }

  std::errc create(const ModelPtr& dir, const std::string& name, bool folder, std::uint32_t mode) {
    if (!dir->folder) return std::errc::not_a_directory;
    if (dir->children.contains(name)) return std::errc::file_exists;
    dir->children[name] = std::make_shared<ModelNode>(ModelNode{folder, "", mode, 1, {}});
    return {};
  }
  std::errc unlink(const ModelPtr& dir, const std::string& name) {
    const auto it = dir->children.find(name);
    if (it == dir->children.end()) return std::errc::no_such_file_or_directory;
    if (it->second->folder) return std::errc::is_a_directory;
    --it->second->links;
    dir->children.erase(it);
    return {};
  }
  std::errc rmdir(const ModelPtr& dir, const std::string& name) {
    const auto it = dir->children.find(name);
    if (it == dir->children.end()) return std::errc::no_such_file_or_directory;
    if (!it->second->folder) return std::errc::not_a_directory;
    if (!it->second->children.empty()) return std::errc::directory_not_empty;
    dir->children.erase(it);
    return {};
  }
  std::errc rename(const ModelPtr& from_dir, const std::string& from, const ModelPtr& to_dir,
                   const std::string& to, RenameMode mode) {
    const auto it = from_dir->children.find(from);
    if (it == from_dir->children.end()) return std::errc::no_such_file_or_directory;
    const ModelPtr node = it->second;
    const auto there = to_dir->children.find(to);
    const ModelPtr target = there == to_dir->children.end() ? nullptr : there->second;
    const bool exchange = mode == RenameMode::exchange;
    if (!target && exchange) return std::errc::no_such_file_or_directory;
    if (target && mode == RenameMode::no_replace) return std::errc::file_exists;
    if (target == node) return {};
    if (node->folder && below(node, to_dir)) return std::errc::invalid_argument;
    if (target && target->folder && below(target, from_dir)) {
      return exchange ? std::errc::invalid_argument : std::errc::directory_not_empty;
    }
    if (target && !exchange) {
      if (!node->folder && target->folder) return std::errc::is_a_directory;
      if (node->folder && !target->folder) return std::errc::not_a_directory;
      if (node->folder && !target->children.empty()) return std::errc::directory_not_empty;
    }
    if (exchange) {
      from_dir->children[from] = target;
    } else {
      if (target) --target->links;
      from_dir->children.erase(from);
    }
    to_dir->children[to] = node;
    return {};
  }
  std::errc link(const ModelPtr& node, const ModelPtr& dir, const std::string& name) {
    if (node->folder) return std::errc::operation_not_permitted;
    if (dir->children.contains(name)) return std::errc::file_exists;
    dir->children[name] = node;
    ++node->links;
    return {};
  }
  // All names of a node but one.
  std::vector<std::string> other_names(const ModelPtr& node, const std::string& but) const {
    std::vector<std::string> paths;
    find_names(root_, "", node, paths);
    std::erase(paths, but);
    return paths;
  }
  const ModelPtr& root() const { return root_; }

 private:
  static void find_names(const ModelPtr& folder, const std::string& path, const ModelPtr& node,
                         std::vector<std::string>& paths) {
    for (const auto& [name, child] : folder->children) {
      if (child == node) paths.push_back(path + "/" + name);
      find_names(child, path + "/" + name, node, paths);
    }
  }

  ModelPtr root_ = std::make_shared<ModelNode>(ModelNode{true, "", 0755, 1, {}});
};

class DriveRandomTest : public DriveFixture {
 protected:
  std::string any_path() {
    // Names that sort before, at and after '/', some one another's prefix.
    static const std::vector<std::string> names = {"a", "a-", "a!", "a.b", "a0", "b", "ab", "\xff"};
    std::string path;
    for (std::uint64_t depth = random() % 4; depth > 0; --depth) {
      path += "/" + names[random() % names.size()];
    }
    return path.empty() ? "/" : path;
  }
  std::string any_path_but_root() {
    std::string path;
    do path = any_path();
    while (path == "/");
    return path;
  }

  void compare_trees(const std::string& path, const ModelPtr& expected) {
    std::vector<std::string> names;
    for (const auto& [name, child] : expected->children) names.push_back(name);
    std::vector<std::string> listed = list(path, 1 + random() % 5);
    std::sort(listed.begin(), listed.end());
    ASSERT_EQ(listed, names) << path;
    std::uint64_t folders = 0;
    for (const auto& [name, child] : expected->children) {
      const std::string below = path == "/" ? "/" + name : path + "/" + name;
      const Node found = node(below);
      folders += child->folder ? 1 : 0;
      ASSERT_EQ(found.is_folder(), child->folder) << below;
      ASSERT_EQ(found.mode, child->mode) << below;
      if (!child->folder) {
        ASSERT_EQ(found.links, child->links) << below;
      }
      if (child->folder) {
        compare_trees(below, child);
      } else {
        ASSERT_EQ(content(below), child->content) << below;
      }
    }
    ASSERT_EQ(node(path).folders, folders) << path;
  }

  void step(int index);

  Model model;
  std::mt19937_64 random;
};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveRandomTest, kLayouts);

void DriveRandomTest::step(int index) {
  const std::string path = any_path_but_root();
  const Path parsed = *Path::parse(path);
  const std::string parent = parsed.parent().text();
  const std::string name(parsed.name());
  const ModelPtr dir = model.find(parent);
  if (!dir) {
    EXPECT_FALSE(exists(parent)) << index;
    return;
  }
  const auto same = [&](auto result, std::errc expected, std::string_view what) {
    ASSERT_EQ(result ? std::errc{} : result.error(), expected)
        << "operation " << index << ": " << what << " " << path;
  };
  switch (random() % 11) {
    case 0:
    case 1:
    case 2: {
      const bool folder = random() % 2 == 0;
      const auto mode = static_cast<std::uint32_t>(random() % 01000);
      same(drive->create(at(parent), name,
                         {.kind = folder ? Kind::folder : Kind::file, .mode = mode}),
           model.create(dir, name, folder, mode), "create");
      break;
    }
    case 3:
      if (!dir->folder) break;
      {
        // As a mount does that knows where the last name is, or does not.
        const ModelPtr node = model.find(path);
        const auto others = node ? model.other_names(node, path) : std::vector<std::string>{};
        const bool known = others.size() == 1 && random() % 2 == 0;
        const Held held(nobody_holds, [&](const NodeRef&) {
          return known ? std::optional(at(others[0])) : std::nullopt;
        });
        same(unlink(path, held), model.unlink(dir, name), "unlink");
      }
      break;
    case 10: {
      const ModelPtr from = model.find(path);
      const std::string to = any_path_but_root();
      const Path to_path = *Path::parse(to);
      const ModelPtr to_dir = model.find(to_path.parent().text());
      if (!from || !to_dir || !to_dir->folder) break;
      same(drive->link(at(path), at(to_path.parent().text()), to_path.name()),
           model.link(from, to_dir, std::string(to_path.name())), "link to " + to + " of");
      break;
    }
    case 4:
      if (!dir->folder) break;
      same(rmdir(path), model.rmdir(dir, name), "rmdir");
      break;
    case 5:
    case 6: {
      const std::string to = any_path_but_root();
      const Path to_path = *Path::parse(to);
      const ModelPtr to_dir = model.find(to_path.parent().text());
      if (!to_dir || !to_dir->folder || !dir->folder) break;
      const auto mode = static_cast<RenameMode>(random() % 3);
      same(rename(path, to, mode),
           model.rename(dir, name, to_dir, std::string(to_path.name()), mode),
           "rename to " + to + " of");
      break;
    }
    case 7:
    case 8: {
      const ModelPtr file = model.find(path);
      if (!file || file->folder) break;
      const std::uint64_t offset = random() % 5 == 0 ? random() % 200'000 : random() % 100;
      const std::string data(random() % 3 == 0 ? random() % 70'000 : random() % 20,
                             static_cast<char>('a' + random() % 26));
      put(path, data, offset);
      if (data.empty()) break;
      if (file->content.size() < offset) file->content.resize(offset);
      file->content.replace(offset, data.size(), data);
      break;
    }
    default: {
      const ModelPtr file = model.find(path);
      if (!file || file->folder) break;
      const std::uint64_t size = random() % 2 == 0 ? random() % 200'000 : random() % 50;
      ASSERT_TRUE(drive->setattr(at(path), {.size = size}));
      file->content.resize(size);
    }
  }
}

TEST_P(DriveRandomTest, AgreesWithTheModel) {
  constexpr int kOperations = 6000;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random.seed(seed);
    for (int i = 0; i < kOperations; ++i) {
      step(i);
      if (HasFatalFailure()) return;
      if (i % 500 == 499) {
        compare_trees("/", model.root());
        if (HasFatalFailure()) return;
      }
      if (i % 2000 == 1999) reopen();
    }
    // Nothing but the blocks of files with content is left in the store.
    for (const auto& [name, child] : model.root()->children) {
      ASSERT_TRUE(drive->remove_tree(at("/" + name)));
    }
    model = Model();
    EXPECT_EQ(list("/"), std::vector<std::string>{});
    EXPECT_EQ(store->stats().blocks, 0u);
  }
}

}  // namespace
}  // namespace prefixfs
