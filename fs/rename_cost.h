// What the rename of a node did to the table, or would do.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fs/prices.h"
#include "table/capacity.h"

namespace prefixfs {

struct RenameCost {
  std::string from, to;  // paths
  std::string layout;
  std::uint64_t items = 0;  // nodes whose rows moved, the renamed one among them
  std::uint64_t bytes = 0;  // billed bytes of the moved rows, under the old keys
  // Finding the node, reading what moves, and a put and a delete (or what the layout needs) for
  // each.
  table::Charge charge;
  // The folders around it, whose times change: beside the move itself.
  table::Charge parents;
  std::optional<double> seconds;  // absent from a prediction

  // Keys that DynamoDB would refuse (over 1,024 bytes) under the new name: predictions only.
  std::uint64_t keys_over_limit = 0;
  std::vector<std::string> some_over_limit;  // paths, as they are now

  std::uint64_t writes() const { return charge.puts + charge.deletes + charge.updates; }
  std::uint64_t batch_calls() const;     // BatchWriteItem: 25 writes each
  std::uint64_t transact_calls() const;  // TransactWriteItems: 100 writes, 4 MB each
  bool atomic_on_dynamodb() const { return transact_calls() <= 1; }
};

// One line: the object of `.prefixfs/renames` and of `prefixfs mv --json`.
std::string to_json(const RenameCost& cost, const Prices& prices, const PartitionRate& rate);

}  // namespace prefixfs
