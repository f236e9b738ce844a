// KeyRange is a run of sort keys, by bytes: what every key condition comes down to.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "table/table.h"

namespace table {

// low <= sk < high; no high: to the end of the partition.
struct KeyRange {
  std::string low;
  std::optional<std::string> high;

  bool operator==(const KeyRange&) const = default;
};

KeyRange range_of(const SkCondition& condition);

// The keys that begin with `prefix`.
KeyRange below(std::string_view prefix);

// The least key above `sk`.
std::string successor(std::string_view sk);

// What is left of `range` after a page that ended with `last`.
KeyRange after(KeyRange range, std::string_view last, Direction direction);

}  // namespace table
