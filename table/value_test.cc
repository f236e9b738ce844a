#include "table/value.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "table/utf8.h"

namespace table {
namespace {

Number number(std::string_view text) { return *Number::parse(text); }

TEST(ItemTest, IsSortedByUnsignedBytes) {
  const Item item{{"z", 1}, {"\xC3\xA9", 2}, {"a", 3}, {"B", 4}, {"", 5}};
  std::vector<std::string> names;
  for (const auto& [name, value] : item.entries()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"", "B", "a", "z", "\xC3\xA9"}));
}

TEST(ItemTest, TheLastOfEqualNamesWins) {
  const Item item{{"a", 1}, {"b", 2}, {"a", 3}};
  EXPECT_EQ(item, (Item{{"a", 3}, {"b", 2}}));
}

TEST(ItemTest, BehavesLikeAMap) {
  std::mt19937 random(7);
  Item item;
  std::map<std::string, int> model;
  for (int i = 0; i < 5000; ++i) {
    const std::string name(random() % 3, static_cast<char>('a' + random() % 10));
    switch (random() % 3) {
      case 0:
        item.set(name, i);
        model[name] = i;
        break;
      case 1:
        EXPECT_EQ(item.erase(name), model.erase(name) == 1);
        break;
      default: {
        const Value* const found = item.find(name);
        const auto expected = model.find(name);
        ASSERT_EQ(found != nullptr, expected != model.end());
        if (found != nullptr) {
          EXPECT_EQ(*found, Value(expected->second));
        }
      }
    }
    ASSERT_EQ(item.size(), model.size());
    ASSERT_EQ(item.empty(), model.empty());
  }
  auto expected = model.begin();
  for (const auto& [name, value] : item.entries()) {
    EXPECT_EQ(name, expected->first);
    EXPECT_EQ(value, Value(expected->second));
    ++expected;
  }
}

TEST(ItemTest, ValuesChangeInPlace) {
  Item item{{"m", Item{{"x", 1}}}};
  *item.find("m") = 2;
  EXPECT_EQ(item, (Item{{"m", 2}}));
}

TEST(ValueTest, TypesAndTheirNames) {
  const struct {
    Value value;
    Type type;
    std::string_view name;
  } kCases[] = {
      {"text", Type::S, "S"},
      {std::string_view("text"), Type::S, "S"},
      {1, Type::N, "N"},
      {std::uint64_t{1}, Type::N, "N"},
      {Binary{"b"}, Type::B, "B"},
      {true, Type::BOOL, "BOOL"},
      {Value(), Type::NUL, "NULL"},
      {List{1}, Type::L, "L"},
      {Item{{"a", 1}}, Type::M, "M"},
      {StringSet{{"a"}}, Type::SS, "SS"},
      {NumberSet{{1}}, Type::NS, "NS"},
      {BinarySet{{Binary{"a"}}}, Type::BS, "BS"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(c.value.type(), c.type) << c.name;
    EXPECT_EQ(type_name(c.value.type()), c.name);
    EXPECT_EQ(c.value.if_string() != nullptr, c.type == Type::S) << c.name;
    EXPECT_EQ(c.value.if_number() != nullptr, c.type == Type::N) << c.name;
    EXPECT_EQ(c.value.if_binary() != nullptr, c.type == Type::B) << c.name;
    EXPECT_EQ(c.value.if_map() != nullptr, c.type == Type::M) << c.name;
  }
}

TEST(ValueTest, EqualityNeedsTheSameType) {
  EXPECT_EQ(Value("1"), Value("1"));
  EXPECT_FALSE(Value("1") == Value(1));
  EXPECT_FALSE(Value("1") == Value(Binary{"1"}));
  EXPECT_FALSE(Value(true) == Value(1));
  EXPECT_FALSE(Value(List{}) == Value(Item{}));
}

TEST(BilledBytesTest, EveryType) {
  const struct {
    const char* what;
    Value value;
    std::size_t bytes;
  } kCases[] = {
      {"empty S", "", 0},
      {"S", "hello", 5},
      {"S is billed in UTF-8", "\xC3\xA9\xF0\x9D\x84\x9E", 6},
      {"N", number("12345"), 4},
      {"negative N", -42, 3},
      {"B, raw", Binary{std::string("\0\xFF\x01", 3)}, 3},
      {"BOOL", false, 1},
      {"NULL", Null{}, 1},
      {"empty L", List{}, 3},
      {"L: 3 + (2 + 1) + (5 + 1)", List{42, "hello"}, 12},
      {"L in L: 3 + (3 + (1 + 1) + 1)", List{List{true}}, 9},
      {"empty M", Item{}, 3},
      {"M: 3 + (1 + 2 + 1) + (3 + 1 + 1)", Item{{"a", 42}, {"key", true}}, 12},
      {"M in M: 3 + (1 + (3 + (1 + 1 + 1)) + 1)", Item{{"a", Item{{"b", Null{}}}}}, 11},
      {"SS", StringSet{{"a", "bcd"}}, 4},
      {"NS", NumberSet{{42, 12345}}, 6},
      {"BS", BinarySet{{Binary{"ab"}, Binary{"c"}}}, 3},
  };
  for (const auto& c : kCases) EXPECT_EQ(billed_bytes(c.value), c.bytes) << c.what;
}

TEST(BilledBytesTest, ItemsIncludeKeysAndNames) {
  EXPECT_EQ(billed_bytes("DRIVE#d1", "PATH#/docs/a.txt",
                         Item{{"kind", "file"}, {"sizeBytes", 12345}, {"owner", "ann"}}),
            57U);
  EXPECT_EQ(billed_bytes("p", "s", Item{}), 6U);
  EXPECT_EQ(billed_bytes("", "", Item{{"\xC3\xA9", ""}}), 6U);
}

TEST(Utf8Test, WellFormed) {
  const std::string kCases[] = {
      "",
      "plain",
      std::string("\0", 1),
      "\xC2\x80",
      "\xDF\xBF",
      "\xE0\xA0\x80",
      "\xED\x9F\xBF",
      "\xEE\x80\x80",
      "\xEF\xBF\xBF",
      "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF",
      "seven b\xC3\xA9yond a word",
  };
  for (const std::string& text : kCases) EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Utf8Test, IllFormed) {
  const std::string kCases[] = {
      "\x80",              // continuation alone
      "\xBF",              //
      "\xC0\x80",          // overlong NUL
      "\xC1\xBF",          // overlong
      "\xE0\x9F\xBF",      // overlong
      "\xF0\x8F\xBF\xBF",  // overlong
      "\xED\xA0\x80",      // surrogates
      "\xED\xBF\xBF",      //
      "\xF4\x90\x80\x80",  // beyond U+10FFFF
      "\xF5\x80\x80\x80",  //
      "\xFF",              //
      "\xC3",              // cut short
      "\xE2\x82",          //
      "\xF0\x9F\x98",      //
      "\xC3(",             // continuation missing
      "\xE2\x28\xA1",      //
      "12345678\xC3",      // after a whole word
      "1234567\xFF",       // in its last byte
  };
  for (const std::string& text : kCases) EXPECT_FALSE(is_utf8(text)) << text;
}

// Counting needs no second decoder to compare with: the number of characters of each length is
// known.
TEST(Utf8Test, EverySequenceOfThreeBytesAndLess) {
  std::string text(1, '\0');
  const auto count = [&](std::size_t at, auto& self) -> int {
    int valid = 0;
    for (int c = at == 0 && text.size() == 3 ? 0xE0 : 0; c < 256; ++c) {
      text[at] = static_cast<char>(c);
      valid += at + 1 < text.size() ? self(at + 1, self) : is_utf8(text) ? 1 : 0;
    }
    return valid;
  };
  EXPECT_EQ(count(0, count), 0x80);
  text.assign(2, '\0');
  EXPECT_EQ(count(0, count), 0x80 * 0x80 + (0x800 - 0x80));
  text.assign(3, '\0');
  EXPECT_EQ(count(0, count), 0x10000 - 0x800 - 0x800);
}

TEST(Utf8Test, FourBytesAtTheirBounds) {
  int valid = 0;
  for (int lead = 0xF0; lead < 0x100; ++lead) {
    for (int second = 0; second < 0x100; ++second) {
      for (const char third : {'\x7F', '\x80', '\xBF', '\xC0'}) {
        for (const char fourth : {'\x7F', '\x80', '\xBF', '\xC0'}) {
          const char text[] = {static_cast<char>(lead), static_cast<char>(second), third, fourth};
          valid += is_utf8(std::string_view(text, 4)) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(valid, (0x110000 - 0x10000) / 0x1000 * 2 * 2);
}

TEST(Utf8Test, InvalidPartsAreMaximal) {
  const struct {
    std::string text;
    std::size_t bytes;
  } kCases[] = {
      {"\x80\x80", 1},         {"\xC3(", 1},    {"\xC3", 1},         {"\xE2\x82(", 2},
      {"\xE2\x82", 2},         {"\xED\xA0", 1}, {"\xF0\x9F\x98", 3}, {"\xF0\x9F\x98\xFF", 3},
      {"\xF4\x90\x80\x80", 1}, {"\xC0\x80", 1},
  };
  for (const auto& c : kCases) {
    const Utf8Step step = utf8_step(c.text.data(), c.text.data() + c.text.size());
    EXPECT_FALSE(step.valid);
    EXPECT_EQ(step.bytes, c.bytes);
  }
}

}  // namespace
}  // namespace table
