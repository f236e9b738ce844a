#include "table/sqlite_blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "table/store_fixture.h"

namespace table {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::size_t size, int seed = 1) {
  Bytes data(size);
  std::mt19937 random(static_cast<unsigned>(seed));
  for (std::byte& b : data) b = static_cast<std::byte>(random() | 1);  // none is zero
  return data;
}

class SqliteBlocksTest : public StoreFixture {
 protected:
  SqliteBlocksTest() { open(); }

  Bytes read(std::uint64_t content, std::uint64_t offset, std::size_t size) {
    Bytes data(size, std::byte{0xee});
    blocks().read(content, offset, data);
    return data;
  }
  std::int64_t row_bytes(std::uint64_t content, std::uint64_t index) {
    return database().integer(("SELECT length(data) FROM block WHERE id = " +
                               std::to_string(content << kBlockIndexBits | index))
                                  .c_str());
  }
  std::int64_t rows() { return database().integer("SELECT count(*) FROM block"); }
};

TEST_F(SqliteBlocksTest, AHoleReadsAsZeros) {
  EXPECT_EQ(read(1, 0, 100), Bytes(100));
  EXPECT_EQ(read(1, 5 * kBlockBytes - 10, 3 * kBlockBytes), Bytes(3 * kBlockBytes));
}

TEST_F(SqliteBlocksTest, WhatIsWrittenIsReadAcrossBlocks) {
  const Bytes data = bytes(3 * kBlockBytes + 500);
  EXPECT_EQ(blocks().write(1, kBlockBytes - 100, data), 5u);
  EXPECT_EQ(read(1, kBlockBytes - 100, data.size()), data);
  EXPECT_EQ(read(1, 0, kBlockBytes - 100), Bytes(kBlockBytes - 100));
  EXPECT_EQ(read(2, 0, 10), Bytes(10));
  // All rows are there by now.
  EXPECT_EQ(blocks().write(1, kBlockBytes, data), 0u);
  EXPECT_EQ(read(1, kBlockBytes, data.size()), data);
}

TEST_F(SqliteBlocksTest, ARowIsAsLongAsItsLastByte) {
  blocks().write(1, 0, bytes(100));
  EXPECT_EQ(row_bytes(1, 0), 100);
  blocks().write(1, 3 * kBlockBytes + 50, bytes(10));
  EXPECT_EQ(row_bytes(1, 3), 60);
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(read(1, 3 * kBlockBytes, 50), Bytes(50));
}

TEST_F(SqliteBlocksTest, SmallAppendsMakeARowGrowByDoubling) {
  Bytes all;
  std::set<std::int64_t> lengths;
  for (int i = 0; i < 1100; ++i) {
    const Bytes piece = bytes(100, i);
    blocks().write(1, all.size(), piece);
    all.insert(all.end(), piece.begin(), piece.end());
    lengths.insert(row_bytes(1, 0));
  }
  EXPECT_EQ(read(1, 0, all.size()), all);
  EXPECT_LE(lengths.size(), 6u);
  EXPECT_EQ(*lengths.rbegin(), static_cast<std::int64_t>(kBlockBytes));
  // What a row holds beyond the last byte written is zeros.
  EXPECT_EQ(read(1, all.size(), 1000), Bytes(1000));
}

TEST_F(SqliteBlocksTest, CopyingKeepsBytesAndHoles) {
  const Bytes data = bytes(2 * kBlockBytes);
  // Data in blocks 1, 2, 3 of the source, in 0 to 5 of the target.
  blocks().write(1, kBlockBytes + 100, data);
  blocks().write(2, 0, bytes(6 * kBlockBytes, 2));
  Bytes whole = read(2, 0, 8 * kBlockBytes);
  const auto expect = [&](std::uint64_t from, std::uint64_t to, std::uint64_t length) {
    const Bytes part = read(1, from, length);
    std::copy(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(to));
  };
  expect(0, 0, 6 * kBlockBytes);
  EXPECT_EQ(blocks().copy(1, 0, 2, 0, 6 * kBlockBytes), -3);
  EXPECT_EQ(read(2, 0, whole.size()), whole);
  EXPECT_EQ(rows(), 6);
  // Not at the same place in a block, over an edge, and from a hole.
  expect(kBlockBytes - 10, 6 * kBlockBytes + 7, kBlockBytes + 20);
  EXPECT_EQ(blocks().copy(1, kBlockBytes - 10, 2, 6 * kBlockBytes + 7, kBlockBytes + 20), 2);
  EXPECT_EQ(read(2, 0, whole.size()), whole);
  // Within one content.
  expect(kBlockBytes, 0, kBlockBytes);
  EXPECT_EQ(blocks().copy(1, kBlockBytes, 1, 5 * kBlockBytes, kBlockBytes), 1);
  EXPECT_EQ(read(1, 5 * kBlockBytes, kBlockBytes), read(1, kBlockBytes, kBlockBytes));
}

TEST_F(SqliteBlocksTest, FindsHolesBetweenRows) {
  EXPECT_EQ(blocks().next_hole(1, 0), 0u);
  blocks().write(1, 0, bytes(3 * kBlockBytes));
  blocks().write(1, 4 * kBlockBytes, bytes(1));
  EXPECT_EQ(blocks().next_hole(1, 0), 3u);
  EXPECT_EQ(blocks().next_hole(1, 2), 3u);
  EXPECT_EQ(blocks().next_hole(1, 3), 3u);
  EXPECT_EQ(blocks().next_hole(1, 4), 5u);
  const std::uint64_t last = (std::uint64_t{1} << kBlockIndexBits) - 1;
  blocks().write(1, last * kBlockBytes, bytes(1));
  EXPECT_EQ(blocks().next_hole(1, last), last + 1) << "past the last block there is";
}

TEST_F(SqliteBlocksTest, OverwritingInPlace) {
  Bytes expected = bytes(2 * kBlockBytes);
  blocks().write(1, 0, expected);
  const Bytes piece = bytes(4096, 9);
  blocks().write(1, kBlockBytes - 2048, piece);
  std::copy(piece.begin(), piece.end(), expected.begin() + kBlockBytes - 2048);
  EXPECT_EQ(read(1, 0, expected.size()), expected);
}

TEST_F(SqliteBlocksTest, TruncateForgetsWhatFollows) {
  const Bytes data = bytes(3 * kBlockBytes);
  blocks().write(1, 0, data);
  EXPECT_EQ(blocks().truncate(1, kBlockBytes + 10), 1u);
  EXPECT_EQ(row_bytes(1, 1), 10);
  Bytes expected(data.begin(), data.begin() + kBlockBytes + 10);
  expected.resize(3 * kBlockBytes);
  EXPECT_EQ(read(1, 0, expected.size()), expected);
  EXPECT_EQ(blocks().truncate(1, kBlockBytes), 1u);
  EXPECT_EQ(blocks().truncate(1, kBlockBytes), 0u);
  EXPECT_EQ(blocks().truncate(1, 0), 1u);
  EXPECT_EQ(rows(), 0);
}

TEST_F(SqliteBlocksTest, TruncateLeavesOtherContentsAlone) {
  for (std::uint64_t content : {1u, 2u, 3u}) blocks().write(content, 0, bytes(100));
  EXPECT_EQ(blocks().truncate(2, 0), 1u);
  EXPECT_EQ(read(1, 0, 100), bytes(100));
  EXPECT_EQ(read(3, 0, 100), bytes(100));
  EXPECT_EQ(blocks().truncate(2, kMaxFileBytes), 0u);
}

TEST_F(SqliteBlocksTest, PunchRemovesWholeRowsAndZerosTheRest) {
  const Bytes data = bytes(4 * kBlockBytes);
  blocks().write(1, 0, data);
  EXPECT_EQ(blocks().punch(1, 100, 3 * kBlockBytes), 2u);
  Bytes expected = data;
  std::fill_n(expected.begin() + 100, 3 * kBlockBytes, std::byte{0});
  EXPECT_EQ(read(1, 0, expected.size()), expected);
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(blocks().punch(1, 0, kMaxFileBytes), 2u);
  EXPECT_EQ(rows(), 0);
  EXPECT_EQ(blocks().punch(1, 0, kMaxFileBytes), 0u);
}

TEST_F(SqliteBlocksTest, PunchWithinOneBlock) {
  Bytes expected = bytes(1000);
  blocks().write(1, 0, expected);
  EXPECT_EQ(blocks().punch(1, 10, 20), 0u);
  std::fill_n(expected.begin() + 10, 20, std::byte{0});
  EXPECT_EQ(read(1, 0, 1000), expected);
  EXPECT_EQ(blocks().punch(1, 500, 5000), 0u);
  std::fill(expected.begin() + 500, expected.end(), std::byte{0});
  EXPECT_EQ(read(1, 0, 1000), expected);
  EXPECT_EQ(row_bytes(1, 0), 500);
  EXPECT_EQ(blocks().punch(1, 0, 500), 1u);
  EXPECT_EQ(blocks().punch(1, 7, 0), 0u);
  EXPECT_EQ(rows(), 0);
}

TEST_F(SqliteBlocksTest, NextBlockFindsDataAndHoles) {
  EXPECT_FALSE(blocks().next_block(1, 0));
  for (const std::uint64_t index : {2u, 3u, 7u}) blocks().write(1, index * kBlockBytes, bytes(1));
  blocks().write(2, 0, bytes(1));
  EXPECT_EQ(blocks().next_block(1, 0), 2u);
  EXPECT_EQ(blocks().next_block(1, 3), 3u);
  EXPECT_EQ(blocks().next_block(1, 4), 7u);
  EXPECT_FALSE(blocks().next_block(1, 8));
  EXPECT_FALSE(blocks().next_block(1, kMaxFileBytes / kBlockBytes));
}

TEST_F(SqliteBlocksTest, DropGoesInSteps) {
  blocks().write(1, 0, bytes(10 * kBlockBytes));
  blocks().write(2, 0, bytes(10));
  EXPECT_EQ(blocks().drop(1, 4), 4u);
  EXPECT_EQ(blocks().drop(1, 4), 4u);
  EXPECT_EQ(blocks().drop(1, 4), 2u);
  EXPECT_EQ(blocks().drop(1, 4), 0u);
  EXPECT_EQ(blocks().drop(1, ~std::uint64_t{0}), 0u);
  EXPECT_EQ(rows(), 1);
  EXPECT_EQ(blocks().drop(2, ~std::uint64_t{0}), 1u);
}

TEST_F(SqliteBlocksTest, TheFarEndOfTheAddressSpace) {
  const Bytes data = bytes(100);
  blocks().write(kMaxContentId, kMaxFileBytes - 100, data);
  EXPECT_EQ(read(kMaxContentId, kMaxFileBytes - 100, 100), data);
  EXPECT_EQ(blocks().next_block(kMaxContentId, 0), kMaxFileBytes / kBlockBytes - 1);
  EXPECT_EQ(blocks().punch(kMaxContentId, kMaxFileBytes - 100, 100), 0u);
  EXPECT_EQ(blocks().truncate(kMaxContentId, kMaxFileBytes - kBlockBytes), 1u);
}

TEST_F(SqliteBlocksTest, ReadsSeeWhatOtherStatementsChanged) {
  blocks().write(1, 0, bytes(kBlockBytes, 1));
  EXPECT_EQ(read(1, 0, 10), bytes(10, 1));  // the handle stands on the row
  blocks().truncate(1, 5);
  Bytes expected = bytes(5, 1);
  expected.resize(10);
  EXPECT_EQ(read(1, 0, 10), expected);
  blocks().truncate(1, 0);
  EXPECT_EQ(read(1, 0, 10), Bytes(10));
  blocks().write(1, 0, bytes(10, 2));
  EXPECT_EQ(read(1, 0, 10), bytes(10, 2));
}

TEST_F(SqliteBlocksTest, AStepTakesBackItsWrites) {
  const Bytes data = bytes(2 * kBlockBytes);
  blocks().write(1, 0, data);
  {
    Store::Step step(*store);
    blocks().write(1, 100, bytes(kBlockBytes, 5));
    blocks().write(1, 2 * kBlockBytes, bytes(10, 5));
    EXPECT_EQ(read(1, 100, 10), bytes(10, 5));
    blocks().truncate(1, 50);
  }
  EXPECT_EQ(read(1, 0, data.size()), data);
  EXPECT_EQ(rows(), 2);
}

TEST_F(SqliteBlocksTest, AnOpenHandleHoldsUpNobody) {
  open({.mode = OpenMode::create,
        .busy_timeout = std::chrono::milliseconds(50),
        .background = false});
  blocks().write(1, 0, bytes(100, 1));
  EXPECT_EQ(read(1, 0, 100), bytes(100, 1));
  store->commit();
  EXPECT_EQ(read(1, 0, 100), bytes(100, 1));
  // Another connection can write, and is seen.
  const auto other = Store::open(file(), options(OpenMode::existing));
  other->blocks().write(1, 0, bytes(100, 2));
  other->commit();
  EXPECT_EQ(read(1, 0, 100), bytes(100, 2));
  // And this one can write again, on what the other has written.
  blocks().write(1, 50, bytes(50, 3));
  Bytes expected = bytes(100, 2);
  const Bytes tail = bytes(50, 3);
  std::copy(tail.begin(), tail.end(), expected.begin() + 50);
  EXPECT_EQ(read(1, 0, 100), expected);
}

class RandomBlocksTest : public SqliteBlocksTest, public testing::WithParamInterface<unsigned> {};

TEST_P(RandomBlocksTest, EveryOperationDoesWhatTheModelDoes) {
  std::mt19937 random(GetParam());
  constexpr std::size_t kSpan = 5 * kBlockBytes;
  std::array<Bytes, 3> model;
  for (Bytes& content : model) content.resize(kSpan);
  const auto offset = [&]() -> std::size_t {
    // Often at the edge of a block.
    if (random() % 3 == 0) return random() % 5 * kBlockBytes;
    return random() % kSpan;
  };
  for (int i = 0; i < 1500; ++i) {
    const std::size_t content = random() % model.size();
    Bytes& expected = model[content];
    const std::size_t at = offset();
    const std::size_t most = random() % 4 == 0 ? 2 * kBlockBytes : 9000;
    const std::size_t size = std::min(1 + random() % most, kSpan - at);
    switch (random() % 8) {
      case 0:
        blocks().truncate(content, at);
        std::fill(expected.begin() + static_cast<std::ptrdiff_t>(at), expected.end(), std::byte{0});
        break;
      case 1:
        blocks().punch(content, at, size);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), size, std::byte{0});
        break;
      case 2:
        store->commit();
        break;
      case 3: {
        Store::Step step(*store);
        blocks().write(content, at, bytes(size, i));
        break;  // taken back
      }
      default: {
        const Bytes data = bytes(size, i);
        blocks().write(content, at, data);
        std::copy(data.begin(), data.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
    }
    const std::size_t from = offset();
    const std::size_t length = std::min<std::size_t>(1 + random() % 70'000, kSpan - from);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(from);
    ASSERT_EQ(read(content, from, length),
              Bytes(begin, begin + static_cast<std::ptrdiff_t>(length)))
        << "operation " << i;
  }
  open();
  for (std::size_t content = 0; content < model.size(); ++content) {
    EXPECT_EQ(read(content, 0, kSpan), model[content]);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBlocksTest, testing::Values(1, 2, 3));

}  // namespace
}  // namespace table
