#include "table/key_range.h"

#include <cassert>
#include <utility>
#include <variant>

namespace table {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

KeyRange below(std::string_view prefix) {
  std::string high(prefix);
  while (!high.empty() && static_cast<unsigned char>(high.back()) == 0xff) high.pop_back();
  if (high.empty()) return {std::string(prefix), std::nullopt};
  high.back() = static_cast<char>(static_cast<unsigned char>(high.back()) + 1);
  return {std::string(prefix), std::move(high)};
}

std::string successor(std::string_view sk) {
  std::string next(sk);
  next.push_back('\0');
  return next;
}

KeyRange range_of(const SkCondition& condition) {
  return std::visit(Overloaded{
                        [](const SkAll&) { return KeyRange{}; },
                        [](const SkBeginsWith& c) { return below(c.prefix); },
                        [](const SkBetween& c) {
                          return KeyRange{c.low, successor(c.high)};
                        },
                        [](const SkCompare& c) {
                          switch (c.op) {
                            case Compare::eq:
                              return KeyRange{c.sk, successor(c.sk)};
                            case Compare::lt:
                              return KeyRange{{}, c.sk};
                            case Compare::le:
                              return KeyRange{{}, successor(c.sk)};
                            case Compare::gt:
                              return KeyRange{successor(c.sk), std::nullopt};
                            case Compare::ge:
                              return KeyRange{c.sk, std::nullopt};
                            case Compare::ne:
                              break;
                          }
                          assert(false);
                          return KeyRange{};
                        },
                    },
                    condition);
}

KeyRange after(KeyRange range, std::string_view last, Direction direction) {
  if (direction == Direction::forward) {
    std::string low = successor(last);
    if (low > range.low) range.low = std::move(low);
  } else if (!range.high || last < *range.high) {
    range.high = std::string(last);
  }
  return range;
}

}  // namespace table
