#include "table/item_json.h"

#include <gtest/gtest.h>

#include <string>

#include "table/random_item.h"

namespace table {
namespace {

Number number(std::string_view text) { return *Number::parse(text); }

std::string nested(const std::string& open, int times, const std::string& inside,
                   const std::string& close) {
  std::string out;
  for (int i = 0; i < times; ++i) out += open;
  out += inside;
  for (int i = 0; i < times; ++i) out += close;
  return out;
}

const std::string kDigits38 = "-1234567890123456789012345678.9012345678";

TEST(ItemJsonTest, StoredForm) {
  const struct {
    Item item;
    std::string json;
  } kCases[] = {
      {{}, R"({})"},
      {{{"kind", "file"}, {"sizeBytes", 12345}, {"owner", "ann"}},
       R"({"kind":"file","owner":"ann","sizeBytes":12345})"},
      {{{"s", ""}}, R"({"s":""})"},
      {{{"n", number(kDigits38)}}, R"({"n":)" + kDigits38 + "}"},
      {{{"n", number("1E125")}}, R"({"n":1E+125})"},
      {{{"b", Binary{"\x01\xFF"}}}, R"({"b":{"B":"Af8="}})"},
      {{{"t", true}, {"f", false}, {"z", Null{}}}, R"({"f":false,"t":true,"z":null})"},
      {{{"l", List{}}}, R"({"l":[]})"},
      {{{"l", List{1, "a", List{true}, Item{{"x", 1}}}}}, R"({"l":[1,"a",[true],{"M":{"x":1}}]})"},
      {{{"m", Item{}}}, R"({"m":{"M":{}}})"},
      {{{"m", Item{{"M", Item{{"B", "b"}}}}}}, R"({"m":{"M":{"M":{"M":{"B":"b"}}}}})"},
      {{{"s", StringSet{{"a", "b"}}}}, R"({"s":{"SS":["a","b"]}})"},
      {{{"s", NumberSet{{-1, 2, 10}}}}, R"({"s":{"NS":[-1,2,10]}})"},
      {{{"s", BinarySet{{Binary{""}, Binary{"a"}}}}}, R"({"s":{"BS":["","YQ=="]}})"},
      {{{"\"\\\n", std::string("\0\x1F\x7F", 3)}},
       R"({"\"\\\n":"\u0000\u001f)"
       "\x7F\"}"},
      {{{"\xC3\xA9", "\xF0\x9D\x84\x9E"}}, "{\"\xC3\xA9\":\"\xF0\x9D\x84\x9E\"}"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(encode_item(c.item), c.json);
    EXPECT_EQ(decode_item(c.json), c.item) << c.json;
  }
}

TEST(ItemJsonTest, DecodesWhatOtherToolsWrite) {
  const struct {
    std::string json;
    Item item;
  } kCases[] = {
      {" \t\r\n{ \"b\" : 1 ,\n\"a\" : [ 1 , 2 ] } ", {{"a", List{1, 2}}, {"b", 1}}},
      {R"({"m":{ "M" : { "x" : { "B" : "YQ==" } } }})", {{"m", Item{{"x", Binary{"a"}}}}}},
      {R"({"a":1,"a":"last"})", {{"a", "last"}}},
      {R"({"n":[0,-0,0.50,1e3,1E-3,-1.5e+2]})",
       {{"n", List{0, 0, number("0.5"), 1000, number("0.001"), -150}}}},
      {R"({"n":12345678901234567890123456789012345678})",
       {{"n", number("12345678901234567890123456789012345678")}}},
      {R"({"\u0061\/b":"\b\f\n\r\t\"\\\/"})", {{"a/b", "\b\f\n\r\t\"\\/"}}},
      {R"({"s":"\u00e9\u4E2D\ud834\uDD1E\u0000"})",
       {{"s", std::string("\xC3\xA9\xE4\xB8\xAD\xF0\x9D\x84\x9E\0", 10)}}},
      {R"({"\u0062":1,"\u0061a":2,"b":3})", {{"aa", 2}, {"b", 3}}},
      {R"({"b":{"\u0042":"YQ=="}})", {{"b", Binary{"a"}}}},
      {R"({"s":{"SS":["b","a","b"]}})", {{"s", StringSet{{"a", "b"}}}}},
      {R"({"s":{"NS":[10,2,1e1]}})", {{"s", NumberSet{{2, 10}}}}},
      {R"({"s":{"BS":["Yg==","YQ=="]}})", {{"s", BinarySet{{Binary{"a"}, Binary{"b"}}}}}},
      {R"({"":1})", {{"", 1}}},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(decode_item(c.json), c.item) << c.json;
    EXPECT_EQ(billed_bytes_of_json("pk", "sk", c.json), billed_bytes("pk", "sk", c.item)) << c.json;
  }
}

TEST(ItemJsonTest, RefusesWhatIsNotTheStoredForm) {
  const std::string kCases[] = {
      "",
      " ",
      "null",
      "[]",
      "1",
      "\"a\"",
      "{",
      "}",
      "{}}",
      "{} {}",
      "{}x",
      std::string("{}\0", 3),
      "\xEF\xBB\xBF{}",
      // Structure
      R"({a:1})",
      R"({'a':1})",
      R"({1:1})",
      R"({"a"})",
      R"({"a":})",
      R"({"a" 1})",
      R"({"a":1,})",
      R"({,"a":1})",
      R"({"a":1 "b":2})",
      R"({"a":1)",
      R"({"a":[1,]})",
      R"({"a":[,1]})",
      R"({"a":[1 2]})",
      R"({"a":[1})",
      R"({"a":1]})",
      R"({"a":1}/**/)",
      // Words and numbers
      R"({"a":True})",
      R"({"a":tru})",
      R"({"a":nul})",
      R"({"a":truex})",
      R"({"a":undefined})",
      R"({"a":NaN})",
      R"({"a":-})",
      R"({"a":+1})",
      R"({"a":01})",
      R"({"a":-01})",
      R"({"a":.5})",
      R"({"a":5.})",
      R"({"a":1e})",
      R"({"a":1e+})",
      R"({"a":0x1})",
      R"({"a":1 2})",
      R"({"a":1E126})",
      R"({"a":1E-131})",
      R"({"a":123456789012345678901234567890123456789})",
      // Strings
      R"({"a":"b)",
      R"({"a":"b\"})",
      R"({"a":"\x41"})",
      R"({"a":"\'"})",
      R"({"a":"\u12"})",
      R"({"a":"\u12G4"})",
      R"({"a":"\u123)",
      R"({"a":"\)",
      R"({"a":"\ud834"})",
      R"({"a":"\ud834x"})",
      R"({"a":"\ud834\n"})",
      R"({"a":"\ud834\u0041"})",
      R"({"a":"\ud834\ud834"})",
      R"({"a":"\udd1e"})",
      R"({"\udd1e":1})",
      "{\"a\":\"\n\"}",
      "{\"a\":\"tab\there\"}",
      std::string("{\"a\":\"\0\"}", 9),
      "{\"a\":\"\xFF\"}",
      "{\"a\":\"\xC3\"}",
      "{\"a\":\"\xED\xA0\x80\"}",
      "{\"a\":\"\\n\xFF\"}",
      "{\"a\":\"\\n\n\"}",
      "{\"\xFF\":1}",
      // Types
      R"({"a":{}})",
      R"({"a":{"X":1}})",
      R"({"a":{"m":{}}})",
      R"({"a":{"S":"b"}})",
      R"({"a":{"N":"1"}})",
      R"({"a":{"M":[]}})",
      R"({"a":{"M":{},"B":""}})",
      R"({"a":{"M":{}})",
      R"({"a":{"M":{},"b":1})",
      R"({"a":{"B":"YQ==","b":1})",
      R"({"a":{"SS":["a"],"b":1})",
      R"({"a":{"M" {}}})",
      R"({"a":{"B":1}})",
      R"({"a":{"B":"YQ"}})",
      R"({"a":{"B":"Y Q="}})",
      R"({"a":{"SS":"a"}})",
      R"({"a":{"SS":[1]}})",
      R"({"a":{"NS":["1"]}})",
      R"({"a":{"BS":["!"]}})",
      R"({"a":{"SS":["a",]}})",
  };
  for (const std::string& json : kCases) {
    EXPECT_EQ(decode_item(json), std::nullopt) << json;
    EXPECT_EQ(billed_bytes_of_json("pk", "sk", json), 8 + json.size()) << json;
  }
}

TEST(ItemJsonTest, NestsThirtyTwoDeep) {
  const struct {
    const char* what;
    std::string open, close;
  } kCases[] = {
      {"lists", "[", "]"},
      {"maps", R"({"M":{"a":)", "}}"},
      {"both", R"([{"M":{"a":)", "}}]"},
  };
  for (const auto& c : kCases) {
    const int each = c.what == std::string("both") ? 2 : 1;
    const std::string deepest = R"({"a":)" + nested(c.open, 32 / each, "1", c.close) + "}";
    const std::string deeper = R"({"a":)" + nested(c.open, 32 / each + 1, "1", c.close) + "}";
    const std::optional<Item> item = decode_item(deepest);
    ASSERT_TRUE(item) << c.what;
    EXPECT_EQ(encode_item(*item), deepest) << c.what;
    EXPECT_EQ(billed_bytes_of_json("pk", "sk", deepest), billed_bytes("pk", "sk", *item)) << c.what;
    EXPECT_FALSE(decode_item(deeper)) << c.what;
    EXPECT_EQ(billed_bytes_of_json("pk", "sk", deeper), 8 + deeper.size()) << c.what;
  }
  EXPECT_FALSE(decode_item(R"({"a":)" + nested("[", 1000000, "", "]") + "}"));
}

TEST(ItemJsonTest, BilledBytesOfTheWorkedExample) {
  EXPECT_EQ(billed_bytes_of_json("DRIVE#d1", "PATH#/docs/a.txt",
                                 R"({"kind":"file","owner":"ann","sizeBytes":12345})"),
            57U);
  EXPECT_EQ(billed_bytes_of_json("DRIVE#d1", "PATH#/docs/a.txt", "broken"), 10U + 18U + 6U);
}

TEST(ItemJsonTest, ItemsComeBack) {
  RandomItem random(1);
  for (int i = 0; i < 20000; ++i) {
    const Item item = random.item(4);
    const std::string json = encode_item(item);
    ASSERT_EQ(decode_item(json), item) << json;
    ASSERT_EQ(billed_bytes_of_json("pk", "sk", json), billed_bytes("pk", "sk", item)) << json;
  }
}

// Whatever stands in the table, what is billed agrees with what is decoded.
TEST(ItemJsonTest, DamagedItemsAreBilledAsTheyDecode) {
  RandomItem random(2);
  const std::string pieces = "{}[]\":,\\u0eE.-+19tfn \n\xC3\xA9MBSN";
  int decoded = 0, refused = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string json = encode_item(random.item(3));
    for (std::size_t n = random.below(3) + 1; n > 0; --n) {
      const std::size_t at = random.below(json.size());
      const char piece = pieces[random.below(pieces.size())];
      switch (random.below(4)) {
        case 0:
          json[at] = piece;
          break;
        case 1:
          json.insert(at, 1, piece);
          break;
        case 2:
          if (json.size() > 1) json.erase(at, 1);
          break;
        default:
          json.insert(at, json.substr(random.below(json.size()), random.below(12)));
      }
    }
    const std::optional<Item> item = decode_item(json);
    ++(item ? decoded : refused);
    ASSERT_EQ(billed_bytes_of_json("pk", "sk", json),
              item ? billed_bytes("pk", "sk", *item) : 8 + json.size())
        << json;
    if (item) {
      ASSERT_EQ(decode_item(encode_item(*item)), item) << json;
    }
  }
  EXPECT_GT(decoded, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(JsonStringTest, WritesAnyBytes) {
  const struct {
    std::string text, json;
  } kCases[] = {
      {"", R"("")"},
      {"PATH#/docs/a.txt", R"("PATH#/docs/a.txt")"},
      {"a\"b\\c/d", R"("a\"b\\c/d")"},
      {"\b\f\n\r\t\x01\x1F", R"("\b\f\n\r\t\u0001\u001f")"},
      {std::string("\0", 1), R"("\u0000")"},
      {"\xC3\xA9\xF0\x9D\x84\x9E", "\"\xC3\xA9\xF0\x9D\x84\x9E\""},
      {"a\xFF"
       "b",
       "\"a\xEF\xBF\xBD"
       "b\""},
      {"\xE2\x82x\xC3", "\"\xEF\xBF\xBDx\xEF\xBF\xBD\""},
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
  };
  for (const auto& c : kCases) EXPECT_EQ(json_string(c.text), c.json);
}

}  // namespace
}  // namespace table
