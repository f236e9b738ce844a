// What a rename cost, for people and for scripts.

#pragma once

#include <cstdint>
#include <string>

#include "table/capacity.h"
#include "tools/prices.h"

namespace prefixfs {

// Moving nodes to another key: a put and a delete each.
struct RenameReport {
  std::string from, to;
  std::string layout;
  std::uint64_t items = 0;  // nodes moved, a folder itself among them
  std::uint64_t bytes = 0;  // billed, under the old keys
  std::uint64_t puts = 0, deletes = 0;
  double read_units = 0;
  double write_units = 0;  // of the puts and deletes
  // The folders that lost and won a name, whose times change: beside the move itself.
  std::uint64_t parent_updates = 0;
  double parent_write_units = 0;
  double seconds = 0;

  std::uint64_t writes() const { return puts + deletes; }
  std::uint64_t batch_calls() const;     // BatchWriteItem
  std::uint64_t transact_calls() const;  // TransactWriteItems
  bool atomic_on_dynamodb() const { return transact_calls() <= 1; }
};

// One line, the object of `.prefixfs/renames`.
std::string to_json(const RenameReport& report, const Prices& prices, const PartitionRate& rate);

// A few lines.  `from` and `to` are shown as they are given.
std::string to_text(const RenameReport& report, const Prices& prices, const PartitionRate& rate);

}  // namespace prefixfs
