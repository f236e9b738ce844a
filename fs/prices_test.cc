#include "fs/prices.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

TEST(PricesTest, AreReadWithTheirDate) {
  const auto prices = parse_prices("1.25:0.25:2023-11");
  ASSERT_TRUE(prices);
  EXPECT_EQ(prices->write_million, 1.25);
  EXPECT_EQ(prices->read_million, 0.25);
  EXPECT_EQ(prices->as_of, "2023-11");
  EXPECT_DOUBLE_EQ(prices->usd(1e6, 2e6), 2.75);
}

TEST(PricesTest, WhatIsNoPriceOrHasNoDateIsRefused) {
  for (const char* text :
       {"", "1", "1:2", "1:2:", "a:2:2025", "1:-2:2025", "1:inf:2025", "1:nan:2025", "1:2:today",
        "1:2:2025:3", ":2:2025", "1e3:2:2025", "1:2:2025-01-01-01"}) {
    EXPECT_FALSE(parse_prices(text)) << text;
  }
}

}  // namespace
}  // namespace prefixfs
