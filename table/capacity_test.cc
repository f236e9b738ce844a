#include "table/capacity.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "table/table.h"

namespace table {
namespace {

constexpr std::size_t kMiB = 1024 * 1024;

TEST(CapacityTest, ReadUnitsOfOneItem) {
  const struct {
    std::size_t bytes;
    double eventual, strong, transactional;
  } kCases[] = {
      {0, 0.5, 1, 2},     // a missing item
      {1, 0.5, 1, 2},     //
      {57, 0.5, 1, 2},    //
      {4096, 0.5, 1, 2},  //
      {4097, 1, 2, 4},    //
      {8192, 1, 2, 4},    //
      {8193, 1.5, 3, 6},  //
      {kMaxItemBytes, 50, 100, 200},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(read_units(c.bytes, Consistency::eventual), c.eventual) << c.bytes;
    EXPECT_EQ(read_units(c.bytes, Consistency::strong), c.strong) << c.bytes;
    EXPECT_EQ(read_units(c.bytes, Consistency::transactional), c.transactional) << c.bytes;
  }
}

TEST(CapacityTest, WriteUnitsOfOneItem) {
  const struct {
    std::size_t bytes;
    double units;
  } kCases[] = {
      {0, 1},  // deleting a missing item
      {1, 1}, {100, 1}, {1024, 1}, {1025, 2}, {2048, 2}, {2049, 3}, {kMaxItemBytes, 400},
  };
  for (const auto& c : kCases) EXPECT_EQ(write_units(c.bytes), c.units) << c.bytes;
}

// COST.md, "Worked": renaming a folder with N descendants of 100 bytes.
TEST(CapacityTest, RenamingAFolder) {
  const struct {
    int descendants;
    double batch, transactional, read_eventual;
    std::uint64_t pages;
  } kCases[] = {
      {50, 100, 200, 1, 1},
      {1000, 2000, 4000, 12.5, 1},
      {100000, 200000, 400000, 1221, 10},
      // The worked table rounds the sum once (12,207.5); each of the 96 pages is rounded here.
      {1000000, 2000000, 4000000, 12208, 96},
  };
  for (const auto& c : kCases) {
    double units = 0;
    PageMeter meter(Consistency::eventual);
    for (int i = 0; i < c.descendants; ++i) {
      units += write_units(100) + write_units(100);
      meter.evaluated(100);
    }
    Charge charge;
    meter.finish(charge);
    EXPECT_EQ(units, c.batch) << c.descendants;
    EXPECT_EQ(2 * units, c.transactional) << c.descendants;
    EXPECT_EQ(charge.read_units, c.read_eventual) << c.descendants;
    EXPECT_EQ(charge.pages, c.pages) << c.descendants;
    EXPECT_EQ(charge.items_read, static_cast<std::uint64_t>(c.descendants));
    EXPECT_EQ(charge.queries, 1U);
  }
}

TEST(PageMeterTest, AnEmptyQueryHasAPage) {
  for (const auto& [consistency, units] :
       {std::pair{Consistency::eventual, 0.5}, {Consistency::strong, 1.0}}) {
    PageMeter meter(consistency);
    Charge charge;
    meter.finish(charge);
    EXPECT_EQ(charge, (Charge{.queries = 1, .pages = 1, .read_units = units}));
  }
}

TEST(PageMeterTest, RoundsThePageAndNotTheItem) {
  PageMeter meter(Consistency::strong);
  for (int i = 0; i < 41; ++i) meter.evaluated(100);
  Charge charge;
  meter.finish(charge);
  EXPECT_EQ(charge.read_units, 2);  // 4,100 bytes
}

TEST(PageMeterTest, APageHoldsOneMegabyteAndNotAByteMore) {
  const struct {
    const char* what;
    std::vector<std::size_t> items;
    std::uint64_t pages;
    double units;
  } kCases[] = {
      {"exactly full", {kMiB - 10, 10}, 1, 256},
      {"one byte over opens a page", {kMiB - 10, 11}, 2, 256 + 1},
      {"exactly full, then one", {kMiB, 1}, 2, 256 + 1},
      {"each page is rounded by itself", {kMiB - 4095, 4096, kMiB - 4096}, 2, 256 + 256},
  };
  for (const auto& c : kCases) {
    PageMeter meter(Consistency::strong);
    for (const std::size_t bytes : c.items) meter.evaluated(bytes);
    Charge charge;
    meter.finish(charge);
    EXPECT_EQ(charge.pages, c.pages) << c.what;
    EXPECT_EQ(charge.read_units, c.units) << c.what;
  }
}

TEST(PageMeterTest, StartsAnewAndAddsToWhatIsThere) {
  PageMeter meter(Consistency::strong);
  Charge charge{.requests = 1, .read_units = 10};
  meter.evaluated(5000);
  meter.finish(charge);
  meter.evaluated(100);
  meter.finish(charge);
  EXPECT_EQ(charge,
            (Charge{.requests = 1, .queries = 2, .pages = 2, .items_read = 2, .read_units = 13}));
}

TEST(ChargeTest, AddsEveryField) {
  const Charge one{1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10.5};
  Charge sum = one;
  sum += one;
  EXPECT_EQ(sum, (Charge{2, 4, 6, 8, 10, 12, 14, 16, 19, 21}));
}

TEST(BatchRequests, PagesAndUpdatesAloneAndTheRestInBatchesOf25) {
  EXPECT_EQ(batch_requests({}), 1u);
  EXPECT_EQ(batch_requests({.puts = 1, .deletes = 1}), 1u);
  EXPECT_EQ(batch_requests({.puts = 13, .deletes = 12}), 1u);
  EXPECT_EQ(batch_requests({.puts = 13, .deletes = 13}), 2u);
  EXPECT_EQ(batch_requests({.puts = 1, .updates = 2}), 3u);
  EXPECT_EQ(batch_requests({.queries = 1, .pages = 7}), 7u);
  // COST.md, "Worked": a thousand moves are 80 calls, and here one page.
  EXPECT_EQ(batch_requests({.pages = 1, .puts = 1000, .deletes = 1000}), 81u);
}

}  // namespace
}  // namespace table
