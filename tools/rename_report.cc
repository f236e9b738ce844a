#include "tools/rename_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "table/item_json.h"
#include "table/table.h"
#include "tools/figures.h"

namespace prefixfs {
namespace {

std::uint64_t calls(std::uint64_t amount, std::uint64_t each) { return (amount + each - 1) / each; }

}  // namespace

std::uint64_t RenameReport::batch_calls() const {
  return calls(writes(), table::kMaxBatchWriteItems);
}

std::uint64_t RenameReport::transact_calls() const {
  // What is put is as large as what is deleted, but for the length of the path.
  return std::max(calls(writes(), table::kMaxTransactActions),
                  calls(2 * bytes, table::kMaxTransactBytes));
}

std::string to_json(const RenameReport& r, const Prices& prices, const PartitionRate& rate) {
  return fmt::format(
      R"({{"from": {}, "to": {}, "layout": {}, "items": {}, "puts": {}, "deletes": {}, )"
      R"("read_units": {}, "write_units": {}, "write_units_transactional": {}, )"
      R"("batch_calls": {}, "transact_calls": {}, "atomic_on_dynamodb": {}, "usd": {}, )"
      R"("floor_seconds": {}, "bytes": {}, "seconds": {}}})",
      table::json_string(r.from), table::json_string(r.to), table::json_string(r.layout), r.items,
      r.puts, r.deletes, r.read_units, r.write_units, 2 * r.write_units, r.batch_calls(),
      r.transact_calls(), r.atomic_on_dynamodb(), prices.usd(r.read_units, r.write_units),
      rate.floor_seconds(r.read_units, r.write_units), r.bytes, r.seconds);
}

std::string to_text(const RenameReport& r, const Prices& prices, const PartitionRate& rate) {
  std::string text = fmt::format("moved {} to {}: {}, {} of keys and attributes\n", r.from, r.to,
                                 counted(r.items, "item"), counted(r.bytes, "byte"));
  text +=
      fmt::format("  {} and {}: {} write units, or {} in transactions; {} read units\n",
                  counted(r.puts, "put"), counted(r.deletes, "delete"), units_text(r.write_units),
                  units_text(2 * r.write_units), units_text(r.read_units));
  if (r.parent_updates > 0) {
    text += fmt::format("  {} of the folder's times: {} write units\n",
                        counted(r.parent_updates, "update"), units_text(r.parent_write_units));
  }
  text += fmt::format("  {} on DynamoDB (prices of {}), {} at least in one partition\n",
                      dollars_text(prices.usd(r.read_units, r.write_units)), prices.as_of,
                      seconds_text(rate.floor_seconds(r.read_units, r.write_units)));
  text += fmt::format(
      "  there {}, or {}{}; here one step in {}\n", counted(r.batch_calls(), "batch call"),
      counted(r.transact_calls(), "transaction"),
      r.atomic_on_dynamodb() ? "" : " and not all or nothing", seconds_text(r.seconds));
  return text;
}

}  // namespace prefixfs
