#include "tools/comparison_text.h"

#include <fmt/format.h>

#include <utility>

#include "fs/layout.h"
#include "table/item_json.h"
#include "tools/figures.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

constexpr const char* kLine = "{:<36} {:<9} {:>9} {} {:>10} {:>10} {:>12} {}  {:>8} {}\n";

char mark(bool best) { return best ? '*' : ' '; }

std::string title(const ComparedOperation& operation) {
  if (!operation.n) return operation.operation;
  return operation.operation + ", " + grouped(*operation.n);
}

std::string names_of(const std::vector<bool>& marked) {
  std::string json = "[";
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (!marked[i]) continue;
    if (json.size() > 1) json += ", ";
    json += table::json_string(kLayoutNames[i]);
  }
  return json + "]";
}

std::string trimmed(std::string line) {
  while (line.ends_with(" \n")) line.erase(line.size() - 2, 1);
  return line;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Prices& prices,
                            const PartitionRate& rate) {
  std::string text = fmt::format("{}: {}, on each layout; times are medians of {}\n\n",
                                 escaped_name(comparison.tree), counted(comparison.nodes, "node"),
                                 counted(comparison.rounds, "round"));
  text += trimmed(fmt::format(kLine, "operation", "layout", "requests", ' ', "read units",
                              "write units", "USD", ' ', "time", ' '));
  std::size_t over_a_second = 0;
  for (const ComparedOperation& operation : comparison.operations) {
    const auto requests = operation.fewest_requests();
    const auto cheapest = operation.cheapest(prices);
    const auto fastest = operation.fastest();
    for (std::size_t i = 0; i < operation.layouts.size(); ++i) {
      const Measured& m = operation.layouts[i];
      const table::Charge& c = m.charge;
      if (rate.floor_seconds(c.read_units, c.write_units) > 1) ++over_a_second;
      text +=
          trimmed(fmt::format(kLine, i == 0 ? title(operation) : "", kLayoutNames[i],
                              grouped(c.requests), mark(requests[i]), c.read_units, c.write_units,
                              dollars_text(prices.usd(c.read_units, c.write_units)),
                              mark(cheapest[i]), seconds_text(m.seconds), mark(fastest[i])));
    }
  }
  text += fmt::format(
      "\n* no other layout is cheaper, asks less often, is faster (by a tenth)\n"
      "Renaming a folder moves its own row too, and updates the folder around it: beside what is\n"
      "below it, {} with path.  Prices of {}: ${} a million write units, ${} a million read "
      "units.\n",
      "3 write units and 1 read unit", prices.as_of, prices.write_million, prices.read_million);
  if (over_a_second > 0) {
    text += fmt::format(
        "One partition takes {} write units a second: {} of these would take longer than a second "
        "there.\n",
        grouped(static_cast<std::uint64_t>(rate.writes)), over_a_second);
  }
  return text;
}

std::string comparison_json(const Comparison& comparison, const Prices& prices,
                            const PartitionRate& rate) {
  std::string json = fmt::format(
      R"({{"tree": {}, "nodes": {}, "rounds": {}, "usd_prices": {{"write_million": {}, )"
      R"("read_million": {}, "as_of": {}}}, "operations": [)",
      table::json_string(comparison.tree), comparison.nodes, comparison.rounds,
      prices.write_million, prices.read_million, table::json_string(prices.as_of));
  const char* separator = "";
  for (const ComparedOperation& operation : comparison.operations) {
    json += std::exchange(separator, ", ");
    json += R"({"operation": )" + table::json_string(operation.operation);
    if (operation.n) json += fmt::format(R"(, "n": {})", *operation.n);
    json += R"(, "layouts": {)";
    for (std::size_t i = 0; i < operation.layouts.size(); ++i) {
      const Measured& m = operation.layouts[i];
      const table::Charge& c = m.charge;
      json += fmt::format(
          R"({}{}: {{"requests": {}, "gets": {}, "queries": {}, "pages": {}, "items_read": {}, )"
          R"("puts": {}, "deletes": {}, "updates": {}, "read_units": {}, "write_units": {}, )"
          R"("usd": {}, "floor_seconds": {}, "seconds": {:.9g}}})",
          i == 0 ? "" : ", ", table::json_string(kLayoutNames[i]), c.requests, c.gets, c.queries,
          c.pages, c.items_read, c.puts, c.deletes, c.updates, c.read_units, c.write_units,
          prices.usd(c.read_units, c.write_units), rate.floor_seconds(c.read_units, c.write_units),
          m.seconds);
    }
    json += R"(}, "cheapest": )" + names_of(operation.cheapest(prices)) + R"(, "fastest": )" +
            names_of(operation.fastest()) + "}";
  }
  return json + "]}\n";
}

}  // namespace prefixfs
