// What a rename cost or would cost, for people.

#pragma once

#include <string>

#include "fs/rename_cost.h"
#include "tools/io.h"

namespace prefixfs {

std::string rename_text(const Io& io, const RenameCost& cost, const Prices& prices,
                        const PartitionRate& rate);

}  // namespace prefixfs
