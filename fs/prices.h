// What units cost in money and time: on demand, us-east-1.

#pragma once

#include <algorithm>
#include <string_view>

namespace prefixfs {

// US dollars per million units, and when that was the price.
struct Prices {
  double write_million = 0.625;
  double read_million = 0.125;
  std::string_view as_of = "2025-01";

  double usd(double read_units, double write_units) const {
    return (read_units * read_million + write_units * write_million) / 1e6;
  }
};

// What one partition takes in a second, in units: work on one drive cannot be faster.
struct PartitionRate {
  double reads = 3000;
  double writes = 1000;

  double floor_seconds(double read_units, double write_units) const {
    return std::max(read_units / reads, write_units / writes);
  }
};

}  // namespace prefixfs
