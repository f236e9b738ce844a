#include "table/key_range.h"

#include <gtest/gtest.h>

namespace table {
namespace {

bool contains(const KeyRange& range, std::string_view sk) {
  return sk >= range.low && (!range.high || sk < *range.high);
}

TEST(KeyRange, BelowAPrefixIsWhatBeginsWithIt) {
  const KeyRange range = below("PATH#/docs/");
  EXPECT_EQ(range, (KeyRange{"PATH#/docs/", "PATH#/docs0"}));
  EXPECT_TRUE(contains(range, "PATH#/docs/"));
  EXPECT_TRUE(contains(range, "PATH#/docs/\xff\xff"));
  EXPECT_FALSE(contains(range, "PATH#/docs"));
  EXPECT_FALSE(contains(range, "PATH#/docs-archive"));
  EXPECT_FALSE(contains(range, "PATH#/docs.txt"));
}

TEST(KeyRange, APrefixOfTheHighestBytesHasItsEndFurtherUp) {
  EXPECT_EQ(below("a\xff"), (KeyRange{"a\xff", "b"}));
  EXPECT_EQ(below("\xff\xff"), (KeyRange{"\xff\xff", std::nullopt}));
  EXPECT_EQ(below(""), (KeyRange{"", std::nullopt}));
  EXPECT_EQ(below("\x7f"), (KeyRange{"\x7f", "\x80"}));
}

TEST(KeyRange, NothingLiesBetweenAKeyAndItsSuccessor) {
  EXPECT_EQ(successor("a"), std::string("a\0", 2));
  EXPECT_LT("a", successor("a"));
  EXPECT_LT(successor("a"), "a!");
}

TEST(KeyRange, EveryCondition) {
  const auto matches = [](const SkCondition& condition, std::string_view sk) {
    return contains(range_of(condition), sk);
  };
  EXPECT_TRUE(matches(SkAll{}, ""));
  EXPECT_TRUE(matches(SkAll{}, "\xff\xff\xff"));
  EXPECT_TRUE(matches(SkBeginsWith{"b"}, "bz"));
  EXPECT_FALSE(matches(SkBeginsWith{"b"}, "c"));
  EXPECT_TRUE(matches(SkBetween{"b", "d"}, "b"));
  EXPECT_TRUE(matches(SkBetween{"b", "d"}, "d"));
  EXPECT_FALSE(matches(SkBetween{"b", "d"}, "d!"));
  for (const auto& [op, below, at, above] :
       {std::tuple{Compare::eq, false, true, false}, std::tuple{Compare::lt, true, false, false},
        std::tuple{Compare::le, true, true, false}, std::tuple{Compare::gt, false, false, true},
        std::tuple{Compare::ge, false, true, true}}) {
    EXPECT_EQ(matches(SkCompare{op, "b"}, "a~"), below);
    EXPECT_EQ(matches(SkCompare{op, "b"}, "b"), at);
    EXPECT_EQ(matches(SkCompare{op, "b"}, "b\x01"), above);
  }
}

TEST(KeyRange, AfterAPage) {
  const KeyRange range{"b", "d"};
  EXPECT_EQ(after(range, "c", Direction::forward), (KeyRange{successor("c"), "d"}));
  EXPECT_EQ(after(range, "a", Direction::forward), range);
  EXPECT_EQ(after(range, "c", Direction::backward), (KeyRange{"b", "c"}));
  EXPECT_EQ(after(range, "e", Direction::backward), range);
  EXPECT_EQ(after({"b", std::nullopt}, "c", Direction::backward), (KeyRange{"b", "c"}));
}

}  // namespace
}  // namespace table
