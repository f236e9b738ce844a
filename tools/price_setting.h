// Prices as the user wants them: an option, else the variable PREFIXFS_PRICES, else those known.

#pragma once

#include <optional>
#include <string>

#include "fs/prices.h"

namespace prefixfs {

inline constexpr const char* kPricesVariable = "PREFIXFS_PRICES";

// nullopt: neither says.  Throws WrongUse naming the one that is no price.
std::optional<Prices> price_setting(const std::optional<std::string>& option);

}  // namespace prefixfs
