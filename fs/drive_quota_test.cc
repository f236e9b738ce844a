// A drive whose table file may hold so much and no more.

#include <gtest/gtest.h>

#include "fs/drive_fixture.h"
#include "table/error.h"

namespace prefixfs {
namespace {

constexpr std::uint64_t kMost = 4 * 1024 * 1024;

class DriveQuotaTest : public DriveFixture {
 protected:
  DriveQuotaTest() {
    drive.reset();
    store.reset();
    store = table::Store::open(file(), {.background = false, .most_bytes = kMost});
    open_drive();
  }
  // Writes until there is no room; returns how many bytes there was room for.
  std::uint64_t fill(std::string_view path) {
    make(path);
    const std::string piece(100'000, 'x');
    for (std::uint64_t written = 0;; written += piece.size()) {
      try {
        put(path, piece, written);
      } catch (const table::TableError& error) {
        EXPECT_EQ(error.fault(), table::Fault::full);
        return written;
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveQuotaTest, kLayouts);

TEST_P(DriveQuotaTest, FillsUpAndEmptiesAgain) {
  make("/before");
  const std::uint64_t written = fill("/f");
  EXPECT_GE(written, kMost * 8 / 10);
  EXPECT_EQ(node("/f").size, written) << "what did not fit left no trace";
  ASSERT_TRUE(rename("/before", "/after"));
  EXPECT_EQ(drive->allocate(at("/f"), Allocate::extend, written, 1'000'000).error(),
            std::errc::no_space_on_device);
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::punch, 0, written / 2));
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::extend, 0, 1'000'000));
  ASSERT_TRUE(unlink("/f"));
  EXPECT_EQ(fill("/g"), written);
}

TEST_P(DriveQuotaTest, StatfsTellsTheSizeAndWhatIsLeft) {
  const Space empty = *drive->statfs();
  EXPECT_EQ(empty.blocks * empty.block_bytes, kMost);
  EXPECT_GT(empty.free * empty.block_bytes, kMost * 9 / 10);
  const std::uint64_t written = fill("/f");
  const Space full = *drive->statfs();
  EXPECT_EQ(full.blocks, empty.blocks);
  EXPECT_LT(full.free * full.block_bytes, 300'000u);
  EXPECT_GE((full.blocks - full.free) * full.block_bytes, written);
  EXPECT_EQ(full.available, full.free);
  ASSERT_TRUE(unlink("/f"));
  EXPECT_GT(drive->statfs()->free * empty.block_bytes, kMost * 9 / 10);
}

}  // namespace
}  // namespace prefixfs
