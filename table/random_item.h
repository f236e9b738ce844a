// RandomItem makes items of every type and shape, for tests.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/value.h"

namespace table {

class RandomItem {
 public:
  explicit RandomItem(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  // `depth`: how far lists and maps may nest.
  Item item(int depth) {
    Item out;
    for (std::size_t n = below(6); n > 0; --n) out.set(name(), value(depth));
    return out;
  }

  Value value(int depth) {
    switch (below(depth > 0 ? 10 : 8)) {
      case 0:
        return text();
      case 1:
        return number();
      case 2:
        return Binary{bytes()};
      case 3:
        return below(2) == 0;
      case 4:
        return Null{};
      case 5:
        return StringSet{members<std::string>([&] { return text(); })};
      case 6:
        return NumberSet{members<Number>([&] { return number(); })};
      case 7:
        return BinarySet{members<Binary>([&] { return Binary{bytes()}; })};
      case 8: {
        List list;
        for (std::size_t n = below(4); n > 0; --n) list.push_back(value(depth - 1));
        return list;
      }
      default:
        return item(depth - 1);
    }
  }

  // Every kind of character that JSON treats in its own way.
  std::string text() {
    static constexpr std::array<std::string_view, 14> kPieces = {"a",
                                                                 "Z",
                                                                 "plain text",
                                                                 " ",
                                                                 "\"",
                                                                 "\\",
                                                                 "/",
                                                                 "\n",
                                                                 "\x01",
                                                                 "\x7F",
                                                                 std::string_view("\0", 1),
                                                                 "\xC3\xA9",
                                                                 "\xE4\xB8\xAD",
                                                                 "\xF0\x9D\x84\x9E"};
    std::string out;
    for (std::size_t n = below(6); n > 0; --n) out += kPieces[below(kPieces.size())];
    return out;
  }

  std::string bytes() {
    std::string out(below(8), '\0');
    for (char& c : out) c = static_cast<char>(below(256));
    return out;
  }

  Number number() {
    std::string out = below(2) == 0 ? "-" : "";
    for (std::size_t n = below(below(4) == 0 ? 38 : 6) + 1; n > 0; --n) {
      out += static_cast<char>('0' + below(10));
    }
    if (below(2) == 0) out += "e" + std::to_string(static_cast<int>(below(160)) - 80);
    return *Number::parse(out);
  }

 private:
  // Never empty, as DynamoDB wants it.
  std::string name() { return static_cast<char>('a' + below(26)) + (below(2) == 0 ? "" : text()); }

  template <class T, class Make>
  std::vector<T> members(Make make) {
    std::vector<T> out;
    for (std::size_t n = below(4) + 1; n > 0; --n) out.push_back(make());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  std::mt19937 random_;
};

}  // namespace table
