#include "fs/walk.h"

#include <gtest/gtest.h>

#include <functional>

#include "fs/drive_fixture.h"
#include "table/metered_table.h"

namespace prefixfs {
namespace {

class WalkTest : public DriveFixture {
 protected:
  // A tree of `fan` folders in each folder, `depth` levels, `files` files in the lowest.
  std::size_t grow(const std::string& path, int fan, int depth, int files) {
    std::size_t nodes = 0;
    for (int i = 0; i < (depth == 0 ? files : fan); ++i) {
      const std::string below = path + "/" + std::to_string(i);
      make(depth == 0 ? below : below + "/");
      nodes += 1 + (depth == 0 ? 0 : grow(below, fan, depth - 1, files));
    }
    return nodes;
  }

  // As find does: the whole listing of a folder, then each folder in it.
  std::size_t walk(const NodeRef& dir, const std::function<void(const NodeRef&)>& visit = {}) {
    std::size_t nodes = 0;
    std::vector<Entry> entries;
    std::string after;
    while (true) {
      auto page = drive->readdir(dir, after, 1000);
      EXPECT_TRUE(page);
      for (Entry& entry : page->entries) entries.push_back(std::move(entry));
      if (!page->more) break;
      after = page->last;
    }
    for (const Entry& entry : entries) {
      ++nodes;
      const NodeRef ref{entry.node.id, dir.id, dir.path.child(entry.name)};
      if (visit) visit(ref);
      if (entry.node.is_folder()) nodes += walk(ref, visit);
    }
    return nodes;
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, WalkTest, testing::Values("path"));

TEST_P(WalkTest, AWalkIsOneBranchReadAndAFewPages) {
  make("/top/");
  const std::size_t nodes = grow("/top", 4, 4, 30);
  ASSERT_EQ(nodes, 4u + 16u + 64u + 256u + 256u * 30u);
  const NodeRef top = at("/top");

  std::size_t branch_nodes = 0;
  const table::Charge branch = cost_of([&] {
    const auto reader = drive->branch(top);
    for (bool more = true; more;) {
      const BranchPage page = drive->next_page(*reader);
      branch_nodes += page.entries.size();
      more = page.more;
    }
  });
  ASSERT_EQ(branch_nodes, nodes);

  std::size_t walked = 0;
  const table::Charge cost = cost_of([&] { walked = walk(top); });
  EXPECT_EQ(walked, nodes);
  // Two listings by hopping show the walk (five seeks each: one and one per child folder), then
  // there is one short page before the whole ones.  One query per folder would be 341.
  EXPECT_EQ(cost.pages, 5u + 5u + 1u + branch.pages);
  EXPECT_LE(cost.items_read, branch.items_read + 2 * 5 * 17);
}

TEST_P(WalkTest, FindsAllInEveryShape) {
  for (const auto& [fan, depth, files] :
       {std::tuple(1, 40, 3), std::tuple(60, 1, 2), std::tuple(2, 8, 1), std::tuple(9, 2, 9)}) {
    const std::string top = "/t" + std::to_string(fan) + "-" + std::to_string(depth);
    make(top + "/");
    const std::size_t nodes = grow(top, fan, depth, files);
    EXPECT_EQ(walk(at(top)), nodes) << top;
    EXPECT_EQ(walk(at(top)), nodes) << top << " again";
  }
}

TEST_P(WalkTest, SeesWhatChangesOnTheWay) {
  make("/top/");
  grow("/top", 3, 3, 5);
  // Each folder reached gets a file before it is listed, and each file a new mode.
  std::size_t added = 0;
  const std::size_t walked = walk(at("/top"), [&](const NodeRef& ref) {
    const auto found = drive->getattr(ref);
    if (!found->is_folder()) return;
    ASSERT_TRUE(drive->create(ref, "added", {.mode = 0600}));
    ++added;
  });
  EXPECT_EQ(added, 3u + 9u + 27u);
  EXPECT_EQ(walked, 3u + 9u + 27u + 27u * 5u + added);
}

TEST_P(WalkTest, RemovingOnTheWayLeavesNothing) {
  make("/top/");
  grow("/top", 3, 3, 5);
  const std::function<void(const NodeRef&, const NodeRef&)> remove = [&](const NodeRef& dir,
                                                                         const NodeRef& parent) {
    const auto page = drive->readdir(dir, "", 1000);
    ASSERT_TRUE(page);
    for (const Entry& entry : page->entries) {
      if (entry.node.is_folder()) {
        remove({entry.node.id, dir.id, dir.path.child(entry.name)}, dir);
      } else {
        ASSERT_TRUE(drive->unlink(dir, entry.name, nobody_holds));
      }
    }
    ASSERT_TRUE(drive->rmdir(parent, dir.path.name(), nobody_holds)) << dir.path.text();
  };
  remove(at("/top"), root_ref());
  EXPECT_EQ(list("/"), std::vector<std::string>{});
}

TEST_P(WalkTest, ARenameOnTheWayIsSeen) {
  make("/top/");
  grow("/top", 3, 2, 4);
  bool renamed = false;
  const NodeRef top = at("/top");
  const std::size_t walked = walk(top, [&](const NodeRef& ref) {
    if (renamed || ref.path.text() != "/top/1/0") return;
    // What is to come moves away.
    ASSERT_TRUE(rename("/top/2/1", "/elsewhere"));
    renamed = true;
  });
  EXPECT_TRUE(renamed);
  EXPECT_EQ(walked, 3u + 9u + 9u * 4u - 5u);
}

TEST_P(WalkTest, ASingleListingReadsNothingAhead) {
  make("/top/");
  grow("/top", 5, 2, 40);
  const NodeRef top = at("/top"), child = at("/top/1");
  const table::Charge cost = cost_of([&] {
    ASSERT_TRUE(drive->readdir(top, "", 1000));
    ASSERT_TRUE(drive->readdir(child, "", 1000));
  });
  EXPECT_EQ(cost.queries, 2u * (1 + 5));
}

}  // namespace
}  // namespace prefixfs
