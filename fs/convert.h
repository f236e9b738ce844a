// Rewrites a drive from one key layout to another.  Content, which is kept by id, is not touched.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fs/drives.h"
#include "table/capacity.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {

struct Conversion {
  std::uint64_t nodes = 0;  // the root among them
  table::Charge charge;
};

// Rows that are spelt as nodes of the drive and are none: no node leads to them, or they do not
// decode.  In the new layout nobody could find them again.
struct StrayRows {
  std::uint64_t count = 0;
  std::vector<table::Key> some;  // the first ten
};

// All or nothing.  A node that had no id is given one, and one that is left with one name again has
// its attributes with that name; there and back is otherwise the same rows.
// `so_far` is told how many nodes are rewritten.  StrayRows: nothing was changed because of them.
// Throws TableError (damaged: the root is missing, or two nodes have one id).
// REQUIRES: nobody has mounted the drive; `to` is a layout there is, and not the drive's
std::variant<Conversion, StrayRows> convert_drive(table::Store& store, table::Ledger& ledger,
                                                  const DriveInfo& drive, std::string_view to,
                                                  const std::function<void(std::uint64_t)>& so_far);

}  // namespace prefixfs
