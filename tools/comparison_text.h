// A comparison of the layouts as people and as scripts read it.

#pragma once

#include <string>

#include "fs/prices.h"
#include "tools/comparison.h"

namespace prefixfs {

// A line per operation and layout; '*' marks what no other layout undercuts.
std::string comparison_text(const Comparison& comparison, const Prices& prices,
                            const PartitionRate& rate);

// One object on one line:
//   tree, nodes, rounds, usd_prices
//   operations   a list of {operation, n, layouts: {NAME: {requests, gets, ..., read_units,
//                write_units, usd, floor_seconds, seconds}}, cheapest: [NAME], fastest: [NAME]}
std::string comparison_json(const Comparison& comparison, const Prices& prices,
                            const PartitionRate& rate);

}  // namespace prefixfs
