#include "fs/fuse_absent.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

constexpr NodeId kA{5}, kB{6};

TEST(AbsentNames, TakesBackWhatWasHandedOut) {
  AbsentNames absent;
  EXPECT_TRUE(absent.add(kA, "x"));
  EXPECT_TRUE(absent.add(kA, "x"));
  EXPECT_TRUE(absent.add(kB, "x"));
  EXPECT_EQ(absent.take().size(), 2u);
  EXPECT_TRUE(absent.take().empty());
  EXPECT_FALSE(absent.any_below(kA));
}

TEST(AbsentNames, IsBounded) {
  AbsentNames absent(2);
  EXPECT_TRUE(absent.add(kA, "1"));
  EXPECT_TRUE(absent.add(kB, "2"));
  EXPECT_FALSE(absent.add(kA, "3"));
  EXPECT_TRUE(absent.add(kA, "1"));  // known already
  EXPECT_EQ(absent.take().size(), 2u);
  EXPECT_TRUE(absent.add(kA, "3"));
}

TEST(AbsentNames, AForgottenFolderMakesRoom) {
  AbsentNames absent(2);
  EXPECT_TRUE(absent.add(kA, "1"));
  EXPECT_TRUE(absent.add(kA, "2"));
  absent.forget(kA);
  EXPECT_FALSE(absent.any_below(kA));
  EXPECT_TRUE(absent.add(kB, "1"));
  EXPECT_TRUE(absent.add(kB, "2"));
  EXPECT_FALSE(absent.add(kB, "3"));
}

}  // namespace
}  // namespace prefixfs
