#include "table/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace table {
namespace {

const std::string kNines38(38, '9');

std::string zeros(std::size_t n) { return std::string(n, '0'); }

// An integer of up to 38 digits over 10^scale.  The shape is not canonical: padded with zeros.
std::string decimal_text(__int128 value, int scale) {
  const bool negative = value < 0;
  std::string digits;
  for (__int128 rest = negative ? -value : value; rest != 0; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  while (static_cast<int>(digits.size()) <= scale) digits += '0';
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  return (negative ? "-" : "") + digits;
}

Number number(const std::string& text) {
  const std::optional<Number> parsed = Number::parse(text);
  if (!parsed) ADD_FAILURE() << text;
  return parsed.value_or(Number());
}

TEST(NumberTest, TextIsCanonical) {
  const struct {
    std::string text, canonical;
  } kCases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+0", "0"},
      {"-0.000", "0"},
      {"0e999999999999999999999", "0"},
      {"7", "7"},
      {"+7", "7"},
      {"-7", "-7"},
      {"007", "7"},
      {"-007.50", "-7.5"},
      {"100", "100"},
      {"1e2", "100"},
      {"1E+2", "100"},
      {"100.00", "100"},
      {"0.5", "0.5"},
      {"5e-1", "0.5"},
      {"50.0e-2", "0.5"},
      {"12.5", "12.5"},
      {"0.0000001", "0.0000001"},
      {"1e-7", "0.0000001"},
      {"1234567890.123456789", "1234567890.123456789"},
      {"9223372036854775808", "9223372036854775808"},
      {kNines38, kNines38},
      {"-0.5", "-0.5"},
      {"0." + kNines38, "0." + kNines38},
      {"-" + kNines38.substr(1) + ".9", "-" + kNines38.substr(1) + ".9"},
      // Plain up to 40 characters, the sign and the point among them.
      {"1" + zeros(39), "1" + zeros(39)},
      {"1" + zeros(40), "1E+40"},
      {"-1" + zeros(39), "-1E+39"},
      {"0." + zeros(37) + "1", "0." + zeros(37) + "1"},
      {"0." + zeros(38) + "1", "1E-39"},
      {"-0." + zeros(37) + "1", "-1E-38"},
      {"-0." + kNines38, "-9." + kNines38.substr(1) + "E-1"},
      // The ends of the range.
      {"1E125", "1E+125"},
      {"1" + zeros(125), "1E+125"},
      {"9." + kNines38.substr(1) + "e125", "9." + kNines38.substr(1) + "E+125"},
      {"-9." + kNines38.substr(1) + "e125", "-9." + kNines38.substr(1) + "E+125"},
      {"1E-130", "1E-130"},
      {"0." + zeros(129) + "1", "1E-130"},
      {"1.5E-130", "1.5E-130"},
      // Long texts of small numbers.
      {"0." + zeros(500) + "1e501", "1"},
      {"1" + zeros(500) + "e-500", "1"},
      {zeros(500) + "1" + zeros(3) + "." + zeros(500), "1000"},
  };
  for (const auto& c : kCases) {
    const std::optional<Number> parsed = Number::parse(c.text);
    ASSERT_TRUE(parsed) << c.text;
    EXPECT_EQ(parsed->text(), c.canonical) << c.text;
  }
}

TEST(NumberTest, RefusesWhatIsNoNumberOrOutOfRange) {
  const std::string kCases[] = {
      "",
      " ",
      "-",
      "+",
      ".",
      ".5",
      "5.",
      "-.5",
      "1e",
      "1e+",
      "1e1.5",
      "e5",
      "1 ",
      " 1",
      "1,5",
      "--1",
      "+-1",
      "1.2.3",
      "0x10",
      "NaN",
      "Infinity",
      "1_000",
      "\xD9\xA1",
      std::string("1\0", 2),
      kNines38 + "9",
      "1" + zeros(37) + "1",
      "0." + kNines38 + "9",
      "1." + zeros(37) + "1",
      "1E126",
      "1" + zeros(126),
      "-1E126",
      "9.9E-131",
      "1E-131",
      "0." + zeros(130) + "1",
      "1E99999999999999999999999",
      "1E-99999999999999999999999",
  };
  for (const std::string& text : kCases) {
    EXPECT_FALSE(Number::parse(text)) << text;
    EXPECT_FALSE(Number::billed_bytes_of(text)) << text;
  }
}

TEST(NumberTest, BilledBytes) {
  const struct {
    std::string text;
    std::size_t bytes;
  } kCases[] = {
      {"42", 2},
      {"-42", 3},
      {"12345", 4},
      {"0.0000001", 2},
      {"1E125", 2},
      {"0", 1},
      {"100", 2},
      {"1200", 2},
      {"-100", 3},
      {"100.5", 4},
      {"0.05", 2},
      {"1.05", 3},
      {"0.5", 2},
      {"-0.5", 3},
      {"10.01", 3},
      {"12.34", 3},
      {"123.456", 5},
      {"1e-130", 2},
      {"-1e-130", 3},
      {"0.0012", 2},
      {"0.00123", 3},
      {"1.5E100", 2},
      {"1.23E100", 3},
      {kNines38, 20},
      {"-" + kNines38, 21},
      {"0." + kNines38, 20},
      {"1764563384.123456789", 11},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(number(c.text).billed_bytes(), c.bytes) << c.text;
    EXPECT_EQ(Number::billed_bytes_of(c.text), c.bytes) << c.text;
  }
}

TEST(NumberTest, Integers) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kUnsignedMax = std::numeric_limits<std::uint64_t>::max();
  for (const std::int64_t value :
       {kMin, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMax}) {
    EXPECT_EQ(Number(value).text(), std::to_string(value));
    EXPECT_EQ(Number(value).as_int64(), value);
    EXPECT_EQ(Number(value), number(std::to_string(value)));
  }
  EXPECT_EQ(Number(kUnsignedMax).text(), "18446744073709551615");
  EXPECT_EQ(Number(kUnsignedMax).as_uint64(), kUnsignedMax);
  EXPECT_EQ(Number(kUnsignedMax).as_int64(), std::nullopt);
  EXPECT_EQ(number("18446744073709551616").as_uint64(), std::nullopt);
  EXPECT_EQ(number("-9223372036854775809").as_int64(), std::nullopt);
  EXPECT_EQ(Number(-1).as_uint64(), std::nullopt);
  EXPECT_EQ(number("1.5").as_int64(), std::nullopt);
  EXPECT_EQ(number("1E+50").as_int64(), std::nullopt);
  EXPECT_EQ(number("12e2").as_int64(), 1200);
  EXPECT_EQ(Number().text(), "0");
}

TEST(NumberTest, OrderIsNumeric) {
  const std::string kAscending[] = {
      "-9.9E125", "-1E125", "-1E40",  "-1000",   "-999.5", "-10",    "-9.99",   "-1",
      "-0.5",     "-0.05",  "-1E-40", "-1E-130", "0",      "1E-130", "1E-40",   "0.05",
      "0.0501",   "0.5",    "1",      "1.05",    "1.5",    "9.99",   "10",      "99",
      "100",      "999.5",  "1000",   "1E40",    "1.1E40", "1E125",  "9.9E125",
  };
  for (const std::string& a : kAscending) {
    for (const std::string& b : kAscending) {
      EXPECT_EQ(number(a) <=> number(b), (&a - kAscending) <=> (&b - kAscending)) << a << " " << b;
      EXPECT_EQ(number(a) == number(b), &a == &b) << a << " " << b;
    }
  }
}

TEST(NumberTest, Sums) {
  const std::string kAlmostOne = "0." + kNines38;
  const struct {
    std::string a, b, sum;  // "": not representable
  } kCases[] = {
      {"0", "0", "0"},
      {"1", "2", "3"},
      {"5", "-5", "0"},
      {"999", "1", "1000"},
      {"1000", "-1", "999"},
      {"1", "-1000", "-999"},
      {"0.1", "0.2", "0.3"},
      {"0.1", "-1", "-0.9"},
      {"-0.5", "-0.5", "-1"},
      {"9223372036854775807", "1", "9223372036854775808"},
      {"-9223372036854775808", "-1", "-9223372036854775809"},
      {kNines38, "1", "1" + zeros(38)},
      {kNines38, "0.1", ""},
      {kNines38, "2", ""},
      {"1" + zeros(38), "1", ""},
      {"1" + zeros(37), "1", "1" + zeros(36) + "1"},
      {kAlmostOne, "1E-38", "1"},
      {"1", "-1E-38", kAlmostOne},
      {"1", "-1E-39", ""},
      {"1E125", "1E-130", ""},
      {"1E125", "0", "1E+125"},
      {"0", "1E-130", "1E-130"},
      {"5E125", "5E125", ""},
      {"9E125", "9E124", "9.9E+125"},
      {"1E-130", "1E-130", "2E-130"},
      {"1.5E-130", "-1E-130", ""},  // 5E-131
      {"1E125", "-1E125", "0"},
  };
  for (const auto& c : kCases) {
    const std::optional<Number> forward = add(number(c.a), number(c.b));
    const std::optional<Number> backward = add(number(c.b), number(c.a));
    EXPECT_EQ(forward ? forward->text() : "", c.sum) << c.a << " + " << c.b;
    EXPECT_EQ(backward ? backward->text() : "", c.sum) << c.b << " + " << c.a;
    const std::string negated = c.b[0] == '-' ? c.b.substr(1) : "-" + c.b;
    const std::optional<Number> difference = subtract(number(c.a), number(negated));
    EXPECT_EQ(difference ? difference->text() : "", c.sum) << c.a << " - " << negated;
  }
}

class NumberPropertyTest : public testing::Test {
 protected:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  // Of any length up to `digits`, so that short and long ones meet.
  __int128 integer(std::uint64_t digits) {
    __int128 value = 0;
    for (std::uint64_t n = below(digits + 1); n > 0; --n) {
      // Runs of 0 and 9 make carries and trimmed zeros.
      const std::uint64_t kind = below(4);
      value = value * 10 + static_cast<int>(kind == 0 ? 0 : kind == 1 ? 9 : below(10));
    }
    return below(2) == 0 ? value : -value;
  }

  std::mt19937_64 random_{20240607};
};

TEST_F(NumberPropertyTest, EverySpellingOfAValueIsOneNumber) {
  for (int i = 0; i < 20000; ++i) {
    const __int128 value = integer(38);
    const int scale = static_cast<int>(below(60));
    const std::string plain = decimal_text(value, scale);
    const std::optional<Number> expected = Number::parse(plain);
    ASSERT_TRUE(expected) << plain;
    EXPECT_EQ(Number::parse(expected->text()), expected) << plain;
    EXPECT_LE(expected->text().size(), 44U) << plain;
    EXPECT_EQ(Number::parse(decimal_text(value, 0) + "e-" + std::to_string(scale)), expected);
    EXPECT_EQ(Number::parse(decimal_text(value, scale + 7) + "E7"), expected) << plain;
    EXPECT_EQ(Number::billed_bytes_of(plain), expected->billed_bytes()) << plain;
  }
}

TEST_F(NumberPropertyTest, IntegersComeBack) {
  for (int i = 0; i < 20000; ++i) {
    const auto value = static_cast<std::int64_t>(integer(18));
    EXPECT_EQ(Number(value).as_int64(), value);
    EXPECT_EQ(Number::parse(std::to_string(value))->as_int64(), value);
  }
}

TEST_F(NumberPropertyTest, OrderIsThatOfIntegers) {
  for (int i = 0; i < 20000; ++i) {
    const __int128 a = integer(38);
    const __int128 b = below(4) == 0 ? a + static_cast<int>(below(3)) - 1 : integer(38);
    const int scale = static_cast<int>(below(60));
    const std::string left = decimal_text(a, scale), right = decimal_text(b, scale);
    const std::strong_ordering expected = a < b   ? std::strong_ordering::less
                                          : a > b ? std::strong_ordering::greater
                                                  : std::strong_ordering::equal;
    EXPECT_EQ(number(left) <=> number(right), expected) << left << " " << right;
  }
}

TEST_F(NumberPropertyTest, OrderIsThatOfLongDoubles) {
  for (int i = 0; i < 20000; ++i) {
    const auto text = [&] {
      return decimal_text(integer(6), 0) + "e" + std::to_string(static_cast<int>(below(240)) - 120);
    };
    const std::string a = text(), b = text();
    const long double x = std::strtold(a.c_str(), nullptr), y = std::strtold(b.c_str(), nullptr);
    EXPECT_EQ(number(a) < number(b), x < y) << a << " " << b;
  }
}

TEST_F(NumberPropertyTest, SumsAreThoseOfIntegers) {
  for (int i = 0; i < 20000; ++i) {
    const __int128 a = integer(37), b = integer(37);
    const int scale = static_cast<int>(below(60));
    const Number left = number(decimal_text(a, scale)), right = number(decimal_text(b, scale));
    EXPECT_EQ(add(left, right), Number::parse(decimal_text(a + b, scale)))
        << left.text() << " + " << right.text();
    EXPECT_EQ(subtract(left, right), Number::parse(decimal_text(a - b, scale)))
        << left.text() << " - " << right.text();
  }
}

}  // namespace
}  // namespace table
