#include "fs/inode_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace prefixfs {
namespace {

constexpr NodeId kA{10}, kB{11}, kC{12};

class InodeTableTest : public testing::Test {
 protected:
  std::string path(NodeId id) {
    const auto ref = inodes.find(id);
    return ref ? ref->path.text() : "stale";
  }
  InodeTable inodes;
};

TEST_F(InodeTableTest, KnowsTheRootForEver) {
  EXPECT_EQ(path(kRootId), "/");
  EXPECT_FALSE(inodes.forget(kRootId, 1'000'000));
  EXPECT_EQ(path(kRootId), "/");
}

TEST_F(InodeTableTest, RenamingAFolderMovesAllPathsBelow) {
  inodes.remember(kA, kRootId, "a");
  inodes.remember(kB, kA, "b");
  inodes.remember(kC, kB, "c");
  EXPECT_EQ(path(kC), "/a/b/c");
  inodes.moved(kA, {kRootId, ""}, {kRootId, "z"});
  EXPECT_EQ(path(kC), "/z/b/c");
  inodes.moved(kB, {kRootId, ""}, {kRootId, "b"});
  EXPECT_EQ(path(kC), "/b/c");
}

TEST_F(InodeTableTest, AMarkStaysAsLongAsTheEntry) {
  inodes.remember(kA, kRootId, "a", 7);
  inodes.remember(kA, kRootId, "a", 8);
  EXPECT_EQ(inodes.mark(kA), 7u);
  inodes.set_mark(kA, 0);
  inodes.remember(kA, kRootId, "a", 8);
  EXPECT_EQ(inodes.mark(kA), 0u);
  inodes.forget(kA, 3);
  EXPECT_EQ(inodes.mark(kA), 0u);
  inodes.remember(kA, kRootId, "a", 9);
  EXPECT_EQ(inodes.mark(kA), 9u);
}

TEST_F(InodeTableTest, EachLookupIsForgottenByItself) {
  inodes.remember(kA, kRootId, "a");
  inodes.remember(kA, kRootId, "a");
  EXPECT_FALSE(inodes.forget(kA, 1));
  EXPECT_EQ(path(kA), "/a");
  EXPECT_FALSE(inodes.forget(kA, 1));
  EXPECT_EQ(inodes.find(kA).error(), std::errc(ESTALE));
}

TEST_F(InodeTableTest, ParentsStayWhileSomethingBelowIsHeld) {
  inodes.remember(kA, kRootId, "a");
  inodes.remember(kB, kA, "b");
  inodes.forget(kA, 1);
  EXPECT_EQ(path(kB), "/a/b");
  EXPECT_FALSE(inodes.holds(kA));
  inodes.forget(kB, 1);
  EXPECT_EQ(inodes.size(), 1u);  // the root
}

TEST_F(InodeTableTest, TellsOfTheLastHoldOnADetachedNode) {
  inodes.remember(kA, kRootId, "a");
  inodes.remember(kA, kRootId, "a");
  EXPECT_TRUE(inodes.detached(kA));
  EXPECT_FALSE(inodes.forget(kA, 1));
  EXPECT_TRUE(inodes.forget(kA, 1));
  EXPECT_FALSE(inodes.detached(kB));
}

TEST_F(InodeTableTest, MovesOutOfAFolderThatThenIsForgotten) {
  inodes.remember(kA, kRootId, "a");
  inodes.remember(kB, kA, "b");
  inodes.moved(kB, {kRootId, ""}, {kRootId, "b"});
  inodes.forget(kA, 1);
  EXPECT_FALSE(inodes.holds(kA));
  EXPECT_EQ(inodes.size(), 2u);
  EXPECT_EQ(path(kB), "/b");
}

// ---- Nodes with several names ----

class InodeNamesTest : public InodeTableTest {
 protected:
  InodeNamesTest() {
    inodes.remember(kA, kRootId, "a");
    inodes.remember(kB, kRootId, "b");
  }
  void see(NodeId parent, std::string_view name) {
    inodes.remember(kC, parent, name, 0, Names::several);
  }
  std::string other(NodeId parent, std::string_view name) {
    const auto ref = inodes.other_name(kC, {parent, name});
    return ref ? ref->path.text() : "unknown";
  }
  std::vector<std::string> known() {
    std::vector<std::string> names;
    inodes.for_each([&](NodeId id, NodeId, const std::string& name) {
      if (id == kC) names.push_back(name);
    });
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(InodeNamesTest, AllThatWereSeenAreKept) {
  see(kA, "x");
  see(kB, "y");
  see(kA, "x");
  EXPECT_EQ(known(), (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(inodes.find(kC)->shared);
  EXPECT_FALSE(inodes.find(kA)->shared);
  EXPECT_EQ(other(kA, "x"), "/b/y");
  EXPECT_EQ(other(kB, "y"), "/a/x");
  see(kRootId, "z");
  EXPECT_EQ(other(kA, "x"), "unknown");
}

TEST_F(InodeNamesTest, ALostNameIsNoneAnyMore) {
  see(kA, "x");
  see(kB, "y");
  inodes.lost_name(kC, {kA, "x"}, Names::several);
  EXPECT_EQ(known(), std::vector<std::string>{"y"});
  EXPECT_EQ(path(kC), "/b/y");
  // There may be names that the kernel never asked for.
  inodes.lost_name(kC, {kB, "y"}, Names::several);
  EXPECT_EQ(path(kC), "/b/y");
  EXPECT_TRUE(inodes.find(kC)->shared);
  EXPECT_EQ(other(kA, "x"), "unknown");
  see(kA, "new");
  EXPECT_EQ(known(), std::vector<std::string>{"new"});
  EXPECT_EQ(other(kA, "x"), "/a/new");
}

TEST_F(InodeNamesTest, TheOneThatIsLeftIsOneAgain) {
  see(kA, "x");
  see(kB, "y");
  inodes.lost_name(kC, {kA, "x"}, Names::one);
  EXPECT_EQ(path(kC), "/b/y");
  EXPECT_FALSE(inodes.find(kC)->shared);
}

TEST_F(InodeNamesTest, OneOfThemMoves) {
  see(kA, "x");
  see(kB, "y");
  inodes.moved(kC, {kB, "y"}, {kRootId, "z"}, Names::several);
  EXPECT_EQ(known(), (std::vector<std::string>{"x", "z"}));
  inodes.moved(kC, {kA, "x"}, {kB, "w"}, Names::several);
  EXPECT_EQ(known(), (std::vector<std::string>{"w", "z"}));
  // One that was never seen here is under its new name.
  inodes.moved(kC, {kA, "unseen"}, {kA, "seen"}, Names::several);
  EXPECT_EQ(known(), (std::vector<std::string>{"seen", "w", "z"}));
}

TEST_F(InodeNamesTest, FoundAsOneItHasThatName) {
  see(kA, "x");
  see(kB, "y");
  inodes.remember(kC, kRootId, "z");
  EXPECT_EQ(known(), std::vector<std::string>{"z"});
  EXPECT_FALSE(inodes.find(kC)->shared);
}

TEST_F(InodeNamesTest, EachNameKeepsItsFolder) {
  see(kA, "x");
  see(kB, "y");
  inodes.forget(kA, 1);
  inodes.forget(kB, 1);
  EXPECT_EQ(other(kA, "x"), "/b/y");
  EXPECT_EQ(other(kB, "y"), "/a/x");
  inodes.lost_name(kC, {kA, "x"}, Names::several);
  EXPECT_EQ(path(kA), "stale");
  inodes.forget(kC, 2);
  EXPECT_EQ(inodes.size(), 1u);
}

}  // namespace
}  // namespace prefixfs
