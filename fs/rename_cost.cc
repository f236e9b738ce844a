#include "fs/rename_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "table/item_json.h"
#include "table/table.h"

namespace prefixfs {
namespace {

std::uint64_t calls(std::uint64_t amount, std::uint64_t each) { return (amount + each - 1) / each; }

}  // namespace

std::uint64_t RenameCost::batch_calls() const {
  return calls(writes(), table::kMaxBatchWriteItems);
}

std::uint64_t RenameCost::transact_calls() const {
  // What is put is as large as what is deleted, but for the length of the path.
  return std::max(calls(writes(), table::kMaxTransactActions),
                  calls(2 * bytes, table::kMaxTransactBytes));
}

std::string to_json(const RenameCost& cost, const Prices& prices, const PartitionRate& rate) {
  const table::Charge& c = cost.charge;
  std::string json = fmt::format(
      R"({{"from": {}, "to": {}, "layout": {}, "items": {}, "puts": {}, "deletes": {}, )"
      R"("updates": {}, "read_units": {}, "write_units": {}, "write_units_transactional": {}, )"
      R"("parent_updates": {}, "parent_write_units": {}, "batch_calls": {}, "transact_calls": {}, )"
      R"("atomic_on_dynamodb": {}, "usd": {}, "floor_seconds": {}, "bytes": {})",
      table::json_string(cost.from), table::json_string(cost.to), table::json_string(cost.layout),
      cost.items, c.puts, c.deletes, c.updates, c.read_units, c.write_units, 2 * c.write_units,
      cost.parents.updates, cost.parents.write_units, cost.batch_calls(), cost.transact_calls(),
      cost.atomic_on_dynamodb(), prices.usd(c.read_units, c.write_units),
      rate.floor_seconds(c.read_units, c.write_units), cost.bytes);
  if (cost.seconds) {
    json += fmt::format(R"(, "seconds": {})", *cost.seconds);
  } else {
    json += fmt::format(R"(, "keys_over_limit": {}, "some_over_limit": [)", cost.keys_over_limit);
    for (std::size_t i = 0; i < cost.some_over_limit.size(); ++i) {
      json += (i == 0 ? "" : ", ") + table::json_string(cost.some_over_limit[i]);
    }
    json += "]";
  }
  return json + "}";
}

}  // namespace prefixfs
