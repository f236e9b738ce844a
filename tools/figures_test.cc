#include "tools/figures.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

TEST(Figures, GroupsThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(2004), "2,004");
  EXPECT_EQ(grouped(12345678), "12,345,678");
  EXPECT_EQ(counted(1, "item"), "1 item");
  EXPECT_EQ(counted(2004, "item"), "2,004 items");
  EXPECT_EQ(counted(3, "query"), "3 queries");
  EXPECT_EQ(counted(0, "key"), "0 keys");
}

TEST(Figures, UnitsComeInHalves) {
  EXPECT_EQ(units_text(0.5, "read"), "0.5 read units");
  EXPECT_EQ(units_text(1, "write"), "1 write unit");
  EXPECT_EQ(units_text(13.5, "read"), "13.5 read units");
  EXPECT_EQ(units_text(2002, "write"), "2,002 write units");
}

TEST(Figures, DollarsKeepThreeDigits) {
  EXPECT_EQ(dollars_text(0), "$0");
  EXPECT_EQ(dollars_text(0.00125), "$0.00125");
  EXPECT_EQ(dollars_text(0.0012529375), "$0.00125");
  EXPECT_EQ(dollars_text(0.125), "$0.125");
  EXPECT_EQ(dollars_text(2.5), "$2.50");
}

TEST(Figures, SizesRoundUp) {
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(1023), "1023");
  EXPECT_EQ(size_text(1024), "1.0K");
  EXPECT_EQ(size_text(1025), "1.1K");
  EXPECT_EQ(size_text(10 * 1024), "10K");
  EXPECT_EQ(size_text(1024 * 1024 - 1), "1.0M");
  EXPECT_EQ(size_text(std::uint64_t{5} << 30), "5.0G");
}

TEST(Figures, ModesReadAsLsShowsThem) {
  EXPECT_EQ(mode_text(Kind::file, 0644), "-rw-r--r--");
  EXPECT_EQ(mode_text(Kind::folder, 01777), "drwxrwxrwt");
  EXPECT_EQ(mode_text(Kind::file, 06755), "-rwsr-sr-x");
  EXPECT_EQ(mode_text(Kind::file, 05644), "-rwSr--r-T");
  EXPECT_EQ(mode_text(Kind::symlink, 0777), "lrwxrwxrwx");
}

}  // namespace
}  // namespace prefixfs
