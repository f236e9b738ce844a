#include "tools/cost_line.h"

#include "tools/figures.h"

namespace prefixfs {

std::string cost_line(const table::Charge& charge) {
  std::string line = counted(charge.requests, "request");
  const char* separator = ": ";
  const auto say = [&](const std::string& text) {
    line += separator + text;
    separator = ", ";
  };
  if (charge.gets > 0) say(counted(charge.gets, "get"));
  if (charge.queries > 0) {
    say(counted(charge.queries, "query") + " of " + counted(charge.pages, "page"));
    say(counted(charge.items_read, "item") + " read");
  }
  if (charge.puts > 0) say(counted(charge.puts, "put"));
  if (charge.updates > 0) say(counted(charge.updates, "update"));
  if (charge.deletes > 0) say(counted(charge.deletes, "delete"));
  line += "; " + units_text(charge.read_units, "read");
  if (charge.write_units > 0) line += ", " + units_text(charge.write_units, "write");
  return line;
}

void show_cost(Io& io, const table::Ledger& ledger) {
  io.err << "cost: " << cost_line(ledger.total().charge) << '\n';
}

}  // namespace prefixfs
