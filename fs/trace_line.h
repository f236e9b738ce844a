// One file system operation of a trace, as a line for people: what it was done to, the requests it
// became, the units it consumed and the time it took.

#pragma once

#include <string>

#include "table/ledger.h"

namespace prefixfs {

// "readdir  /docs  Query DRIVE#home begins_with PATH#/docs/  12 items, 1 hop  0.5 RU  31 us"
std::string trace_line(const table::Traced& traced);

}  // namespace prefixfs
