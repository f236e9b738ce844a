#include "tools/location.h"

#include <gtest/gtest.h>

#include "tools/failure.h"

namespace prefixfs {
namespace {

TEST(Location, SplitsAtTheFirstColonSlash) {
  const Location location = parse_location("drive.db:/docs/a.txt");
  EXPECT_EQ(location.file, "drive.db");
  EXPECT_EQ(location.path.text(), "/docs/a.txt");
  EXPECT_EQ(location.text(), "drive.db:/docs/a.txt");

  EXPECT_EQ(parse_location("a:b.db:/x").file, "a:b.db");
  EXPECT_EQ(parse_location("/tmp/a.db:/x:/y").file, "/tmp/a.db");
  EXPECT_EQ(parse_location("/tmp/a.db:/x:/y").path.text(), "/x:/y");
}

TEST(Location, AFileAloneMeansItsRoot) {
  for (const char* text : {"drive.db", "drive.db:/", "drive.db://", "drive.db:/./"}) {
    const Location location = parse_location(text);
    EXPECT_EQ(location.file, "drive.db") << text;
    EXPECT_TRUE(location.path.is_root()) << text;
    EXPECT_EQ(location.text(), "drive.db:/") << text;
  }
  EXPECT_EQ(parse_location("a:b").file, "a:b");
}

TEST(Location, DropsDoubledAndTrailingSlashes) {
  EXPECT_EQ(parse_location("d.db://docs///a/").path.text(), "/docs/a");
}

TEST(Location, KeepsAnyBytes) {
  EXPECT_EQ(parse_location("d.db:/a\n\xFF b").path.text(), "/a\n\xFF b");
}

TEST(Location, RefusesWhatNamesNothing) {
  EXPECT_THROW(parse_location(""), WrongUse);
  EXPECT_THROW(parse_location(":/docs"), WrongUse);
  EXPECT_THROW(parse_location("d.db:/docs/../x"), WrongUse);
  EXPECT_THROW(parse_location("d.db:/" + std::string(256, 'n')), Failure);
  EXPECT_NO_THROW(parse_location("d.db:/" + std::string(255, 'n')));
}

}  // namespace
}  // namespace prefixfs
