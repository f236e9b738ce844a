#include "fs/inode_table.h"

#include <gtest/gtest.h>

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
  inodes.moved(kA, kRootId, "z");
  EXPECT_EQ(path(kC), "/z/b/c");
  inodes.moved(kB, kRootId, "b");
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
  inodes.moved(kB, kRootId, "b");
  inodes.forget(kA, 1);
  EXPECT_FALSE(inodes.holds(kA));
  EXPECT_EQ(inodes.size(), 2u);
  EXPECT_EQ(path(kB), "/b");
}

}  // namespace
}  // namespace prefixfs
