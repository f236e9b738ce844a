// What a command made the table do, in one line.

#pragma once

#include <string>

#include "table/capacity.h"
#include "table/ledger.h"
#include "tools/io.h"

namespace prefixfs {

// "3 requests: 2 gets, 1 query of 1 page, 12 items read; 1.5 read units"
std::string cost_line(const table::Charge& charge);

// The ledger's total on standard error, as `--cost` asks for.
void show_cost(Io& io, const table::Ledger& ledger);

}  // namespace prefixfs
