// Number is DynamoDB's N: an exact decimal of up to 38 significant digits, magnitude 1E-130 to
// 9.9999999999999999999999999999999999999E+125, or zero.
//
// Kept as its canonical text, so that it goes to and from JSON without passing through a double:
// no leading or trailing zeros, no "+", no "-0"; plain notation ("-12.5") up to 40 characters,
// else scientific ("1E+125").  A value; thread-safe like any value.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace table {

inline constexpr std::size_t kMaxNumberDigits = 38;

class Number {
 public:
  Number() : text_("0") {}
  Number(std::int64_t value);   // NOLINT(google-explicit-constructor)
  Number(std::uint64_t value);  // NOLINT(google-explicit-constructor)
  Number(int value) : Number(static_cast<std::int64_t>(value)) {}  // NOLINT

  // Accepts what JSON and DynamoDB accept: [+-]digits[.digits][(e|E)[+-]digits].
  // nullopt: not a number, more than 38 significant digits, or out of range.
  static std::optional<Number> parse(std::string_view text);

  const std::string& text() const { return text_; }

  // 1 + ceil(integer digits / 2) + ceil(fraction digits / 2) + 1 if negative; zero is 1.
  // Zeros at either end of the digits are not counted (COST.md, "Item size").
  std::size_t billed_bytes() const;

  // parse(text)->billed_bytes() without building the number.
  static std::optional<std::size_t> billed_bytes_of(std::string_view text);

  // The value if it is an integer in range, else nullopt.
  std::optional<std::int64_t> as_int64() const;
  std::optional<std::uint64_t> as_uint64() const;

  // Exact sums; nullopt if the result leaves the range or needs more than 38 digits.
  friend std::optional<Number> add(const Number& a, const Number& b);
  friend std::optional<Number> subtract(const Number& a, const Number& b);

  // Numeric order.  Canonical text makes equality textual.
  std::strong_ordering operator<=>(const Number& other) const;
  bool operator==(const Number& other) const { return text_ == other.text_; }

 private:
  struct Canonical {};
  Number(Canonical, std::string_view text) : text_(text) {}

  std::string text_;
};

std::optional<Number> add(const Number& a, const Number& b);
std::optional<Number> subtract(const Number& a, const Number& b);

}  // namespace table
