#include "fs/cost_json.h"

#include <fmt/format.h>

#include "table/item_json.h"

namespace prefixfs {
namespace {

std::string to_json(const table::Account& account) {
  const table::Charge& c = account.charge;
  return fmt::format(
      R"({{"calls": {}, "requests": {}, "gets": {}, "queries": {}, "pages": {}, "items_read": {}, )"
      R"("puts": {}, "deletes": {}, "updates": {}, "read_units": {}, "write_units": {}, )"
      R"("seconds": {:.9g}}})",
      account.calls, c.requests, c.gets, c.queries, c.pages, c.items_read, c.puts, c.deletes,
      c.updates, c.read_units, c.write_units, account.seconds);
}

}  // namespace

std::string to_json(const std::map<std::string, table::Account, std::less<>>& accounts,
                    const Prices& prices, const PartitionRate& rate,
                    std::optional<int> exit_status) {
  std::string json = R"({"operations": {)";
  table::Account total;
  for (const auto& [operation, account] : accounts) {
    if (total.calls > 0) json += ", ";
    json += table::json_string(operation) + ": " + to_json(account);
    total.calls += account.calls;
    total.seconds += account.seconds;
    total.charge += account.charge;
  }
  const double read_units = total.charge.read_units;
  const double write_units = total.charge.write_units;
  json += fmt::format(
      R"(}}, "total": {}, "usd": {}, "usd_prices": {{"write_million": {}, "read_million": {}, )"
      R"("as_of": "{}"}}, "floor_seconds": {})",
      to_json(total), prices.usd(read_units, write_units), prices.write_million,
      prices.read_million, prices.as_of, rate.floor_seconds(read_units, write_units));
  if (exit_status) json += fmt::format(R"(, "exit_status": {})", *exit_status);
  return json + "}";
}

}  // namespace prefixfs
