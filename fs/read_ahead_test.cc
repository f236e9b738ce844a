#include "fs/read_ahead.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

constexpr NodeId kA{5}, kB{6};

Listing stopped(NodeId folder, std::uint64_t cookie, std::string after) {
  return {.folder = folder, .cookie = cookie, .after = std::move(after), .read = true};
}

TEST(ReadAhead, GivesAListingToWhoGoesOnThere) {
  ReadAhead ahead;
  ahead.put(stopped(kA, 7, "x"));
  EXPECT_FALSE(ahead.take(kA, 8).read);
  EXPECT_FALSE(ahead.take(kB, 7).read);
  EXPECT_EQ(ahead.take(kA, 7).after, "x");
  EXPECT_FALSE(ahead.take(kA, 7).read);  // it was the only one
}

TEST(ReadAhead, TheOldestGo) {
  ReadAhead ahead(2);
  for (const std::uint64_t cookie : {7, 8, 9}) ahead.put(stopped(kA, cookie, "x"));
  EXPECT_FALSE(ahead.take(kA, 7).read);
  EXPECT_TRUE(ahead.take(kA, 8).read);
  EXPECT_TRUE(ahead.take(kA, 9).read);
}

}  // namespace
}  // namespace prefixfs
