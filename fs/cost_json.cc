#include "fs/cost_json.h"

#include <fmt/format.h>

#include "table/item_json.h"

namespace prefixfs {
namespace {

std::string asked(const table::Account& account) {
  const table::Charge& c = account.charge;
  return fmt::format(
      R"({{"calls": {}, "requests": {}, "gets": {}, "queries": {}, "pages": {}, "items_read": {}, )"
      R"("puts": {}, "deletes": {}, "updates": {}, "read_units": {}, "write_units": {}, )"
      R"("seconds": {:.9g}}})",
      account.calls, c.requests, c.gets, c.queries, c.pages, c.items_read, c.puts, c.deletes,
      c.updates, c.read_units, c.write_units, account.seconds);
}

std::string fields(const table::EngineWork& work) {
  return fmt::format(
      R"("rows_read": {}, "rows_written": {}, "bytes_read": {}, "bytes_written": {}, "pages": {}, )"
      R"("pages_from_file": {}, "pages_to_log": {}, "seconds": {:.9g})",
      work.rows_read, work.rows_written, work.bytes_read, work.bytes_written, work.pages,
      work.pages_from_file, work.pages_to_log, work.seconds);
}

std::string done(const table::Account& account) { return "{" + fields(account.work) + "}"; }

std::string by_operation(const table::Accounts& operations,
                         std::string (*text)(const table::Account&)) {
  std::string json = R"({"operations": {)";
  table::Account total;
  for (const auto& [operation, account] : operations) {
    if (total.calls > 0) json += ", ";
    json += table::json_string(operation) + ": " + text(account);
    total += account;
  }
  return json + R"(}, "total": )" + text(total);
}

}  // namespace

std::string to_json(const CostReport& report, std::optional<KernelCalls> kernel,
                    std::optional<int> exit_status) {
  table::Account total;
  for (const auto& [operation, account] : report.operations) total += account;
  const double read_units = total.charge.read_units;
  const double write_units = total.charge.write_units;
  const Prices& prices = report.prices;
  std::string json = by_operation(report.operations, asked);
  json += fmt::format(
      R"(, "usd": {}, "usd_prices": {{"write_million": {}, "read_million": {}, "as_of": {}}}, )"
      R"("floor_seconds": {}, "engine": {}, "commits": {{"commits": {}, {}}}}})",
      prices.usd(read_units, write_units), prices.write_million, prices.read_million,
      table::json_string(prices.as_of), report.rate.floor_seconds(read_units, write_units),
      by_operation(report.operations, done), report.commits.commits, fields(report.commits.work));
  if (kernel) {
    json += fmt::format(R"(, "kernel": {{"calls": {}, "answered_alone": {}}})", kernel->calls,
                        kernel->unasked);
  }
  if (exit_status) json += fmt::format(R"(, "exit_status": {})", *exit_status);
  return json + "}";
}

}  // namespace prefixfs
