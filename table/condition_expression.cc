// Condition, filter, key and projection expressions.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "table/expression_parser.h"
#include "table/item_json.h"

namespace table {
namespace {

std::string text_of(const Operand& operand) {
  if (const auto* path = std::get_if<DocumentPath>(&operand)) return path_text(*path);
  return "";
}

bool is_ordered(const Value& value) {
  return value.if_string() != nullptr || value.if_number() != nullptr ||
         value.if_binary() != nullptr;
}

std::optional<Compare> comparator(const Token& token) {
  if (token.kind != TokenKind::op) return std::nullopt;
  constexpr std::pair<std::string_view, Compare> kComparators[] = {
      {"=", Compare::eq},  {"<>", Compare::ne}, {"<", Compare::lt},
      {"<=", Compare::le}, {">", Compare::gt},  {">=", Compare::ge}};
  for (const auto& [text, compare] : kComparators) {
    if (token.text == text) return compare;
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 6> kTests = {"attribute_exists", "attribute_not_exists",
                                                    "attribute_type",   "begins_with",
                                                    "contains",         "size"};

class ConditionParser {
 public:
  ConditionParser(std::string_view text, std::string_view kind, Placeholders& placeholders,
                  ConditionUse use)
      : p_(text, kind, placeholders), use_(use) {}

  Condition parse() {
    Condition condition = any();
    p_.expect_end();
    return condition;
  }

 private:
  Condition any() {
    Condition first = all();
    if (!is_word(p_.peek(), "OR")) return first;
    Condition::Or either{{std::move(first)}};
    while (p_.take_word("OR")) {
      p_.count_operator();
      either.any.push_back(all());
    }
    return either;
  }

  Condition all() {
    Condition first = negated();
    if (!is_word(p_.peek(), "AND")) return first;
    Condition::And both{{std::move(first)}};
    while (p_.take_word("AND")) {
      p_.count_operator();
      both.all.push_back(negated());
    }
    return both;
  }

  Condition negated() {
    // A loop, not a recursion: an expression may be thousands of NOTs.
    bool wanted = true;
    while (p_.take_word("NOT")) {
      p_.count_operator();
      wanted = !wanted;
    }
    Condition condition = primary();
    if (wanted) return condition;
    return Condition::Not{{std::move(condition)}};
  }

  Condition primary() {
    if (!p_.next_is("(")) return test();
    // Two pairs around one thing.
    if (p_.peek(1).kind == TokenKind::op && p_.peek(1).text == "(" && is_redundant()) {
      p_.fail("The expression has redundant parentheses;");
    }
    p_.enter();
    p_.take();
    Condition inner = any();
    p_.expect_op(")");
    p_.leave();
    return inner;
  }

  // Whether the pair of parentheses that opens next holds nothing but another pair.
  bool is_redundant() const {
    std::size_t depth = 0, inner_end = 0;
    for (std::size_t i = 0; p_.peek(i).kind != TokenKind::end; ++i) {
      if (p_.peek(i).kind != TokenKind::op) continue;
      if (p_.peek(i).text == "(") ++depth;
      if (p_.peek(i).text != ")") continue;
      if (depth == 2 && inner_end == 0) inner_end = i;
      if (--depth == 0) return inner_end + 1 == i;
    }
    return false;
  }

  Condition test() {
    if (p_.next_is_call() && p_.peek().text != "size") return function();
    const Operand left = operand();
    p_.count_operator();
    if (p_.take_word("BETWEEN")) {
      Operand low = operand();
      p_.expect_word("AND");
      Operand high = operand();
      check_between(low, high);
      return Condition::Between{left, std::move(low), std::move(high)};
    }
    if (p_.take_word("IN")) return in(left);
    const auto op = comparator(p_.peek());
    if (!op) p_.fail_at_next();
    const std::string_view op_text = p_.take().text;
    Operand right = operand();
    const auto *a = std::get_if<DocumentPath>(&left), *b = std::get_if<DocumentPath>(&right);
    if (a != nullptr && b != nullptr && *a == *b) {
      p_.fail(
          fmt::format("The first operand must be distinct from the remaining operands for this "
                      "operator or function; operator: {}, first operand: {}",
                      op_text, text_of(left)));
    }
    if (*op != Compare::eq && *op != Compare::ne) {
      for (const Operand& side : {left, right}) {
        const auto* const value = std::get_if<Value>(&side);
        if (value != nullptr && !is_ordered(*value)) p_.fail_type(op_text, *value);
      }
    }
    return Condition::Comparison{*op, left, std::move(right)};
  }

  void check_between(const Operand& low, const Operand& high) const {
    const auto *a = std::get_if<Value>(&low), *b = std::get_if<Value>(&high);
    if (a != nullptr && !is_ordered(*a)) p_.fail_type("BETWEEN", *a);
    if (b != nullptr && !is_ordered(*b)) p_.fail_type("BETWEEN", *b);
    if (a == nullptr || b == nullptr) return;
    if (a->type() != b->type()) {
      p_.fail(
          fmt::format("The BETWEEN operator requires same data type for lower and upper bounds; "
                      "lower bound operand: AttributeValue: {}, upper bound operand: "
                      "AttributeValue: {}",
                      to_dynamo_json(*a), to_dynamo_json(*b)));
    }
    const Condition ordered = Condition::Comparison{Compare::le, *a, *b};
    if (holds(ordered, "", "", nullptr)) return;
    p_.fail(
        fmt::format("The BETWEEN operator requires upper bound to be greater than or equal to "
                    "lower bound; lower bound operand: AttributeValue: {}, upper bound operand: "
                    "AttributeValue: {}",
                    to_dynamo_json(*a), to_dynamo_json(*b)));
  }

  Condition in(const Operand& value) {
    Condition::In in{value, {}};
    p_.expect_op("(");
    do {
      in.list.push_back(operand());
    } while (p_.take_op(","));
    p_.expect_op(")");
    if (in.list.size() > kMaxInOperands) p_.fail_operands("IN", in.list.size());
    return in;
  }

  Condition function() {
    const Token name = p_.take();
    if (std::ranges::find(kTests, name.text) == kTests.end()) {
      if (name.text == "if_not_exists" || name.text == "list_append") not_this_way(name.text);
      p_.fail(fmt::format("Invalid function name; function: {}", name.text));
    }
    p_.count_operator();
    const std::vector<Operand> operands = this->operands();
    const std::size_t wanted = name.text.ends_with("exists") ? 1 : 2;
    if (operands.size() != wanted) p_.fail_operands(name.text, operands.size());
    const auto* const path = std::get_if<DocumentPath>(&operands[0]);
    if (path == nullptr) {
      p_.fail(fmt::format("Operator or function requires a document path; operator or function: {}",
                          name.text));
    }
    if (name.text == "attribute_exists") return Condition::Exists{*path, true};
    if (name.text == "attribute_not_exists") return Condition::Exists{*path, false};
    if (name.text == "attribute_type") return has_type(*path, operands[1]);
    if (operands[0] == operands[1]) {
      p_.fail(
          fmt::format("The first operand must be distinct from the remaining operands for this "
                      "operator or function; operator: {}, first operand: {}",
                      name.text, path_text(*path)));
    }
    if (name.text == "contains") return Condition::Contains{*path, operands[1]};
    if (const auto* const prefix = std::get_if<Value>(&operands[1])) {
      if (prefix->if_string() == nullptr && prefix->if_binary() == nullptr) {
        p_.fail_type(name.text, *prefix);
      }
    }
    return Condition::BeginsWith{*path, operands[1]};
  }

  Condition has_type(const DocumentPath& path, const Operand& operand) const {
    const auto* const value = std::get_if<Value>(&operand);
    if (value == nullptr || value->if_string() == nullptr) {
      if (value != nullptr) p_.fail_type("attribute_type", *value);
      p_.fail("Operator or function requires a value; operator or function: attribute_type");
    }
    const std::string& type = *value->if_string();
    constexpr std::string_view kTypes[] = {"B",  "NULL", "SS", "BOOL", "L",
                                           "BS", "N",    "NS", "S",    "M"};
    if (std::ranges::find(kTypes, type) == std::end(kTypes)) {
      p_.fail(
          fmt::format("Invalid attribute type name found; type: {}, valid types: "
                      "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                      type));
    }
    return Condition::HasType{path, type};
  }

  std::vector<Operand> operands() {
    std::vector<Operand> found;
    p_.expect_op("(");
    if (p_.next_is(")")) p_.fail_at_next();
    do {
      found.push_back(operand());
    } while (p_.take_op(","));
    p_.expect_op(")");
    return found;
  }

  Operand operand() {
    if (p_.next_is_value()) return p_.value();
    if (p_.next_is_call()) {
      if (p_.peek().text != "size") {
        if (std::ranges::find(kTests, p_.peek().text) != kTests.end()) not_this_way(p_.peek().text);
        p_.fail(fmt::format("Invalid function name; function: {}", p_.peek().text));
      }
      p_.take();
      p_.take();
      SizeOf size{path()};
      if (p_.next_is(",")) p_.fail_operands("size", 2);
      p_.expect_op(")");
      return size;
    }
    if (!p_.next_is_path()) p_.fail_at_next();
    return path();
  }

  DocumentPath path() {
    DocumentPath path = p_.path();
    const std::string& name = std::get<std::string>(path.front());
    if (use_ == ConditionUse::filter && (name == "pk" || name == "sk")) {
      throw ValidationError(
          "Filter Expression can only contain non-primary key attributes: Primary key attribute: " +
          name);
    }
    return path;
  }

  [[noreturn]] void not_this_way(std::string_view function) const {
    p_.fail(
        fmt::format("The function is not allowed to be used this way in an expression; "
                    "function: {}",
                    function));
  }

  ExpressionParser p_;
  ConditionUse use_;
};

// ---- The key of a Query, out of a condition of any kind ----

constexpr const char* kNotSupported = "Query key condition not supported";

const std::string& key_text(const Operand& operand, std::string_view key) {
  const auto* const value = std::get_if<Value>(&operand);
  if (value == nullptr) throw ValidationError(kNotSupported);
  if (value->if_string() == nullptr) {
    throw ValidationError(fmt::format(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type: {} is S, not {}",
        key, type_name(value->type())));
  }
  return *value->if_string();
}

std::string key_name(const Operand& operand) {
  const auto* const path = std::get_if<DocumentPath>(&operand);
  if (path == nullptr || path->size() != 1) throw ValidationError(kNotSupported);
  return std::get<std::string>(path->front());
}

class KeyReader {
 public:
  void read(const Condition& condition) { std::visit(*this, condition.node()); }

  KeyCondition take() {
    if (!pk_) throw ValidationError("Query condition missed key schema element: pk");
    return {*std::move(pk_), sk_.value_or(SkAll{})};
  }

  void operator()(const Condition::And& node) {
    for (const Condition& condition : node.all) read(condition);
  }
  void operator()(const Condition::Comparison& node) {
    const std::string name = key_name(node.left);
    if (node.op == Compare::ne) {
      throw ValidationError("Invalid operator used in KeyConditionExpression: <>");
    }
    if (name == "pk") {
      if (node.op != Compare::eq) throw ValidationError(kNotSupported);
      once(pk_);
      pk_ = key_text(node.right, name);
    } else {
      sort(name) = SkCompare{node.op, key_text(node.right, name)};
    }
  }
  void operator()(const Condition::Between& node) {
    const std::string name = key_name(node.value);
    sort(name) = SkBetween{key_text(node.low, name), key_text(node.high, name)};
  }
  void operator()(const Condition::BeginsWith& node) {
    const std::string name = key_name(node.path);
    sort(name) = SkBeginsWith{key_text(node.prefix, name)};
  }
  void operator()(const Condition::Or&) const { refuse("OR"); }
  void operator()(const Condition::Not&) const { refuse("NOT"); }
  void operator()(const Condition::In&) const { refuse("IN"); }
  void operator()(const Condition::Exists& node) const {
    refuse(node.wanted ? "attribute_exists" : "attribute_not_exists");
  }
  void operator()(const Condition::HasType&) const { refuse("attribute_type"); }
  void operator()(const Condition::Contains&) const { refuse("contains"); }
  void operator()(const Condition::Always&) const { refuse(""); }

 private:
  std::optional<SkCondition>& sort(const std::string& name) {
    if (name == "pk") throw ValidationError(kNotSupported);
    if (name != "sk") throw ValidationError("Query condition missed key schema element: sk");
    once(sk_);
    return sk_;
  }
  template <class T>
  static void once(const std::optional<T>& key) {
    if (!key) return;
    throw ValidationError(
        "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
        "per key");
  }
  [[noreturn]] static void refuse(std::string_view what) {
    throw ValidationError(fmt::format("Invalid operator used in KeyConditionExpression: {}", what));
  }

  std::optional<std::string> pk_;
  std::optional<SkCondition> sk_;
};

}  // namespace

Condition parse_condition(std::string_view text, Placeholders& placeholders, ConditionUse use) {
  const char* const kind =
      use == ConditionUse::condition ? "ConditionExpression" : "FilterExpression";
  return ConditionParser(text, kind, placeholders, use).parse();
}

KeyCondition parse_key_condition(std::string_view text, Placeholders& placeholders) {
  KeyReader reader;
  reader.read(ConditionParser(text, "KeyConditionExpression", placeholders, ConditionUse::condition)
                  .parse());
  return reader.take();
}

std::vector<DocumentPath> parse_projection(std::string_view text, Placeholders& placeholders) {
  ExpressionParser p(text, "ProjectionExpression", placeholders);
  std::vector<DocumentPath> paths;
  do {
    paths.push_back(p.path());
  } while (p.take_op(","));
  p.expect_end();
  require_distinct(paths, p);
  return paths;
}

}  // namespace table
