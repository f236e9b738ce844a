#include "tools/price_setting.h"

#include <cstdlib>

#include "tools/failure.h"

namespace prefixfs {

std::optional<Prices> price_setting(const std::optional<std::string>& option) {
  const char* variable = std::getenv(kPricesVariable);
  if (!option && (variable == nullptr || *variable == '\0')) return std::nullopt;
  const std::string text = option ? *option : variable;
  auto prices = parse_prices(text);
  if (!prices) {
    throw WrongUse((option ? "--prices " : std::string(kPricesVariable) + "=") + text,
                   std::string(kPricesWanted));
  }
  return prices;
}

}  // namespace prefixfs
