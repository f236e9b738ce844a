#include "fs/folder_places.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

constexpr NodeId kA{5}, kB{6};

TEST(FolderPlaces, ACookieIsTheNamesAlone) {
  EXPECT_EQ(cookie_of("a.txt"), cookie_of("a.txt"));
  EXPECT_NE(cookie_of("a.txt"), cookie_of("b.txt"));
  for (const char* name : {"", "a", "."}) {
    EXPECT_GT(cookie_of(name), kCookieDotDot);
    EXPECT_GT(static_cast<std::int64_t>(cookie_of(name)), 0);
  }
}

TEST(FolderPlaces, RemembersAPlacePerFolder) {
  FolderPlaces places;
  places.remember(kA, "x");
  EXPECT_EQ(places.name_of(kA, cookie_of("x")), "x");
  EXPECT_FALSE(places.name_of(kB, cookie_of("x")));
  EXPECT_FALSE(places.name_of(kA, cookie_of("y")));
  EXPECT_EQ(places.name_of(kB, kCookieDotDot), "");
}

TEST(FolderPlaces, TheOldestGo) {
  FolderPlaces places(2);
  for (const char* name : {"1", "2", "2", "3"}) places.remember(kA, name);
  EXPECT_FALSE(places.name_of(kA, cookie_of("1")));
  EXPECT_EQ(places.name_of(kA, cookie_of("2")), "2");
  EXPECT_EQ(places.name_of(kA, cookie_of("3")), "3");
}

}  // namespace
}  // namespace prefixfs
