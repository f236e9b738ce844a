#include "fs/prices.h"

#include <charconv>
#include <cmath>

namespace prefixfs {
namespace {

std::optional<double> dollars(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || stopped != end || !std::isfinite(value) || value < 0) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<Prices> parse_prices(std::string_view text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto write = dollars(text.substr(0, first));
  const auto read = dollars(text.substr(first + 1, second - first - 1));
  const std::string_view date = text.substr(second + 1);
  const bool dated = !date.empty() && date.size() <= 10 &&
                     date.find_first_not_of("0123456789-") == std::string_view::npos;
  if (!write || !read || !dated) return std::nullopt;
  return Prices{.write_million = *write, .read_million = *read, .as_of = std::string(date)};
}

}  // namespace prefixfs
