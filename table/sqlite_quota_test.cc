// What a store does at the size that it was given.

#include <vector>

#include "table/error.h"
#include "table/store_fixture.h"

namespace table {
namespace {

constexpr std::uint64_t kMost = 4 * 1024 * 1024;

class SqliteQuotaTest : public StoreFixture {
 protected:
  SqliteQuotaTest() {
    StoreOptions limited = options();
    limited.most_bytes = kMost;
    open(limited);
  }
  static std::vector<std::byte> bytes(std::size_t size) {
    return std::vector<std::byte>(size, std::byte{1});
  }
  template <class Call>
  bool is_refused(Call call) {
    try {
      call();
      return false;
    } catch (const TableError& error) {
      EXPECT_EQ(error.fault(), Fault::full);
      EXPECT_NE(std::string(error.what()).find(file()), std::string::npos);
      return true;
    }
  }
  // How many blocks there are once no more are taken.
  std::uint64_t fill() {
    std::uint64_t index = 0;
    while (index < 1000 &&
           !is_refused([&] { blocks().write(1, index * kBlockBytes, bytes(kBlockBytes)); })) {
      ++index;
    }
    return index;
  }
};

TEST_F(SqliteQuotaTest, TakesWhatFitsAndNoMore) {
  const std::uint64_t written = fill();
  EXPECT_GE(written * kBlockBytes, kMost * 9 / 10);
  EXPECT_LE(store->quota()->used_bytes, kMost);
  EXPECT_EQ(store->quota()->most_bytes, kMost);
  EXPECT_LT(store->room(), kBlockBytes);
  store->sync();
  EXPECT_LE(store->stats().file_bytes, kMost);
  EXPECT_TRUE(is_refused([&] { put("a", {{"v", std::string(300'000, 'x')}}); }));
}

TEST_F(SqliteQuotaTest, WhatTakesNoMoreRoomGoesOn) {
  put("moved", {{"v", std::string(100'000, 'x')}});
  fill();
  blocks().write(1, 5, bytes(3 * kBlockBytes));  // in place
  put("moved", {{"v", "y"}});
  fill();
  const Batch move = {Put{{"p", "to"}, {{"v", "y"}}}, Delete{{"p", "moved"}}};
  EXPECT_FALSE(is_refused([&] { EXPECT_TRUE(table().apply(move).ok()); }));
  EXPECT_EQ(all().size(), 1u);
}

TEST_F(SqliteQuotaTest, WhatIsRemovedMakesRoom) {
  const std::uint64_t written = fill();
  blocks().truncate(1, written * kBlockBytes / 2);
  EXPECT_GE(store->room(), kMost / 3);
  EXPECT_FALSE(is_refused([&] { blocks().write(2, 0, bytes(kMost / 3)); }));
  blocks().drop(1, 1000);
  blocks().drop(2, 1000);
  EXPECT_LT(store->quota()->used_bytes, kMost / 10);
}

TEST_F(SqliteQuotaTest, NothingIsLeftOfAWriteThatDoesNotFit) {
  EXPECT_TRUE(is_refused([&] { blocks().write(1, 0, bytes(2 * kMost)); }));
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_F(SqliteQuotaTest, WithoutOneThereIsNone) {
  open();
  EXPECT_EQ(store->quota(), std::nullopt);
  EXPECT_GT(store->room(), 0u);
}

}  // namespace
}  // namespace table
