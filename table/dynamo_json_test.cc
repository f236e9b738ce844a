#include <gtest/gtest.h>

#include <string>

#include "table/item_json.h"
#include "table/random_item.h"

namespace table {
namespace {

Number number(std::string_view text) { return *Number::parse(text); }

std::string error_of(std::string_view json) {
  std::string error;
  EXPECT_EQ(from_dynamo_json(json, &error), std::nullopt) << json;
  return error;
}

TEST(DynamoJsonTest, EveryType) {
  const struct {
    Value value;
    std::string json;
  } kCases[] = {
      {"PATH#/docs/a.txt", R"({"S":"PATH#/docs/a.txt"})"},
      {12, R"({"N":"12"})"},
      {number("1E-100"), R"({"N":"1E-100"})"},
      {Binary{"foo"}, R"({"B":"Zm9v"})"},
      {true, R"({"BOOL":true})"},
      {false, R"({"BOOL":false})"},
      {Null{}, R"({"NULL":true})"},
      {List{}, R"({"L":[]})"},
      {List{1, "a"}, R"({"L":[{"N":"1"},{"S":"a"}]})"},
      {Item{}, R"({"M":{}})"},
      {Item{{"a", 1}, {"b", List{true}}}, R"({"M":{"a":{"N":"1"},"b":{"L":[{"BOOL":true}]}}})"},
      {StringSet{{"a", "b"}}, R"({"SS":["a","b"]})"},
      {NumberSet{{-1, 2}}, R"({"NS":["-1","2"]})"},
      {BinarySet{{Binary{"f"}, Binary{"foo"}}}, R"({"BS":["Zg==","Zm9v"]})"},
      {"\"\xC3\xA9\n", "{\"S\":\"\\\"\xC3\xA9\\n\"}"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(to_dynamo_json(c.value), c.json);
    std::string error;
    EXPECT_EQ(from_dynamo_json("{\"a\":" + c.json + "}", &error), (Item{{"a", c.value}}))
        << c.json << " " << error;
  }
}

TEST(DynamoJsonTest, Items) {
  const Item item{{"sizeBytes", 12}, {"kind", "file"}};
  EXPECT_EQ(to_dynamo_json(item), R"({"kind":{"S":"file"},"sizeBytes":{"N":"12"}})");
  EXPECT_EQ(to_dynamo_json("DRIVE#home", "PATH#/a", item),
            R"({"pk":{"S":"DRIVE#home"},"sk":{"S":"PATH#/a"},)"
            R"("kind":{"S":"file"},"sizeBytes":{"N":"12"}})");
  EXPECT_EQ(to_dynamo_json("p", "s\xFF", Item{}),
            "{\"pk\":{\"S\":\"p\"},\"sk\":{\"S\":\"s\xEF\xBF\xBD\"}}");
  EXPECT_EQ(to_dynamo_json(Item{}), "{}");
}

TEST(DynamoJsonTest, ReadsWhatPeopleWrite) {
  std::string error;
  EXPECT_EQ(from_dynamo_json(" {\n  \"pk\": { \"S\": \"p\" },\n  \"n\": {\"N\": \"1.50e1\"},"
                             "\"s\": {\"NS\": [ \"10\", \"2\" ]} }\n",
                             &error),
            (Item{{"n", 15}, {"pk", "p"}, {"s", NumberSet{{2, 10}}}}))
      << error;
  EXPECT_EQ(from_dynamo_json("{}", nullptr), Item{});
  EXPECT_EQ(from_dynamo_json("{", nullptr), std::nullopt);
}

TEST(DynamoJsonTest, SaysWhatIsWrongAndWhere) {
  const struct {
    std::string json, error;
  } kCases[] = {
      {"", "byte 0: expected an object"},
      {"[]", "byte 0: expected an object"},
      {"{} x", "byte 3: unexpected text after the item"},
      {"{1", "byte 1: expected an attribute name in quotes"},
      {R"({"a)", "byte 3: not a well-formed string"},
      {R"({"a" 1})", R"(byte 5: attribute "a": expected ':' after the name)"},
      {R"({"":{"S":"x"}})", "byte 3: an attribute name is empty"},
      {R"({"a":{"M":{"":{"S":"x"}}}})", R"(byte 13: attribute "a": an attribute name is empty)"},
      {R"({"a":{"N":"1"},"a":{"N":"1"}})", R"(byte 18: attribute "a": the name "a" is repeated)"},
      {R"({"a":"text"})",
       R"(byte 5: attribute "a": expected a value with its type, like {"S": "text"})"},
      {R"({"a":{}})", R"(byte 6: attribute "a": expected a type, like "S")"},
      {R"({"a":{"S"}})", R"(byte 9: attribute "a": expected ':' after the type)"},
      {R"({"a":{"X":1}})", R"(byte 10: attribute "a": unknown type "X")"},
      {R"({"a":{"s":"x"}})", R"(byte 10: attribute "a": unknown type "s")"},
      {R"({"a":{"S":1}})", R"(byte 10: attribute "a": S needs a string)"},
      {R"({"a":{"S":"x","N":"1"}})",
       R"(byte 13: attribute "a": expected '}': a value has one type)"},
      {R"({"a":{"S":"x"} "b")", R"(byte 15: attribute "a": expected ',' or '}')"},
      {R"({"a":{"N":12}})",
       R"(byte 10: attribute "a": a number is written as a string, like "12")"},
      {R"({"a":{"N":"1x"}})", R"(byte 14: attribute "a": "1x" is not a number of at most 38 digits)"
                              R"( between 1E-130 and 9.9...E+125)"},
      {R"({"a":{"NS":["1",""]}})", R"(byte 18: attribute "a": "" is not a number of at most 38 )"
                                   R"(digits between 1E-130 and 9.9...E+125)"},
      {R"({"a":{"B":"Zg="}})", R"(byte 15: attribute "a": not base64)"},
      {R"({"a":{"B":1}})", R"(byte 10: attribute "a": binary is written as base64 in a string)"},
      {R"({"a":{"BOOL":"true"}})", R"(byte 13: attribute "a": BOOL needs true or false)"},
      {R"({"a":{"NULL":false}})", R"(byte 13: attribute "a": NULL needs true)"},
      {R"({"a":{"L":{}}})", R"(byte 10: attribute "a": expected an array)"},
      {R"({"a":{"L":[{"N":"1"} 2]}})", R"(byte 21: attribute "a": expected ',' or ']')"},
      {R"({"a":{"SS":[]}})", R"(byte 13: attribute "a": a set is never empty)"},
      {R"({"a":{"SS":["x",1]}})", R"(byte 16: attribute "a": SS needs strings)"},
      {R"({"a":{"SS":["x","y","x"]}})", R"(byte 24: attribute "a": a set holds each member once)"},
      {R"({"a":{"NS":["1","1.0"]}})", R"(byte 22: attribute "a": a set holds each member once)"},
      {R"({"b":{"S":"x"},"a":{"M":{"c":{"S":"\q"}}}})",
       R"(byte 37: attribute "a": not a well-formed string)"},
  };
  for (const auto& c : kCases) EXPECT_EQ(error_of(c.json), c.error) << c.json;
}

TEST(DynamoJsonTest, NestsThirtyTwoDeep) {
  const auto lists = [](int depth) {
    std::string json = R"({"S":"x"})";
    for (int i = 0; i < depth; ++i) json = R"({"L":[)" + json + "]}";
    return R"({"a":)" + json + "}";
  };
  std::string error;
  EXPECT_TRUE(from_dynamo_json(lists(32), &error)) << error;
  EXPECT_NE(error_of(lists(33)).find("more than 32 deep"), std::string::npos);
}

TEST(DynamoJsonTest, ItemsComeBack) {
  RandomItem random(4);
  for (int i = 0; i < 20000; ++i) {
    const Item item = random.item(4);
    const std::string json = to_dynamo_json(item);
    std::string error;
    ASSERT_EQ(from_dynamo_json(json, &error), item) << json << " " << error;
  }
}

}  // namespace
}  // namespace table
