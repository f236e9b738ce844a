#include "table/condition.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace table {
namespace {

using C = Condition;

Number number(std::string_view text) { return *Number::parse(text); }

DocumentPath path(std::string_view name) { return {std::string(name)}; }
SizeOf size_of(std::string_view name) { return {path(name)}; }

C compare(Operand left, Compare op, Operand right) {
  return C::Comparison{op, std::move(left), std::move(right)};
}

const std::vector<Value> kOneOfEachType = {
    "text",
    1,
    Binary{"bytes"},
    true,
    Null{},
    List{1, "a"},
    Item{{"x", 1}},
    StringSet{{"a", "b"}},
    NumberSet{{1, 2}},
    BinarySet{{Binary{"a"}}},
};

class ConditionTest : public testing::Test {
 protected:
  bool judge(const Condition& condition) const {
    return holds(condition, "DRIVE#d", "PATH#/a", &item_);
  }

  const Item item_{
      {"s", "hello"},
      {"n", 10},
      {"b", Binary{"bytes"}},
      {"yes", true},
      {"nul", Null{}},
      {"l", List{2, "dog", List{3, 4}, StringSet{{"x", "y"}}, Item{{"deep", List{7}}}}},
      {"m", Item{{"x", 1}, {"y", Item{{"z", "end"}}}}},
      {"ss", StringSet{{"cat", "dog"}}},
      {"ns", NumberSet{{1, 10}}},
      {"bs", BinarySet{{Binary{"ab"}, Binary{"cd"}}}},
      {"wide", "\xC3\xA9\xF0\x9D\x84\x9E"},
      {"type", "S"},
  };
};

TEST_F(ConditionTest, AlwaysIsTheDefault) {
  EXPECT_TRUE(C().is_always());
  EXPECT_TRUE(judge(C()));
  EXPECT_TRUE(holds(C(), "p", "s", nullptr));
  EXPECT_FALSE(item_exists().is_always());
}

TEST_F(ConditionTest, TheItemAsAWhole) {
  const Item empty;
  EXPECT_TRUE(holds(item_exists(), "p", "s", &empty));
  EXPECT_FALSE(holds(item_exists(), "p", "s", nullptr));
  EXPECT_FALSE(holds(item_absent(), "p", "s", &empty));
  EXPECT_TRUE(holds(item_absent(), "p", "s", nullptr));
}

TEST_F(ConditionTest, AttributeEquals) {
  EXPECT_TRUE(judge(attribute_equals("s", "hello")));
  EXPECT_FALSE(judge(attribute_equals("s", "help")));
  EXPECT_FALSE(judge(attribute_equals("none", "hello")));
  EXPECT_FALSE(holds(attribute_equals("s", "hello"), "p", "s", nullptr));
}

TEST_F(ConditionTest, ValuesOfEveryTypeAreEqualToThemselvesOnly) {
  for (const Value& a : kOneOfEachType) {
    const Item item{{"a", a}};
    for (const Value& b : kOneOfEachType) {
      const bool same = &a == &b;
      const auto judged = [&](Compare op) {
        return holds(compare(path("a"), op, b), "p", "s", &item);
      };
      EXPECT_EQ(judged(Compare::eq), same);
      EXPECT_EQ(judged(Compare::ne), !same);
      EXPECT_EQ(holds(C::In{path("a"), {b}}, "p", "s", &item), same);
      const bool ordered = same && (a.if_string() || a.if_number() || a.if_binary());
      EXPECT_EQ(judged(Compare::le), ordered);
      EXPECT_EQ(judged(Compare::ge), ordered);
      EXPECT_FALSE(judged(Compare::lt));
      EXPECT_FALSE(judged(Compare::gt));
    }
  }
}

TEST_F(ConditionTest, Comparisons) {
  const auto lt = Compare::lt, le = Compare::le, gt = Compare::gt, ge = Compare::ge,
             eq = Compare::eq, ne = Compare::ne;
  const struct {
    const char* what;
    Operand left;
    Compare op;
    Operand right;
    bool expected;
  } kCases[] = {
      {"10 < 9 is text's idea", path("n"), lt, 9, false},
      {"10 > 9", path("n"), gt, 9, true},
      {"10 > 9.5", path("n"), gt, number("9.5"), true},
      {"10 <= 10", path("n"), le, 10, true},
      {"10 >= 10", path("n"), ge, 10, true},
      {"10 < 10", path("n"), lt, 10, false},
      {"10 > 10", path("n"), gt, 10, false},
      {"10 = 1e1", path("n"), eq, number("1e1"), true},
      {"10 <> 10", path("n"), ne, 10, false},
      {"10 > -11", path("n"), gt, -11, true},
      {"hello < help", path("s"), lt, "help", true},
      {"hello < hell", path("s"), lt, "hell", false},
      {"hello >= hell", path("s"), ge, "hell", true},
      {"bytes are unsigned", path("s"), lt, "\xC3\xA9", true},
      {"B < B", path("b"), lt, Binary{"c"}, true},
      {"B has unsigned bytes", path("b"), lt, Binary{"\xFF"}, true},
      {"B > B", path("b"), gt, Binary{"\x01"}, true},
      {"S < B", path("s"), lt, Binary{"zzz"}, false},
      {"N < S", path("n"), lt, "99", false},
      {"the value may stand left", 9, lt, path("n"), true},
      {"two attributes", path("s"), lt, path("type"), false},
      {"two values", 1, lt, 2, true},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(judge(compare(c.left, c.op, c.right)), c.expected) << c.what;
}

TEST_F(ConditionTest, AMissingOperandIsOnlyUnequal) {
  for (const Compare op :
       {Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge}) {
    const bool expected = op == Compare::ne;
    EXPECT_EQ(judge(compare(path("none"), op, 1)), expected);
    EXPECT_EQ(judge(compare(1, op, path("none"))), expected);
    EXPECT_EQ(judge(compare(path("none"), op, path("neither"))), expected);
    EXPECT_EQ(holds(compare(path("n"), op, 10), "p", "s", nullptr), expected);
  }
  EXPECT_FALSE(judge(C::Between{path("none"), 1, 2}));
  EXPECT_FALSE(judge(C::Between{path("n"), path("none"), 20}));
  EXPECT_FALSE(judge(C::Between{path("n"), 1, path("none")}));
  EXPECT_FALSE(judge(C::In{path("none"), {path("neither"), 1}}));
  EXPECT_FALSE(judge(C::BeginsWith{path("none"), ""}));
  EXPECT_FALSE(judge(C::BeginsWith{path("s"), path("none")}));
  EXPECT_FALSE(judge(C::Contains{path("none"), ""}));
  EXPECT_FALSE(judge(C::Contains{path("s"), path("none")}));
  EXPECT_FALSE(judge(C::HasType{path("none"), "S"}));
  EXPECT_FALSE(judge(C::HasType{path("none"), ""}));
}

TEST_F(ConditionTest, Between) {
  const struct {
    const char* what;
    Operand value, low, high;
    bool expected;
  } kCases[] = {
      {"inside", path("n"), 9, 11, true},
      {"both ends belong to it", path("n"), 10, 10, true},
      {"below", path("n"), 11, 20, false},
      {"above", path("n"), 1, 9, false},
      {"the wrong way round", path("n"), 11, 9, false},
      {"text", path("s"), "a", "i", true},
      {"binary", path("b"), Binary{"a"}, Binary{"c"}, true},
      {"another type", path("n"), "1", "2", false},
      {"two types", path("n"), 9, "z", false},
      {"no order", path("yes"), true, true, false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(judge(C::Between{c.value, c.low, c.high}), c.expected) << c.what;
  }
}

TEST_F(ConditionTest, In) {
  EXPECT_TRUE(judge(C::In{path("n"), {1, "10", number("10.0")}}));
  EXPECT_FALSE(judge(C::In{path("n"), {1, "10"}}));
  EXPECT_FALSE(judge(C::In{path("n"), {}}));
  EXPECT_TRUE(judge(C::In{"dog", {DocumentPath{"l", std::size_t{1}}}}));
}

TEST_F(ConditionTest, Paths) {
  const struct {
    DocumentPath path;
    bool exists;
  } kCases[] = {
      {{"s"}, true},
      {{"none"}, false},
      {{}, false},
      {{std::size_t{0}}, false},
      {{"s", "x"}, false},
      {{"s", std::size_t{0}}, false},
      {{"m", "x"}, true},
      {{"m", "q"}, false},
      {{"m", "y", "z"}, true},
      {{"m", "y", "z", "q"}, false},
      {{"m", std::size_t{0}}, false},
      {{"l", std::size_t{4}}, true},
      {{"l", std::size_t{5}}, false},
      {{"l", "0"}, false},
      {{"l", std::size_t{2}, std::size_t{1}}, true},
      {{"l", std::size_t{4}, "deep", std::size_t{0}}, true},
      {{"ss", std::size_t{0}}, false},
      {{"pk"}, true},
      {{"sk"}, true},
      {{"pk", "x"}, false},
      {{"nul"}, true},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(judge(C::Exists{c.path}), c.exists) << &c - kCases;
    EXPECT_EQ(judge(C::Exists{c.path, false}), !c.exists) << &c - kCases;
    EXPECT_FALSE(holds(C::Exists{c.path}, "p", "s", nullptr)) << &c - kCases;
  }
  EXPECT_TRUE(
      judge(compare(DocumentPath{"l", std::size_t{4}, "deep", std::size_t{0}}, Compare::eq, 7)));
}

TEST_F(ConditionTest, KeysCanBeNamed) {
  EXPECT_TRUE(judge(attribute_equals("pk", "DRIVE#d")));
  EXPECT_TRUE(judge(attribute_equals("sk", "PATH#/a")));
  EXPECT_FALSE(judge(attribute_equals("sk", "DRIVE#d")));
  EXPECT_TRUE(judge(C::BeginsWith{path("sk"), "PATH#/"}));
  EXPECT_TRUE(judge(C::HasType{path("pk"), "S"}));
  EXPECT_TRUE(judge(compare(size_of("sk"), Compare::eq, 7)));
}

TEST_F(ConditionTest, TypesByName) {
  const char* const kNames[] = {"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"};
  for (std::size_t i = 0; i < kOneOfEachType.size(); ++i) {
    const Item item{{"a", kOneOfEachType[i]}};
    for (std::size_t j = 0; j < std::size(kNames); ++j) {
      EXPECT_EQ(holds(C::HasType{path("a"), kNames[j]}, "p", "s", &item), i == j) << kNames[j];
    }
    EXPECT_FALSE(holds(C::HasType{path("a"), "DOG"}, "p", "s", &item));
  }
}

TEST_F(ConditionTest, BeginsWith) {
  EXPECT_TRUE(judge(C::BeginsWith{path("s"), "hell"}));
  EXPECT_TRUE(judge(C::BeginsWith{path("s"), "hello"}));
  EXPECT_TRUE(judge(C::BeginsWith{path("s"), ""}));
  EXPECT_FALSE(judge(C::BeginsWith{path("s"), "hello!"}));
  EXPECT_FALSE(judge(C::BeginsWith{path("s"), "ello"}));
  EXPECT_TRUE(judge(C::BeginsWith{path("b"), Binary{"byt"}}));
  EXPECT_FALSE(judge(C::BeginsWith{path("b"), Binary{"yt"}}));
  EXPECT_FALSE(judge(C::BeginsWith{path("b"), "byt"}));
  EXPECT_FALSE(judge(C::BeginsWith{path("s"), Binary{"hell"}}));
  EXPECT_FALSE(judge(C::BeginsWith{path("n"), 1}));
  EXPECT_FALSE(judge(C::BeginsWith{path("l"), List{2}}));
}

TEST_F(ConditionTest, Contains) {
  const struct {
    const char* what;
    const char* path;
    Operand part;
    bool expected;
  } kCases[] = {
      {"part of a text", "s", "ell", true},
      {"not a part", "s", "elo", false},
      {"part of another type", "s", Binary{"ell"}, false},
      {"part of bytes", "b", Binary{"yte"}, true},
      {"not a part of bytes", "b", Binary{"x"}, false},
      {"text in bytes", "b", "yte", false},
      {"member of SS", "ss", "dog", true},
      {"part of a member", "ss", "do", false},
      {"number in SS", "ss", 1, false},
      {"member of NS", "ns", number("1e1"), true},
      {"no member of NS", "ns", 2, false},
      {"text in NS", "ns", "1", false},
      {"member of BS", "bs", Binary{"ab"}, true},
      {"text in BS", "bs", "ab", false},
      {"number in L", "l", 2, true},
      {"text in L", "l", "dog", true},
      {"part of a text in L", "l", "do", false},
      {"list in L", "l", List{3, 4}, true},
      {"element of a list in L", "l", 3, false},
      {"set in L", "l", StringSet{{"x", "y"}}, true},
      {"map in L", "l", Item{{"deep", List{7}}}, true},
      {"maps have no members", "m", "x", false},
      {"numbers have no parts", "n", 1, false},
      {"nor has BOOL", "yes", true, false},
      {"nor NULL", "nul", Null{}, false},
      {"the part may be an attribute", "ss", path("s"), false},
      {"an attribute in itself", "s", path("s"), true},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(judge(C::Contains{path(c.path), c.part}), c.expected) << c.what;
}

TEST_F(ConditionTest, Size) {
  const struct {
    const char* path;
    int size;
  } kCases[] = {{"s", 5}, {"wide", 3}, {"b", 5},  {"l", 5},
                {"m", 2}, {"ss", 2},   {"ns", 2}, {"bs", 2}};
  for (const auto& c : kCases) {
    EXPECT_TRUE(judge(compare(size_of(c.path), Compare::eq, c.size))) << c.path;
    EXPECT_TRUE(judge(compare(size_of(c.path), Compare::lt, c.size + 1))) << c.path;
    EXPECT_FALSE(judge(compare(size_of(c.path), Compare::eq, std::to_string(c.size)))) << c.path;
  }
  for (const char* name : {"n", "yes", "nul", "none"}) {
    EXPECT_FALSE(judge(compare(size_of(name), Compare::ge, 0))) << name;
    EXPECT_TRUE(judge(compare(size_of(name), Compare::ne, 0))) << name;
  }
  EXPECT_TRUE(judge(C::Between{size_of("s"), 5, path("n")}));
}

TEST_F(ConditionTest, Logic) {
  const C yes = item_exists(), no = item_absent();
  const auto all = [](std::vector<C> conditions) { return C(C::And{std::move(conditions)}); };
  const auto any = [](std::vector<C> conditions) { return C(C::Or{std::move(conditions)}); };
  const auto negate = [](C condition) { return C(C::Not{{std::move(condition)}}); };
  EXPECT_TRUE(judge(all({yes, yes})));
  EXPECT_FALSE(judge(all({yes, no})));
  EXPECT_FALSE(judge(all({no, yes})));
  EXPECT_TRUE(judge(all({})));
  EXPECT_TRUE(judge(any({no, yes})));
  EXPECT_TRUE(judge(any({yes, no})));
  EXPECT_FALSE(judge(any({no, no})));
  EXPECT_FALSE(judge(any({})));
  EXPECT_TRUE(judge(negate(no)));
  EXPECT_FALSE(judge(negate(yes)));
  EXPECT_TRUE(judge(negate(all({yes, any({no, negate(yes)})}))));
  // A comparison with something missing is false, and so its opposite is true.
  EXPECT_TRUE(judge(negate(compare(path("none"), Compare::lt, 1))));
}

}  // namespace
}  // namespace table
