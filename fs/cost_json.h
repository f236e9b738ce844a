// What file system operations consumed, as scripts read it (`prefixfs cost --json`,
// `.prefixfs/cost`).

#pragma once

#include <map>
#include <optional>
#include <string>

#include "fs/prices.h"
#include "table/ledger.h"

namespace prefixfs {

// One object on one line: operations, total, usd, usd_prices, floor_seconds; `exit_status` where
// there was a command.
std::string to_json(const std::map<std::string, table::Account, std::less<>>& accounts,
                    const Prices& prices, const PartitionRate& rate,
                    std::optional<int> exit_status = {});

}  // namespace prefixfs
