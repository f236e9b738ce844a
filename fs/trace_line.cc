#include "fs/trace_line.h"

#include <fmt/format.h>

namespace prefixfs {

std::string trace_line(const table::Traced& traced) {
  std::string requests;
  for (const std::string& request : traced.requests) {
    requests += (requests.empty() ? "" : "; ") + request;
  }
  std::string line = fmt::format("{:<8} {:<24} {}", traced.operation, traced.subject, requests);
  if (traced.charge.read_units > 0) line += fmt::format("  {} RU", traced.charge.read_units);
  if (traced.charge.write_units > 0) line += fmt::format("  {} WU", traced.charge.write_units);
  return line + fmt::format("  {:.0f} us", traced.seconds * 1e6);
}

}  // namespace prefixfs
