// The expression language, case by case: what an expression says of an item, makes of it, or why it
// is refused.

#include "table/expression.h"

#include <gtest/gtest.h>

#include <string>

#include "table/item_json.h"
#include "table/reserved_words.h"

namespace table {
namespace {

Item item_of(const char* json) {
  std::string error;
  auto item = from_dynamo_json(json, &error);
  EXPECT_TRUE(item) << error;
  return item.value_or(Item{});
}

// pk "DRIVE#d", sk "PATH#/docs/a.txt" beside it.
const Item& item() {
  static const Item item = item_of(R"({
    "kind": {"S": "file"}, "owner": {"S": "ana"}, "sizeBytes": {"N": "12"}, "neg": {"N": "-1.5"},
    "utf": {"S": "𝄞é"}, "bytes": {"B": "AQID"}, "yes": {"BOOL": true}, "nil": {"NULL": true},
    "blank": {"S": ""}, "li": {"L": [{"N": "1"}, {"S": "two"}, {"L": [{"N": "3"}]}]},
    "mp": {"M": {"a": {"M": {"b": {"S": "deep"}}}, "name": {"S": "n"}, "n": {"N": "5"}}},
    "tags": {"SS": ["red", "blue"]}, "nums": {"NS": ["1", "2.50"]}, "bins": {"BS": ["AQ==", "Ag=="]},
    "a-b": {"N": "1"}, "a.b": {"N": "2"}, "_x1": {"N": "3"}})");
  return item;
}

Placeholders placeholders() {
  return Placeholders(
      {{"#owner", "owner"},
       {"#name", "name"},
       {"#dash", "a-b"},
       {"#dot", "a.b"},
       {"#map", "mp"},
       {"#pk", "pk"},
       {"#1", "kind"}},
      item_of(R"({":file": {"S": "file"}, ":folder": {"S": "folder"}, ":ana": {"S": "ana"},
        ":fi": {"S": "fi"}, ":e": {"S": ""}, ":1": {"N": "1"}, ":2": {"N": "2"}, ":3": {"N": "3"},
        ":5": {"N": "5"}, ":12": {"N": "12"}, ":100": {"N": "100"},
        ":t": {"BOOL": true}, ":f": {"BOOL": false}, ":nil": {"NULL": true}, ":b": {"B": "AQ=="},
        ":b3": {"B": "AQID"}, ":red": {"S": "red"}, ":two": {"S": "two"}, ":deep": {"S": "deep"},
        ":S": {"S": "S"}, ":N": {"S": "N"}, ":M": {"S": "M"}, ":L": {"S": "L"}, ":SS": {"S": "SS"},
        ":NS": {"S": "NS"}, ":BS": {"S": "BS"}, ":B": {"S": "B"}, ":BOOL": {"S": "BOOL"},
        ":NULL": {"S": "NULL"}, ":X": {"S": "X"}, ":list": {"L": [{"N": "9"}]},
        ":map": {"M": {"z": {"N": "1"}}}, ":ss": {"SS": ["red", "new"]},
        ":allss": {"SS": ["red", "blue"]}, ":ns": {"NS": ["2.5", "7"]}, ":bs": {"BS": ["AQ=="]},
        ":max": {"N": "9.9999999999999999999999999999999999999E+125"},
        ":pk": {"S": "DRIVE#d"}, ":sk": {"S": "PATH#/docs/a.txt"}, ":pre": {"S": "PATH#/docs/"},
        ":lo": {"S": "PATH#/a"}, ":hi": {"S": "PATH#/z"}})"));
}

struct Case {
  const char* expression;
  const char* expected;  // "true", "false", or what the error says
};

std::string outcome(const char* expression, ConditionUse use) {
  Placeholders p = placeholders();
  try {
    const Condition condition = parse_condition(expression, p, use);
    return holds(condition, "DRIVE#d", "PATH#/docs/a.txt", &item()) ? "true" : "false";
  } catch (const ValidationError& error) {
    return error.what();
  }
}

class ExpressionTest : public ::testing::Test {
 protected:
  static void expect(const std::string& expression, const std::string& got,
                     const std::string& expected) {
    if (expected == "true" || expected == "false") {
      EXPECT_EQ(got, expected) << expression;
    } else {
      EXPECT_NE(got.find(expected), std::string::npos) << expression << "\n  says " << got;
    }
  }
};

TEST_F(ExpressionTest, Conditions) {
  const Case cases[] = {
      // comparators
      {"kind = :file", "true"},
      {"kind=:file", "true"},
      {":file = kind", "true"},
      {"kind = :folder", "false"},
      {"kind <> :folder", "true"},
      {"kind <> :file", "false"},
      {"sizeBytes < :100", "true"},
      {"sizeBytes < :12", "false"},
      {"sizeBytes <= :12", "true"},
      {"sizeBytes > :5", "true"},
      {"sizeBytes > :12", "false"},
      {"sizeBytes >= :12", "true"},
      {"neg < :1", "true"},
      {"kind < :folder", "true"},
      {"bytes >= :b", "true"},
      {":1 < :2", "true"},
      {"sizeBytes = :file", "false"},
      {"sizeBytes <> :file", "true"},
      {"sizeBytes < :file", "false"},
      {"sizeBytes > :file", "false"},
      {"yes = :t", "true"},
      {"yes = :f", "false"},
      {"nil = :nil", "true"},
      {"blank = :e", "true"},
      {"gone = :1", "false"},
      {"gone <> :1", "true"},
      {"gone = away", "false"},
      {"mp.n = sizeBytes", "false"},
      {"tags = :allss", "true"},
      {"tags = :ss", "false"},
      // paths
      {"li[0] = :1", "true"},
      {"li[1] = :two", "true"},
      {"li[2][0] = :3", "true"},
      {"li[ 2 ] [0] = :3", "true"},
      {"li[3] = :1", "false"},
      {"mp.a.b = :deep", "true"},
      {"mp . a . b = :deep", "true"},
      {"mp.a.b.c = :deep", "false"},
      {"mp[0] = :1", "false"},
      {"#map.a.b = :deep", "true"},
      {"#owner = :ana", "true"},
      {"#1 = :file", "true"},
      {"#dash = :1", "true"},
      {"#dot = :2", "true"},
      {"_x1 = :3", "true"},
      {"pk = :pk", "true"},
      {"#pk = :pk AND sk = :sk", "true"},
      // AND, OR, NOT and what binds first
      {"kind = :file AND sizeBytes = :12", "true"},
      {"kind = :file and sizeBytes = :12", "true"},
      {"kind = :file And sizeBytes = :1", "false"},
      {"kind = :folder OR sizeBytes = :12", "true"},
      {"kind = :folder or sizeBytes = :1", "false"},
      {"kind = :file OR kind = :folder AND sizeBytes = :1", "true"},
      {"(kind = :file OR kind = :folder) AND sizeBytes = :1", "false"},
      {"NOT kind = :folder", "true"},
      {"NOT kind = :file", "false"},
      {"NOT NOT kind = :file", "true"},
      {"not (kind = :file AND sizeBytes = :1)", "true"},
      {"NOT kind = :folder AND sizeBytes = :12", "true"},
      {"NOT (kind = :folder OR sizeBytes = :12)", "false"},
      {"(kind = :file) AND (sizeBytes = :12)", "true"},
      {"((kind = :file) AND sizeBytes = :12)", "true"},
      {"kind = :file AND kind = :file AND kind = :file", "true"},
      // BETWEEN and IN
      {"sizeBytes BETWEEN :5 AND :100", "true"},
      {"sizeBytes BETWEEN :12 AND :12", "true"},
      {"sizeBytes between :1 and :5", "false"},
      {"sizeBytes BETWEEN :1 AND :100 AND kind = :file", "true"},
      {"sizeBytes BETWEEN mp.n AND :100", "true"},
      {"gone BETWEEN :1 AND :2", "false"},
      {"kind BETWEEN :1 AND :2", "false"},
      {"kind IN (:folder, :file)", "true"},
      {"kind IN (:folder)", "false"},
      {"kind in (:folder,:ana,:file)", "true"},
      {"sizeBytes IN (:1, mp.n)", "false"},
      {"NOT kind IN (:folder)", "true"},
      // functions
      {"attribute_exists(kind)", "true"},
      {"attribute_exists(gone)", "false"},
      {"attribute_exists(mp.a.b)", "true"},
      {"attribute_exists(li[2])", "true"},
      {"attribute_exists(li[9])", "false"},
      {"attribute_exists(nil)", "true"},
      {"attribute_exists(pk)", "true"},
      {"attribute_not_exists(gone)", "true"},
      {"attribute_not_exists(kind)", "false"},
      {"attribute_not_exists ( mp . zz )", "true"},
      {"attribute_type(kind, :S)", "true"},
      {"attribute_type(kind, :N)", "false"},
      {"attribute_type(sizeBytes, :N)", "true"},
      {"attribute_type(bytes, :B)", "true"},
      {"attribute_type(yes, :BOOL)", "true"},
      {"attribute_type(nil, :NULL)", "true"},
      {"attribute_type(li, :L)", "true"},
      {"attribute_type(mp, :M)", "true"},
      {"attribute_type(tags, :SS)", "true"},
      {"attribute_type(nums, :NS)", "true"},
      {"attribute_type(bins, :BS)", "true"},
      {"attribute_type(gone, :S)", "false"},
      {"begins_with(kind, :fi)", "true"},
      {"begins_with(kind, :folder)", "false"},
      {"begins_with(kind, :e)", "true"},
      {"begins_with(bytes, :b)", "true"},
      {"begins_with(sizeBytes, :fi)", "false"},
      {"begins_with(sk, :pre)", "true"},
      {"contains(kind, :fi)", "true"},
      {"contains(kind, :two)", "false"},
      {"contains(tags, :red)", "true"},
      {"contains(tags, :two)", "false"},
      {"contains(nums, :2)", "false"},
      {"contains(nums, :1)", "true"},
      {"contains(bins, :b)", "true"},
      {"contains(li, :two)", "true"},
      {"contains(li, :2)", "false"},
      {"contains(mp, :deep)", "false"},
      {"size(kind) = :5", "false"},
      {"size(utf) = :3", "true"},
      {"size(bytes) = :3", "true"},
      {"size(tags) = :2", "true"},
      {"size(li) = :3", "true"},
      {"size(mp) = :3", "true"},
      {"size(sizeBytes) = :2", "false"},
      {"size(kind) BETWEEN :3 AND :5", "true"},
      {"size(mp.a) < size(mp)", "true"},
      {"size(li) IN (:1, :3)", "true"},
      // refused: syntax
      {"", "Invalid ConditionExpression: The expression can not be empty;"},
      {"   ", "can not be empty"},
      {"kind", R"(Syntax error; token: <EOF>, near: "kind")"},
      {"kind =", "Syntax error; token: <EOF>"},
      {"= :1", R"(Syntax error; token: "=")"},
      {"kind == :file", R"(Syntax error; token: "=", near: "== :file")"},
      {"kind != :file", R"(Syntax error; token: "!")"},
      {"kind = :file AND", "Syntax error; token: <EOF>"},
      {"kind = :file AND AND kind = :file", R"(Syntax error; token: "AND")"},
      {"kind = :file kind = :file", R"(Syntax error; token: "kind")"},
      {"(kind = :file", "Syntax error; token: <EOF>"},
      {"kind = :file)", "Syntax error; token: \")\""},
      {"()", "Syntax error; token: \")\""},
      {"kind = 'file'", R"(Syntax error; token: "'")"},
      {"sizeBytes = 12", R"(Syntax error; token: "12")"},
      {"kind = :", R"(Syntax error; token: ":")"},
      {"# = :1", R"(Syntax error; token: "#")"},
      {"li[x] = :1", R"(Syntax error; token: "x")"},
      {"li[-1] = :1", R"(Syntax error; token: "-")"},
      {"li[0 = :1", R"(Syntax error; token: "=")"},
      {"li[99999999999999999999999] = :1", "List index is not within the allowable range"},
      {"mp. = :1", R"(Syntax error; token: "=")"},
      {".mp = :1", R"(Syntax error; token: ".")"},
      {"kind IN :file", R"(Syntax error; token: ":file")"},
      {"kind IN ()", "Syntax error; token: \")\""},
      {"kind BETWEEN :1", "Syntax error; token: <EOF>"},
      {"kind BETWEEN :1 OR :2", R"(Syntax error; token: "OR")"},
      {"kind = :file; kind = :file", R"(Syntax error; token: ";")"},
      {"((kind = :file))", "The expression has redundant parentheses;"},
      {"kind = :file AND ((sizeBytes = :1))", "redundant parentheses"},
      // refused: names and values
      {"owner = :ana", "Attribute name is a reserved keyword; reserved keyword: owner"},
      {"VALUE = :ana", "reserved keyword: VALUE"},
      {"mp.name = :ana", "reserved keyword: name"},
      {"#none = :1",
       "An expression attribute name used in the document path is not defined; "
       "attribute name: #none"},
      {"kind = :none",
       "An expression attribute value used in expression is not defined; attribute "
       "value: :none"},
      // refused: functions and operands
      {"begins_with(kind)",
       "Incorrect number of operands for operator or function; operator or "
       "function: begins_with, number of operands: 1"},
      {"begins_with(kind, :fi, :fi)", "number of operands: 3"},
      {"attribute_exists(kind, :fi)", "function: attribute_exists, number of operands: 2"},
      {"attribute_exists()", "Syntax error; token: \")\""},
      {"size(kind, :fi) = :1", "function: size, number of operands: 2"},
      {"BEGINS_WITH(kind, :fi)", "Invalid function name; function: BEGINS_WITH"},
      {"starts_with(kind, :fi)", "Invalid function name; function: starts_with"},
      {"kind = lower(:fi)", "Invalid function name; function: lower"},
      {"begins_with(kind, :1)",
       "Incorrect operand type for operator or function; operator or "
       "function: begins_with, operand type: N"},
      {"begins_with(:file, :fi)", "requires a document path; operator or function: begins_with"},
      {"attribute_exists(:file)", "requires a document path"},
      {"attribute_type(kind, :X)", "Invalid attribute type name found; type: X, valid types"},
      {"attribute_type(kind, :1)", "function: attribute_type, operand type: N"},
      {"attribute_type(kind, mp)", "requires a value; operator or function: attribute_type"},
      {"size(kind)", "Syntax error; token: <EOF>"},
      {"contains(kind, :fi) = :t", R"(Syntax error; token: "=")"},
      {"kind = contains(kind, :fi)",
       "not allowed to be used this way in an expression; function: "
       "contains"},
      {"if_not_exists(kind, :fi)", "not allowed to be used this way"},
      {"kind = kind", "The first operand must be distinct from the remaining operands"},
      {"contains(kind, kind)", "must be distinct"},
      {"kind < :t", "operator or function: <, operand type: BOOL"},
      {"kind >= :map", "operator or function: >=, operand type: M"},
      {"kind BETWEEN :t AND :f", "function: BETWEEN, operand type: BOOL"},
      {"sizeBytes BETWEEN :5 AND :1",
       "requires upper bound to be greater than or equal to lower "
       "bound; lower bound operand: AttributeValue: {\"N\":\"5\"}"},
      {"sizeBytes BETWEEN :1 AND :fi", "requires same data type for lower and upper bounds"},
  };
  EXPECT_GE(std::size(cases), 150u);
  for (const Case& c : cases) {
    expect(c.expression, outcome(c.expression, ConditionUse::condition), c.expected);
  }
}

TEST_F(ExpressionTest, WithoutAnItemNothingExists) {
  const auto without = [](const char* expression) {
    Placeholders p = placeholders();
    return holds(parse_condition(expression, p, ConditionUse::condition), "p", "s", nullptr);
  };
  EXPECT_TRUE(without("attribute_not_exists(pk)"));
  EXPECT_FALSE(without("attribute_exists(pk)"));
  EXPECT_FALSE(without("kind = :file"));
  EXPECT_TRUE(without("kind <> :file"));
}

TEST_F(ExpressionTest, Filters) {
  const Case cases[] = {
      {"kind = :file", "true"},
      {"pk = :pk",
       "Filter Expression can only contain non-primary key attributes: Primary key "
       "attribute: pk"},
      {"kind = :file AND begins_with(sk, :pre)", "Primary key attribute: sk"},
      {"#pk = :pk", "Primary key attribute: pk"},
      {"kind", "Invalid FilterExpression: Syntax error"},
  };
  for (const Case& c : cases) {
    expect(c.expression, outcome(c.expression, ConditionUse::filter), c.expected);
  }
  expect("pk = :pk", outcome("pk = :pk", ConditionUse::scan), "true");
}

TEST_F(ExpressionTest, Limits) {
  const auto repeated = [](const std::string& first, const std::string& more, int times) {
    std::string text = first;
    for (int i = 0; i < times; ++i) text += more;
    return text;
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    expect(text.substr(0, 30), outcome(text.c_str(), ConditionUse::condition), expected);
  };
  says(repeated("_x1=:3", " OR _x1=:3", 149), "true");  // 300 operators with those of the tests
  says(repeated("_x1=:3", " OR _x1=:3", 150), "too many operators");
  says(repeated("NOT ", "NOT ", 299) + "kind = :file", "too many operators");
  says("kind = :file" + std::string(4096 - 12, ' '), "true");
  says("kind = :file" + std::string(4096 - 11, ' '), "exceeded the maximum allowed size");
  says("kind IN (:1" + repeated("", ",:1", 99) + ")", "false");
  says("kind IN (:1" + repeated("", ",:1", 100) + ")", "function: IN, number of operands: 101");
  says("mp" + repeated("", ".a", 31) + " = :1", "false");
  says("mp" + repeated("", ".a", 32) + " = :1", "too many nesting elements");
  says(repeated("", "(kind=:file AND ", 150), "Syntax error; token: <EOF>");
  says(std::string(4096, '('), "nested too deep");
}

std::string key_outcome(const char* expression) {
  Placeholders p = placeholders();
  try {
    const KeyCondition key = parse_key_condition(expression, p);
    struct Text {
      std::string operator()(const SkAll&) { return "all"; }
      std::string operator()(const SkBeginsWith& c) { return "begins " + c.prefix; }
      std::string operator()(const SkCompare& c) {
        return std::to_string(static_cast<int>(c.op)) + " " + c.sk;
      }
      std::string operator()(const SkBetween& c) { return c.low + " to " + c.high; }
    };
    return key.pk + " " + std::visit(Text{}, key.sk);
  } catch (const ValidationError& error) {
    return error.what();
  }
}

TEST_F(ExpressionTest, KeyConditions) {
  const Case cases[] = {
      {"pk = :pk", "DRIVE#d all"},
      {"pk = :pk AND sk = :sk", "DRIVE#d 0 PATH#/docs/a.txt"},
      {"pk = :pk AND sk < :sk", "DRIVE#d 2 PATH#/docs/a.txt"},
      {"pk = :pk AND sk <= :sk", "DRIVE#d 3 PATH#/docs/a.txt"},
      {"pk = :pk AND sk > :sk", "DRIVE#d 4 PATH#/docs/a.txt"},
      {"pk = :pk AND sk >= :sk", "DRIVE#d 5 PATH#/docs/a.txt"},
      {"pk = :pk AND sk BETWEEN :lo AND :hi", "DRIVE#d PATH#/a to PATH#/z"},
      {"pk = :pk AND begins_with(sk, :pre)", "DRIVE#d begins PATH#/docs/"},
      {"begins_with(sk, :pre) AND pk = :pk", "DRIVE#d begins PATH#/docs/"},
      {"(pk = :pk) AND (begins_with(sk, :pre))", "DRIVE#d begins PATH#/docs/"},
      {"(pk = :pk AND begins_with(sk, :pre))", "DRIVE#d begins PATH#/docs/"},
      {"#pk = :pk", "DRIVE#d all"},
      {"sk = :sk", "Query condition missed key schema element: pk"},
      {"pk = :pk AND kind = :file", "Query condition missed key schema element: sk"},
      {"pk > :pk", "Query key condition not supported"},
      {"begins_with(pk, :pk)", "Query key condition not supported"},
      {":pk = pk", "Query key condition not supported"},
      {"pk = sk", "Query key condition not supported"},
      {"pk.a = :pk", "Query key condition not supported"},
      {"pk = :1", "Condition parameter type does not match schema type: pk is S, not N"},
      {"pk = :pk AND sk <> :sk", "Invalid operator used in KeyConditionExpression: <>"},
      {"pk = :pk OR sk = :sk", "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT pk = :pk", "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk IN (:pk)", "Invalid operator used in KeyConditionExpression: IN"},
      {"pk = :pk AND contains(sk, :pre)", "KeyConditionExpression: contains"},
      {"pk = :pk AND attribute_exists(sk)", "KeyConditionExpression: attribute_exists"},
      {"pk = :pk AND pk = :pk", "must only contain one condition per key"},
      {"pk = :pk AND sk > :lo AND sk < :hi", "must only contain one condition per key"},
      {"pk = :pk AND sk BETWEEN :hi AND :lo", "requires upper bound"},
      {"pk", "Invalid KeyConditionExpression: Syntax error"},
  };
  for (const Case& c : cases) expect(c.expression, key_outcome(c.expression), c.expected);
}

TEST_F(ExpressionTest, Projections) {
  const Case cases[] = {
      {"kind", R"({"kind":{"S":"file"}})"},
      {"kind, sizeBytes", R"({"kind":{"S":"file"},"sizeBytes":{"N":"12"}})"},
      {"gone", "{}"},
      {"mp.a.b", R"({"mp":{"M":{"a":{"M":{"b":{"S":"deep"}}}}}})"},
      {"mp.n, mp.#name", R"({"mp":{"M":{"n":{"N":"5"},"name":{"S":"n"}}}})"},
      {"li[0], li[2]", R"({"li":{"L":[{"N":"1"},{"L":[{"N":"3"}]}]}})"},
      {"li[2][0]", R"({"li":{"L":[{"L":[{"N":"3"}]}]}})"},
      {"li[7]", "{}"},
      {"#owner", R"({"owner":{"S":"ana"}})"},
      {"owner", "Invalid ProjectionExpression: Attribute name is a reserved keyword"},
      {"kind,", "Syntax error; token: <EOF>"},
      {"kind kind", R"(Syntax error; token: "kind")"},
      {"kind, kind", "Two document paths overlap with each other"},
      {"mp, mp.a",
       "Two document paths overlap with each other; must remove or rewrite one of "
       "these paths; path one: [mp], path two: [mp, a]"},
      {"mp.a, mp[0]", "Two document paths conflict with each other"},
      {"kind = :file", R"(Syntax error; token: "=")"},
  };
  for (const Case& c : cases) {
    Placeholders p = placeholders();
    std::string got;
    try {
      got = to_dynamo_json(project(item(), parse_projection(c.expression, p)));
    } catch (const ValidationError& error) {
      got = error.what();
    }
    expect(c.expression, got, c.expected);
  }
}

std::string update_outcome(const char* expression, const Item& before,
                           const std::optional<StoredKey>& key = StoredKey{"P", "S"}) {
  Placeholders p = placeholders();
  try {
    const UpdateExpression update = parse_update(expression, p);
    Item after = before;
    switch (apply(update, after, key)) {
      case UpdateError::none:
        return to_dynamo_json(after);
      case UpdateError::bad_path:
        EXPECT_EQ(after, before);
        return "bad path";
      case UpdateError::missing_attribute:
        EXPECT_EQ(after, before);
        return "missing attribute";
      case UpdateError::wrong_operand:
        EXPECT_EQ(after, before);
        return "wrong operand";
      case UpdateError::too_deep:
        return "too deep";
      case UpdateError::out_of_range:
        EXPECT_EQ(after, before);
        return "out of range";
    }
  } catch (const ValidationError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ExpressionTest, Updates) {
  const struct {
    const char *before, *expression, *expected;
  } cases[] = {
      // SET
      {"{}", "SET a = :1", R"({"a":{"N":"1"}})"},
      {R"({"a":{"S":"x"}})", "set a = :1", R"({"a":{"N":"1"}})"},
      {"{}", "SET a = :1, b = :two", R"({"a":{"N":"1"},"b":{"S":"two"}})"},
      {R"({"a":{"N":"5"}})", "SET a = a + :1", R"({"a":{"N":"6"}})"},
      {R"({"a":{"N":"5"}})", "SET a = a - :2", R"({"a":{"N":"3"}})"},
      {R"({"a":{"N":"5"}})", "SET b = :1 + a", R"({"a":{"N":"5"},"b":{"N":"6"}})"},
      {R"({"a":{"N":"5"},"b":{"N":"1"}})", "SET a = b, b = a", R"({"a":{"N":"1"},"b":{"N":"5"}})"},
      {"{}", "SET a = if_not_exists(a, :1)", R"({"a":{"N":"1"}})"},
      {R"({"a":{"N":"5"}})", "SET a = if_not_exists(a, :1)", R"({"a":{"N":"5"}})"},
      {"{}", "SET a = if_not_exists(a, :1) + :2", R"({"a":{"N":"3"}})"},
      {"{}", "SET a = if_not_exists(b, if_not_exists(c, :1))", R"({"a":{"N":"1"}})"},
      {"{}", "SET a = (:1 + :2)", R"({"a":{"N":"3"}})"},
      {R"({"l":{"L":[{"N":"1"}]}})", "SET l = list_append(l, :list)",
       R"({"l":{"L":[{"N":"1"},{"N":"9"}]}})"},
      {R"({"l":{"L":[{"N":"1"}]}})", "SET l = list_append(:list, l)",
       R"({"l":{"L":[{"N":"9"},{"N":"1"}]}})"},
      {"{}", "SET l = list_append(if_not_exists(l, :list), :list)",
       R"({"l":{"L":[{"N":"9"},{"N":"9"}]}})"},
      {R"({"l":{"L":[{"N":"1"},{"N":"2"}]}})", "SET l[1] = :5",
       R"({"l":{"L":[{"N":"1"},{"N":"5"}]}})"},
      {R"({"l":{"L":[{"N":"1"}]}})", "SET l[9] = :5", R"({"l":{"L":[{"N":"1"},{"N":"5"}]}})"},
      {R"({"m":{"M":{}}})", "SET m.a = :1", R"({"m":{"M":{"a":{"N":"1"}}}})"},
      {R"({"m":{"M":{}}})", "SET m.#name = :1", R"({"m":{"M":{"name":{"N":"1"}}}})"},
      {R"({"m":{"L":[{"M":{}}]}})", "SET m[0].a = :t",
       R"({"m":{"L":[{"M":{"a":{"BOOL":true}}}]}})"},
      {"{}", "SET m.a = :1", "bad path"},
      {R"({"m":{"N":"1"}})", "SET m.a = :1", "bad path"},
      {R"({"m":{"M":{}}})", "SET m[0] = :1", "bad path"},
      {R"({"m":{"M":{}}})", "SET m.a.b = :1", "bad path"},
      {"{}", "SET a = b", "missing attribute"},
      {"{}", "SET a = a + :1", "missing attribute"},
      {R"({"a":{"S":"x"}})", "SET a = a + :1", "wrong operand"},
      {R"({"a":{"S":"x"}})", "SET a = list_append(a, :list)", "wrong operand"},
      {R"({"a":{"N":"9.9999999999999999999999999999999999999E+125"}})", "SET a = a + :max",
       "out of range"},
      // REMOVE
      {R"({"a":{"N":"1"},"b":{"N":"2"}})", "REMOVE a", R"({"b":{"N":"2"}})"},
      {R"({"a":{"N":"1"},"b":{"N":"2"}})", "remove a, b", "{}"},
      {R"({"b":{"N":"2"}})", "REMOVE a", R"({"b":{"N":"2"}})"},
      {R"({"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]}})", "REMOVE l[1], l[2]",
       R"({"l":{"L":[{"N":"0"},{"N":"3"}]}})"},
      {R"({"l":{"L":[{"N":"0"}]}})", "REMOVE l[4]", R"({"l":{"L":[{"N":"0"}]}})"},
      {R"({"m":{"M":{"a":{"N":"1"}}}})", "REMOVE m.a", R"({"m":{"M":{}}})"},
      {R"({"m":{"M":{"a":{"N":"1"}}}})", "REMOVE m.b", R"({"m":{"M":{"a":{"N":"1"}}}})"},
      {"{}", "REMOVE m.b", "bad path"},
      // ADD
      {"{}", "ADD a :5", R"({"a":{"N":"5"}})"},
      {R"({"a":{"N":"1"}})", "ADD a :5", R"({"a":{"N":"6"}})"},
      {"{}", "ADD t :ss", R"({"t":{"SS":["new","red"]}})"},
      {R"({"t":{"SS":["blue","red"]}})", "ADD t :ss", R"({"t":{"SS":["blue","new","red"]}})"},
      {R"({"t":{"NS":["1","2.5"]}})", "ADD t :ns", R"({"t":{"NS":["1","2.5","7"]}})"},
      {R"({"m":{"M":{"a":{"N":"1"}}}})", "ADD m.a :5", R"({"m":{"M":{"a":{"N":"6"}}}})"},
      {R"({"a":{"S":"x"}})", "ADD a :5", "wrong operand"},
      {R"({"t":{"SS":["x"]}})", "ADD t :ns", "wrong operand"},
      {R"({"t":{"SS":["x"]}})", "ADD t :5", "wrong operand"},
      // DELETE
      {R"({"t":{"SS":["blue","red"]}})", "DELETE t :ss", R"({"t":{"SS":["blue"]}})"},
      {R"({"t":{"SS":["blue","red"]}})", "DELETE t :allss", "{}"},
      {"{}", "DELETE t :ss", "{}"},
      {R"({"t":{"NS":["1","2.5"]}})", "DELETE t :ns", R"({"t":{"NS":["1"]}})"},
      {R"({"t":{"BS":["AQ==","Ag=="]}})", "DELETE t :bs", R"({"t":{"BS":["Ag=="]}})"},
      {R"({"t":{"S":"red"}})", "DELETE t :ss", "wrong operand"},
      // together
      {R"({"a":{"N":"1"},"b":{"N":"1"},"t":{"SS":["red"]}})",
       "SET c = a ADD a :5 REMOVE b DELETE t :ss", R"({"a":{"N":"6"},"c":{"N":"1"}})"},
      // refused
      {"{}", "", "Invalid UpdateExpression: The expression can not be empty;"},
      {"{}", "SET", "Syntax error; token: <EOF>"},
      {"{}", "SET a", "Syntax error; token: <EOF>"},
      {"{}", "SET a :1", R"(Syntax error; token: ":1")"},
      {"{}", "SET a = :1,", "Syntax error; token: <EOF>"},
      {"{}", "a = :1", R"(Syntax error; token: "a")"},
      {"{}", "ADD a = :1", R"(Syntax error; token: "=")"},
      {"{}", "ADD a b", R"(Syntax error; token: "b")"},
      {"{}", "SET a = :1 + :2 + :3", R"(Syntax error; token: "+")"},
      {"{}", "SET a = :1 SET b = :2", "The \"SET\" section can only be used once"},
      {"{}", "SET a = :1 REMOVE a", "Two document paths overlap"},
      {"{}", "SET a = :1, a.b = :2", "Two document paths overlap"},
      {"{}", "SET a.b = :1, a[0] = :2", "Two document paths conflict"},
      {"{}", "SET owner = :1", "reserved keyword: owner"},
      {"{}", "SET a = pk, b = if_not_exists(sk, :1)", R"({"a":{"S":"P"},"b":{"S":"S"}})"},
      {"{}", "SET a = pk.b", "missing attribute"},
      {"{}", "SET a = sk + :1", "wrong operand"},
      {"{}", "SET pk = :1", "Cannot update attribute pk. This attribute is part of the key"},
      {"{}", "REMOVE sk", "Cannot update attribute sk"},
      {"{}", "SET a = :fi + :1", "operator or function: +, operand type: S"},
      {"{}", "SET a = list_append(:1, :list)", "function: list_append, operand type: N"},
      {"{}", "SET a = list_append(:list)", "function: list_append, number of operands: 1"},
      {"{}", "SET a = if_not_exists(a)", "function: if_not_exists, number of operands: 1"},
      {"{}", "SET a = if_not_exists(:1, :1)", "requires a document path"},
      {"{}", "SET a = size(b)", "not allowed in an update expression; function: size"},
      {"{}", "SET a = upper(b)", "Invalid function name; function: upper"},
      {"{}", "ADD a :fi", "function: ADD, operand type: S"},
      {"{}", "DELETE a :1", "function: DELETE, operand type: N"},
  };
  for (const auto& c : cases) {
    expect(c.expression, update_outcome(c.expression, item_of(c.before)), c.expected);
  }
  EXPECT_EQ(update_outcome("SET a = pk", {}, std::nullopt), "missing attribute");
  EXPECT_EQ(update_outcome("SET a = if_not_exists(sk, :1)", {}, std::nullopt),
            R"({"a":{"N":"1"}})");
  const std::string deep = "SET a = " + std::string(4000, '(');
  expect("deep", update_outcome(deep.c_str(), {}), "nested too deep");
}

TEST_F(ExpressionTest, PlaceholdersNobodyUsesAreRefused) {
  const auto says = [](Placeholders p) -> std::string {
    try {
      parse_condition("#a = :v", p, ConditionUse::condition);
      p.require_all_used();
      return "";
    } catch (const ValidationError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(says({{{"#a", "a"}}, {{":v", 1}}}), "");
  EXPECT_EQ(says({{{"#a", "a"}, {"#b", "b"}}, {{":v", 1}}}),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
  EXPECT_EQ(says({{{"#a", "a"}}, {{":v", 1}, {":w", 1}, {":x", 1}}}),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :x}");
}

TEST_F(ExpressionTest, PlaceholdersHaveAForm) {
  for (const char* name : {"a", "#", ":a", "#a b", "#a-b", "", "##a"}) {
    EXPECT_THROW(Placeholders({{name, "a"}}, {}), ValidationError) << name;
  }
  for (const char* name : {"a", ":", "#a", ":a b", ":a.b"}) {
    EXPECT_THROW(Placeholders({}, Item{{name, 1}}), ValidationError) << name;
  }
  EXPECT_THROW(Placeholders({{"#a", ""}}, {}), ValidationError);
  EXPECT_NO_THROW(Placeholders({{"#0_a", "any name at all"}}, Item{{":0_a", 1}}));
}

TEST_F(ExpressionTest, ReservedWords) {
  EXPECT_EQ(reserved_words().size(), 573u);
  for (const char* word :
       {"owner", "value", "type", "path", "size", "name", "key", "mode", "TTL", "Group"}) {
    EXPECT_TRUE(is_reserved_word(word)) << word;
  }
  for (const char* word : {"pk", "sk", "kind", "sizeBytes", "updatedBy", ""}) {
    EXPECT_FALSE(is_reserved_word(word)) << word;
  }
}

}  // namespace
}  // namespace table
