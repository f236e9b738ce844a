// What file system operations consumed, as scripts read it (`prefixfs cost --json`,
// `.prefixfs/cost`).

#pragma once

#include <optional>
#include <string>

#include "fs/prices.h"
#include "table/ledger.h"

namespace prefixfs {

struct CostReport {
  table::Accounts operations;
  table::CommitWork commits;
  Prices prices;
  PartitionRate rate;
};

// Calls of a command that concern the mount, and those of them that the kernel answered alone.
struct KernelCalls {
  std::uint64_t calls = 0;
  std::uint64_t unasked = 0;
};

// One object on one line:
//   operations, total           what the table was asked, by operation
//   usd, usd_prices, floor_seconds
//   engine                      what the embedded engine did: operations, total, commits
// and where there was a command
//   kernel                      calls, answered_alone; absent where they were not counted
//   exit_status
std::string to_json(const CostReport& report, std::optional<KernelCalls> kernel = {},
                    std::optional<int> exit_status = {});

}  // namespace prefixfs
