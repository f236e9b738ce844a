#include "fs/fuse_mount_table.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

TEST(MountTable, ReadsALine) {
  const auto all = parse_mountinfo(
      "36 35 0:45 / /mnt/home rw,nosuid,nodev shared:1 master:2 - fuse.prefixfs /srv/a.db "
      "rw,user_id=0\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].device, "0:45");
  EXPECT_EQ(all[0].dir, "/mnt/home");
  EXPECT_EQ(all[0].type, kMountType);
  EXPECT_EQ(all[0].source, "/srv/a.db");
}

TEST(MountTable, NamesMayHoldBlanksAndBackslashes) {
  const auto all =
      parse_mountinfo("1 0 0:2 / /a\\040b\\011c\\134d rw - fuse.prefixfs /x\\134040y.db rw\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].dir, "/a b\tc\\d");
  EXPECT_EQ(all[0].source, "/x\\040y.db");
}

TEST(MountTable, PassesOverWhatMakesNoSense) {
  EXPECT_TRUE(parse_mountinfo("").empty());
  EXPECT_TRUE(parse_mountinfo("\n36 35\n36 35 0:45 / /mnt rw shared:1\n").empty());
}

TEST(MountTable, FindsWhatIsMounted) {
  const auto proc = mounted_at("/proc");
  ASSERT_TRUE(proc);
  EXPECT_EQ(proc->type, "proc");
  EXPECT_FALSE(mounted_at("/no/such/folder"));
}

}  // namespace
}  // namespace prefixfs
