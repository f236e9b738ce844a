#include "tools/rename_text.h"

#include "tools/figures.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

std::string writes_text(const table::Charge& charge) {
  const std::string puts = counted(charge.puts, "put");
  const std::string deletes = counted(charge.deletes, "delete");
  if (charge.updates == 0) return puts + " and " + deletes;
  return puts + ", " + deletes + " and " + counted(charge.updates, "update");
}

std::string over_limit_text(const Io& io, const RenameCost& cost) {
  if (cost.keys_over_limit == 0) return {};
  std::string text =
      "  " + counted(cost.keys_over_limit, "key") + " would pass the 1,024 bytes of DynamoDB:\n";
  for (const std::string& path : cost.some_over_limit) {
    text += "    " + shown_name(io, path) + "\n";
  }
  return text;
}

}  // namespace

std::string rename_text(const Io& io, const RenameCost& cost, const Prices& prices,
                        const PartitionRate& rate) {
  const table::Charge& charge = cost.charge;
  std::string text = (cost.seconds ? "moved " : "would move ") + shown_name(io, cost.from) +
                     " to " + shown_name(io, cost.to) + ": " + counted(cost.items, "item") + ", " +
                     counted(cost.bytes, "byte") + " of keys and attributes\n";
  text += "  " + writes_text(charge) + ": " + units_text(charge.write_units, "write") + ", or " +
          units_text(2 * charge.write_units, "write") + " in transactions; " +
          units_text(charge.read_units, "read") + "\n";
  if (cost.parents.updates > 0) {
    text += "  " + counted(cost.parents.updates, "update") +
            " of the folders around it: " + units_text(cost.parents.write_units, "write") + "\n";
  }
  text += "  on DynamoDB: " + dollars_text(prices.usd(charge.read_units, charge.write_units)) +
          " (prices of " + std::string(prices.as_of) + "), at least " +
          seconds_text(rate.floor_seconds(charge.read_units, charge.write_units)) +
          " in one partition, " + counted(cost.batch_calls(), "batch call") + " or " +
          counted(cost.transact_calls(), "transaction") +
          (cost.atomic_on_dynamodb() ? "\n" : ", not all or nothing\n");
  if (cost.seconds) text += "  here: all or nothing, in " + seconds_text(*cost.seconds) + "\n";
  return text + over_limit_text(io, cost);
}

}  // namespace prefixfs
