// What Table::apply() would make of a batch, without writing: the prediction of a rename's cost.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/table.h"

namespace table {

struct Estimate {
  // The fields of a WriteResult that would come back, counted and billed as apply() does.
  std::uint64_t moved = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t replaced_bytes = 0;
  std::uint64_t deleted_bytes = 0;
  Charge charge;
  // Items whose sort key would be longer than DynamoDB's 1,024 bytes; the first ten, as they are
  // now.
  std::uint64_t sks_over_limit = 0;
  std::vector<std::string> some_over_limit;
};

// Reads sizes through `table` (which books what the reading costs).  Conditions are taken to hold.
// REQUIRES: no SwapRange, and no two actions on one item
Estimate estimate(Table& table, std::span<const Action> actions);

}  // namespace table
