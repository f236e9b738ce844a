#include "table/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace table {
namespace {

constexpr int kMaxExponent = 125;
constexpr int kMinExponent = -130;
// A sign, 38 digits and a point: the longest number that can still be plain without padding.
constexpr std::size_t kMaxPlainText = 40;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 0.d1 d2 d3... scaled so that d1 is worth 10^exponent; no zero at either end.  Zero has no digits.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  std::size_t count = 0;
  std::array<char, kMaxNumberDigits> digits;

  std::string_view view() const { return {digits.data(), count}; }
};

// Whether `text` is canonical by inspection: plain and short, as nearly all numbers are.
// A false answer says nothing.
bool is_plain_canonical(std::string_view text) {
  if (text.empty() || text.size() > kMaxNumberDigits) return false;
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = *p == '-';
  if (negative && ++p == end) return false;
  const char* const first = p;
  while (p != end && is_digit(*p)) ++p;
  if (p == first || (*first == '0' && p - first > 1)) return false;
  if (p == end) return !(negative && *first == '0');
  if (*p != '.') return false;
  const char* const fraction = ++p;
  while (p != end && is_digit(*p)) ++p;
  return p == end && p != fraction && end[-1] != '0';
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  Decimal out;
  if (p != end && (*p == '-' || *p == '+')) out.negative = *p++ == '-';

  // Offsets, not digits, are kept in 64 bits: the text may be long and still name a small number.
  std::int64_t significant = 0;  // digits since the first that is not zero
  std::int64_t first_place = 0;  // of that one: 0 is the unit, -1 the first after the point
  const auto take = [&](char c) {
    if (significant == 0 && c == '0') return true;
    if (significant < static_cast<std::int64_t>(kMaxNumberDigits)) {
      out.digits[static_cast<std::size_t>(significant)] = c;
      if (c != '0') out.count = static_cast<std::size_t>(significant) + 1;
    } else if (c != '0') {
      return false;
    }
    ++significant;
    return true;
  };

  const char* const integer = p;
  while (p != end && is_digit(*p)) {
    if (!take(*p++)) return std::nullopt;
  }
  if (p == integer) return std::nullopt;
  first_place = significant - 1;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    while (p != end && is_digit(*p)) {
      const bool before = significant == 0;
      if (!take(*p++)) return std::nullopt;
      if (before && significant == 1) first_place = -(p - fraction);
    }
    if (p == fraction) return std::nullopt;
  }
  std::int64_t exponent = 0;
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool down = false;
    if (p != end && (*p == '-' || *p == '+')) down = *p++ == '-';
    const char* const start = p;
    constexpr std::int64_t kSaturated = std::int64_t{1} << 60;
    while (p != end && is_digit(*p)) {
      exponent = std::min(exponent * 10 + (*p++ - '0'), kSaturated / 10);
    }
    if (p == start) return std::nullopt;
    if (down) exponent = -exponent;
  }
  if (p != end) return std::nullopt;

  if (out.count == 0) return Decimal{};
  exponent += first_place;
  if (exponent < kMinExponent || exponent > kMaxExponent) return std::nullopt;
  out.exponent = static_cast<int>(exponent);
  return out;
}

std::string format(const Decimal& d) {
  if (d.count == 0) return "0";
  const auto count = static_cast<int>(d.count);
  const std::string_view digits = d.view();
  std::string out;
  if (d.negative) out += '-';
  const int whole = std::max(d.exponent + 1, 1);
  const int fraction = std::max(count - 1 - d.exponent, 0);
  const int plain = (d.negative ? 1 : 0) + whole + (fraction > 0 ? 1 + fraction : 0);
  if (plain > static_cast<int>(kMaxPlainText)) {
    out += digits[0];
    if (count > 1) out.append(1, '.').append(digits.substr(1));
    out.append(d.exponent < 0 ? "E-" : "E+").append(std::to_string(std::abs(d.exponent)));
  } else if (d.exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-d.exponent - 1), '0').append(digits);
  } else if (count <= whole) {
    out.append(digits).append(static_cast<std::size_t>(whole - count), '0');
  } else {
    const auto point = static_cast<std::size_t>(whole);
    out.append(digits.substr(0, point)).append(1, '.').append(digits.substr(point));
  }
  return out;
}

std::size_t billed(std::size_t integer_digits, std::size_t fraction_digits, bool negative) {
  return 1 + (integer_digits + 1) / 2 + (fraction_digits + 1) / 2 + (negative ? 1 : 0);
}

std::size_t billed(const Decimal& d) {
  if (d.count == 0) return 1;
  const auto whole = static_cast<std::size_t>(std::max(d.exponent + 1, 0));
  const std::size_t integer_digits = std::min(d.count, whole);
  return billed(integer_digits, d.count - integer_digits, d.negative);
}

// REQUIRES: is_plain_canonical(text)
std::size_t billed_plain(std::string_view text) {
  if (text == "0") return 1;
  const bool negative = text[0] == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) {
    return billed(text.find_last_not_of('0') + 1, 0, negative);
  }
  std::string_view fraction = text.substr(point + 1);
  if (text[0] != '0') return billed(point, fraction.size(), negative);
  fraction.remove_prefix(fraction.find_first_not_of('0'));
  return billed(0, fraction.size(), negative);
}

// Canonical text always parses.
Decimal decimal_of(const std::string& text) { return *parse_decimal(text); }

std::strong_ordering compare_magnitude(const Decimal& a, const Decimal& b) {
  if (a.count == 0 || b.count == 0) return a.count <=> b.count;
  if (a.exponent != b.exponent) return a.exponent <=> b.exponent;
  return a.view().compare(b.view()) <=> 0;
}

// One digit for every place a number can have, the least first, and one for the carry.
constexpr int kLowestPlace = kMinExponent - static_cast<int>(kMaxNumberDigits) + 1;
using Places = std::array<signed char, kMaxExponent - kLowestPlace + 2>;

void accumulate(Places& places, const Decimal& d, int factor) {
  std::size_t place = static_cast<std::size_t>(d.exponent - kLowestPlace);
  for (char c : d.view()) {
    places[place] = static_cast<signed char>(places[place] + factor * (c - '0'));
    --place;
  }
}

std::optional<Decimal> sum(const Decimal& a, const Decimal& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  // The larger magnitude gives the sign, so that no borrow leaves the top.
  const bool b_larger = compare_magnitude(a, b) < 0;
  const Decimal& large = b_larger ? b : a;
  const Decimal& small = b_larger ? a : b;
  Places places{};
  accumulate(places, large, 1);
  accumulate(places, small, large.negative == small.negative ? 1 : -1);

  int carry = 0;
  int low = -1, high = -1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    int digit = places[i] + carry;
    carry = digit > 9 ? 1 : digit < 0 ? -1 : 0;
    digit -= 10 * carry;
    places[i] = static_cast<signed char>(digit);
    if (digit == 0) continue;
    high = static_cast<int>(i);
    if (low < 0) low = high;
  }
  Decimal out;
  if (high < 0) return out;
  out.negative = large.negative;
  out.exponent = high + kLowestPlace;
  if (high - low >= static_cast<int>(kMaxNumberDigits)) return std::nullopt;
  if (out.exponent > kMaxExponent || out.exponent < kMinExponent) return std::nullopt;
  for (int i = high; i >= low; --i) {
    out.digits[out.count++] = static_cast<char>('0' + places[static_cast<std::size_t>(i)]);
  }
  return out;
}

template <class Integer>
std::optional<Integer> integer_of(const std::string& text) {
  Integer value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

Number::Number(std::int64_t value) {
  std::array<char, 24> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text_.assign(buffer.data(), result.ptr);
}

Number::Number(std::uint64_t value) {
  std::array<char, 24> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text_.assign(buffer.data(), result.ptr);
}

std::optional<Number> Number::parse(std::string_view text) {
  if (is_plain_canonical(text)) return Number(Canonical{}, text);
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  return Number(Canonical{}, format(*decimal));
}

std::size_t Number::billed_bytes() const { return *billed_bytes_of(text_); }

std::optional<std::size_t> Number::billed_bytes_of(std::string_view text) {
  if (is_plain_canonical(text)) return billed_plain(text);
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  return billed(*decimal);
}

std::optional<std::int64_t> Number::as_int64() const { return integer_of<std::int64_t>(text_); }

std::optional<std::uint64_t> Number::as_uint64() const { return integer_of<std::uint64_t>(text_); }

std::optional<Number> add(const Number& a, const Number& b) {
  const std::optional<std::int64_t> x = a.as_int64(), y = b.as_int64();
  std::int64_t small;
  if (x && y && !__builtin_add_overflow(*x, *y, &small)) return Number(small);
  const std::optional<Decimal> result = sum(decimal_of(a.text_), decimal_of(b.text_));
  if (!result) return std::nullopt;
  return Number(Number::Canonical{}, format(*result));
}

std::optional<Number> subtract(const Number& a, const Number& b) {
  const std::optional<std::int64_t> x = a.as_int64(), y = b.as_int64();
  std::int64_t small;
  if (x && y && !__builtin_sub_overflow(*x, *y, &small)) return Number(small);
  Decimal negated = decimal_of(b.text_);
  negated.negative = !negated.negative;
  const std::optional<Decimal> result = sum(decimal_of(a.text_), negated);
  if (!result) return std::nullopt;
  return Number(Number::Canonical{}, format(*result));
}

std::strong_ordering Number::operator<=>(const Number& other) const {
  if (text_ == other.text_) return std::strong_ordering::equal;
  const Decimal a = decimal_of(text_);
  const Decimal b = decimal_of(other.text_);
  // Zero is never negative, so the signs alone decide when they differ.
  if (a.negative != b.negative) {
    return a.negative ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return a.negative ? compare_magnitude(b, a) : compare_magnitude(a, b);
}

}  // namespace table
