// What units cost in money and time: on demand, us-east-1, unless told otherwise.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace prefixfs {

// US dollars per million units, and when that was the price.
struct Prices {
  double write_million = 0.625;
  double read_million = 0.125;
  std::string as_of = "2025-01";

  double usd(double read_units, double write_units) const {
    return (read_units * read_million + write_units * write_million) / 1e6;
  }
};

// "WRITE:READ:DATE", dollars per million units and a date of digits and '-': "0.625:0.125:2025-01".
// nullopt: it is not.
std::optional<Prices> parse_prices(std::string_view text);
inline constexpr std::string_view kPricesWanted =
    "prices are WRITE:READ:DATE, dollars per million units: 0.625:0.125:2025-01";

// What one partition takes in a second, in units: work on one drive cannot be faster.
struct PartitionRate {
  double reads = 3000;
  double writes = 1000;

  double floor_seconds(double read_units, double write_units) const {
    return std::max(read_units / reads, write_units / writes);
  }
};

}  // namespace prefixfs
