// What units cost in money: on demand, us-east-1.

#pragma once

#include <algorithm>
#include <string_view>

namespace prefixfs {

struct Prices {
  double write_million = 0.625;  // US dollars per million units
  double read_million = 0.125;
  std::string_view as_of = "2025-01";

  double usd(double read_units, double write_units) const {
    return (read_units * read_million + write_units * write_million) / 1e6;
  }
};

// What one partition can take in a second; work on one drive cannot be faster.
struct PartitionRate {
  double reads = 3000, writes = 1000;  // units

  double floor_seconds(double read_units, double write_units) const {
    return std::max(read_units / reads, write_units / writes);
  }
};

}  // namespace prefixfs
