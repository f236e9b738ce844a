// Ranges of a file's bytes: set aside, punched out, looked for, copied.

#include <gtest/gtest.h>

#include <random>

#include "fs/drive_fixture.h"
#include "fs/mount.h"
#include "table/block_store.h"

namespace prefixfs {
namespace {

constexpr std::uint64_t kBlock = table::kBlockBytes;

class DriveRangesTest : public DriveFixture {
 protected:
  // 'x' over whole blocks of the file, which it makes.
  void fill(std::string_view path, std::uint64_t first, std::uint64_t blocks) {
    put(path, std::string(blocks * kBlock, 'x'), first * kBlock);
  }
  std::uint64_t sectors(std::string_view path) { return to_stat(node(path), accounts).sectors; }
  std::size_t copied(const NodeRef& from, std::uint64_t offset, const NodeRef& to,
                     std::uint64_t to_offset, std::uint64_t length) {
    const auto done = drive->copy(from, offset, to, to_offset, length);
    EXPECT_TRUE(done);
    return done ? done->bytes : 0;
  }
  std::errc refused(std::string_view path, Allocate how, std::uint64_t offset,
                    std::uint64_t length) {
    const auto done = drive->allocate(at(path), how, offset, length);
    EXPECT_FALSE(done);
    return done ? std::errc{} : done.error();
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveRangesTest, kLayouts);

constexpr auto kNoMore = std::errc::no_such_device_or_address;

TEST_P(DriveRangesTest, SeeksDataAndHoles) {
  fill("/f", 1, 2);
  fill("/f", 5, 1);
  ASSERT_TRUE(drive->setattr(at("/f"), {.size = 8 * kBlock + 10}));
  const NodeRef f = at("/f");
  EXPECT_EQ(*drive->seek(f, Seek::data, 0), kBlock);
  EXPECT_EQ(*drive->seek(f, Seek::hole, 0), 0u);
  EXPECT_EQ(*drive->seek(f, Seek::data, kBlock + 5), kBlock + 5);
  EXPECT_EQ(*drive->seek(f, Seek::hole, kBlock + 5), 3 * kBlock);
  EXPECT_EQ(*drive->seek(f, Seek::data, 3 * kBlock), 5 * kBlock);
  EXPECT_EQ(*drive->seek(f, Seek::hole, 5 * kBlock), 6 * kBlock);
  EXPECT_EQ(drive->seek(f, Seek::data, 6 * kBlock).error(), kNoMore);
  EXPECT_EQ(*drive->seek(f, Seek::hole, 7 * kBlock + 3), 7 * kBlock + 3);
  EXPECT_EQ(drive->seek(f, Seek::hole, 8 * kBlock + 10).error(), kNoMore);
  EXPECT_EQ(drive->seek(f, Seek::data, 9 * kBlock).error(), kNoMore);
}

TEST_P(DriveRangesTest, TheEndOfAFileIsAHole) {
  put("/f", "content");
  EXPECT_EQ(*drive->seek(at("/f"), Seek::hole, 0), 7u);
  EXPECT_EQ(*drive->seek(at("/f"), Seek::data, 3), 3u);
  EXPECT_EQ(drive->seek(at("/f"), Seek::data, 7).error(), kNoMore);
  make("/empty");
  EXPECT_EQ(drive->seek(at("/empty"), Seek::hole, 0).error(), kNoMore);
  make("/d/");
  EXPECT_EQ(drive->seek(at("/d"), Seek::hole, 0).error(), std::errc::is_a_directory);
}

TEST_P(DriveRangesTest, APunchedRangeIsAHoleAndTakesNoRoom) {
  fill("/f", 0, 4);
  const Time before = node("/f").mtime;
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::punch, kBlock - 10, 2 * kBlock));
  std::string expected(4 * kBlock, 'x');
  expected.replace(kBlock - 10, 2 * kBlock, 2 * kBlock, '\0');
  EXPECT_EQ(content("/f"), expected);
  EXPECT_EQ(sectors("/f"), 3 * kBlock / 512);
  EXPECT_EQ(store->stats().blocks, 3u);
  EXPECT_GT(node("/f").mtime, before);
  EXPECT_EQ(node("/f").ctime, node("/f").mtime);
}

TEST_P(DriveRangesTest, PunchingPastTheEndTakesTheLastBlockWhole) {
  for (std::uint64_t i = 0; i < 200; ++i) put("/f", "append", 6 * i);
  EXPECT_EQ(node("/f").size, 1200u);
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::punch, 0, 1200));
  EXPECT_EQ(content("/f"), std::string(1200, '\0'));
  EXPECT_EQ(sectors("/f"), 0u);
  EXPECT_EQ(store->stats().blocks, 0u);
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::punch, 5 * kBlock, kBlock));
  EXPECT_EQ(node("/f").size, 1200u);
}

TEST_P(DriveRangesTest, ZeroingExtendsOnlyWhereAskedTo) {
  put("/f", "0123456789");
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::zero_keep_size, 5, 100));
  EXPECT_EQ(content("/f"), std::string("01234\0\0\0\0\0", 10));
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::zero, 3, 17));
  EXPECT_EQ(content("/f"), std::string("012") + std::string(17, '\0'));
}

TEST_P(DriveRangesTest, SettingAsideExtendsAndChangesNoByte) {
  put("/f", "content");
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::keep_size, 0, 3 * kBlock));
  EXPECT_EQ(content("/f"), "content");
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::extend, 2, 3));
  EXPECT_EQ(content("/f"), "content");
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::extend, kBlock, 100));
  EXPECT_EQ(content("/f"), "content" + std::string(kBlock + 100 - 7, '\0'));
  EXPECT_EQ(store->stats().blocks, 1u) << "st_blocks counts what is stored";
  EXPECT_EQ(*drive->seek(at("/f"), Seek::hole, 0), kBlock);
}

TEST_P(DriveRangesTest, RefusesWhatCannotBeSetAside) {
  make({"/f", "/d/"});
  EXPECT_EQ(refused("/f", Allocate::extend, 0, 0), std::errc::invalid_argument);
  EXPECT_EQ(refused("/f", Allocate::extend, table::kMaxFileBytes, 1), std::errc::file_too_large);
  EXPECT_EQ(refused("/f", Allocate::keep_size, 1, table::kMaxFileBytes), std::errc::file_too_large);
  EXPECT_EQ(refused("/d", Allocate::extend, 0, 1), std::errc::is_a_directory);
  if (store->room() >= table::kMaxFileBytes) GTEST_SKIP() << "the disk has room for any file";
  EXPECT_EQ(refused("/f", Allocate::extend, 0, table::kMaxFileBytes),
            std::errc::no_space_on_device);
  EXPECT_EQ(refused("/f", Allocate::keep_size, 0, table::kMaxFileBytes),
            std::errc::no_space_on_device);
  EXPECT_EQ(node("/f").size, 0u) << "nothing is left of what was refused";
  ASSERT_TRUE(drive->allocate(at("/f"), Allocate::punch, 0, table::kMaxFileBytes));
}

TEST_P(DriveRangesTest, CopiesRangesWithTheirHoles) {
  fill("/from", 1, 1);
  ASSERT_TRUE(drive->setattr(at("/from"), {.size = 4 * kBlock}));
  make("/to");
  EXPECT_EQ(copied(at("/from"), 0, at("/to"), 0, 100 * kBlock), 4 * kBlock);
  EXPECT_EQ(content("/to"), content("/from"));
  EXPECT_EQ(sectors("/to"), kBlock / 512);
  EXPECT_EQ(copied(at("/from"), kBlock, at("/to"), 10 * kBlock + 7, 10), 10u);
  EXPECT_EQ(node("/to").size, 10 * kBlock + 17);
  EXPECT_EQ(node("/to").mtime, now());
  EXPECT_EQ(copied(at("/from"), 4 * kBlock, at("/to"), 0, 10), 0u) << "at its end";
  EXPECT_EQ(copied(at("/to"), 0, at("/to"), 2 * kBlock, kBlock), kBlock);
}

TEST_P(DriveRangesTest, RefusesToCopy) {
  put("/f", std::string(100, 'x'));
  make("/d/");
  EXPECT_EQ(drive->copy(at("/f"), 0, at("/f"), 50, 51).error(), std::errc::invalid_argument);
  EXPECT_TRUE(drive->copy(at("/f"), 0, at("/f"), 50, 50));
  EXPECT_EQ(drive->copy(at("/f"), 0, at("/d"), 0, 1).error(), std::errc::is_a_directory);
  EXPECT_EQ(drive->copy(at("/d"), 0, at("/f"), 0, 1).error(), std::errc::is_a_directory);
  EXPECT_EQ(drive->copy(at("/f"), 0, at("/f"), table::kMaxFileBytes, 1).error(),
            std::errc::file_too_large);
}

TEST_P(DriveRangesTest, SetIdBitsGoAsWithAWrite) {
  put("/from", "content");
  make("/f");
  const WriteBy other{.uid = 5, .drop_set_id = true};
  const auto set_id = [&] { ASSERT_TRUE(drive->setattr(at("/f"), {.mode = 06755})); };
  set_id();
  EXPECT_FALSE(drive->allocate(at("/f"), Allocate::extend, 0, 5)->set_id_dropped);
  EXPECT_TRUE(drive->allocate(at("/f"), Allocate::extend, 0, 5, other)->set_id_dropped);
  EXPECT_EQ(node("/f").mode, 0755u);
  set_id();
  EXPECT_FALSE(drive->copy(at("/from"), 0, at("/f"), 0, 5)->set_id_dropped);
  EXPECT_TRUE(drive->copy(at("/from"), 0, at("/f"), 0, 5, other)->set_id_dropped);
  EXPECT_EQ(node("/f").mode, 0755u);
}

TEST_P(DriveRangesTest, AFileWithoutANameHasRangesToo) {
  fill("/f", 0, 2);
  const NodeRef ref = at("/f");
  ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
  ASSERT_TRUE(drive->allocate(ref, Allocate::punch, 0, kBlock));
  EXPECT_EQ(*drive->seek(ref, Seek::data, 0), kBlock);
  make("/to");
  EXPECT_EQ(copied(ref, kBlock, at("/to"), 0, 5), 5u);
  EXPECT_EQ(content("/to"), "xxxxx");
  drive->release(ref.id);
}

// Against a string, with the number of stored blocks as the table counts them.
TEST_P(DriveRangesTest, RandomRangesAreThoseOfAString) {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  make("/f");
  const NodeRef f = at("/f");
  std::string model;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t offset = below(2) ? below(6) * kBlock : below(6 * kBlock);
    const std::uint64_t length = 1 + (below(2) ? below(2 * kBlock) : below(200));
    const auto grow = [&](std::uint64_t end) {
      if (model.size() < end) model.resize(end);
    };
    switch (below(6)) {
      case 0: {
        grow(offset + length);
        const std::string data(length, static_cast<char>('a' + i % 26));
        model.replace(offset, length, data);
        put("/f", data, offset);
        break;
      }
      case 1:
        if (offset < model.size()) {
          const std::uint64_t size = std::min(length, model.size() - offset);
          model.replace(offset, size, size, '\0');
        }
        ASSERT_TRUE(drive->allocate(f, Allocate::punch, offset, length));
        break;
      case 2:
        grow(offset + length);
        model.replace(offset, length, length, '\0');
        ASSERT_TRUE(drive->allocate(f, Allocate::zero, offset, length));
        break;
      case 3:
        grow(offset + length);
        ASSERT_TRUE(drive->allocate(f, Allocate::extend, offset, length));
        break;
      case 4:
        model.resize(offset);
        ASSERT_TRUE(drive->setattr(f, {.size = offset}));
        break;
      default: {
        const std::uint64_t to = below(8 * kBlock);
        const bool overlap = offset < to + length && to < offset + length;
        const std::uint64_t size =
            offset < model.size() ? std::min(length, model.size() - offset) : 0;
        if (overlap || size == 0) break;
        const std::string part = model.substr(offset, size);
        grow(to + size);
        model.replace(to, size, part);
        ASSERT_EQ(copied(f, offset, f, to, length), size);
      }
    }
    ASSERT_TRUE(content(f) == model) << "after operation " << i;
    const Node now = node("/f");
    ASSERT_EQ((now.size + kBlock - 1) / kBlock - now.holes, store->stats().blocks) << i;
    for (std::uint64_t at = 0; at < model.size();) {
      const auto data = drive->seek(f, Seek::data, at);
      const std::uint64_t begin = data ? *data : model.size();
      ASSERT_EQ(model.find_first_not_of('\0', at) < begin, false) << "data in a hole, " << i;
      if (!data) break;
      at = *drive->seek(f, Seek::hole, begin);
      ASSERT_GT(at, begin);
    }
  }
}

}  // namespace
}  // namespace prefixfs
