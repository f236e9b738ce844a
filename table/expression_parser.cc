#include "table/expression_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "table/reserved_words.h"

namespace table {

Placeholders::Placeholders(std::map<std::string, std::string> names, Item values)
    : names_(std::move(names)), values_(std::move(values)) {
  const auto spelt = [](std::string_view name, char mark) {
    const std::vector<Token> tokens = tokens_of(name);
    return tokens.size() == 2 && name.front() == mark && tokens.front().text == name &&
           tokens.front().kind != TokenKind::unknown;
  };
  for (const auto& [name, attribute] : names_) {
    if (!spelt(name, '#')) {
      throw ValidationError(fmt::format(
          "ExpressionAttributeNames contains invalid key: Syntax error; key: \"{}\"", name));
    }
    if (attribute.empty()) {
      throw ValidationError(fmt::format(
          "ExpressionAttributeNames contains invalid value: must not be empty; key: {}", name));
    }
  }
  for (const auto& [name, value] : values_.entries()) {
    if (!spelt(name, ':')) {
      throw ValidationError(fmt::format(
          "ExpressionAttributeValues contains invalid key: Syntax error; key: \"{}\"", name));
    }
  }
}

const std::string* Placeholders::name(std::string_view placeholder) {
  const auto found = names_.find(std::string(placeholder));
  if (found == names_.end()) return nullptr;
  used_.emplace(placeholder);
  return &found->second;
}

const Value* Placeholders::value(std::string_view placeholder) {
  const Value* const found = values_.find(placeholder);
  if (found != nullptr) used_.emplace(placeholder);
  return found;
}

void Placeholders::require_all_used() const {
  const auto require = [&](std::string_view what, const auto& entries) {
    std::string unused;
    for (const auto& entry : entries) {
      if (used_.contains(entry.first)) continue;
      unused += (unused.empty() ? "" : ", ") + entry.first;
    }
    if (unused.empty()) return;
    throw ValidationError(
        fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", what, unused));
  };
  require("ExpressionAttributeNames", names_);
  require("ExpressionAttributeValues", values_.entries());
}

ExpressionParser::ExpressionParser(std::string_view text, std::string_view kind,
                                   Placeholders& placeholders)
    : text_(text), kind_(kind), placeholders_(placeholders) {
  if (text.size() > kMaxExpressionBytes) {
    fail(fmt::format("Expression size has exceeded the maximum allowed size; expression size: {}",
                     text.size()));
  }
  tokens_ = tokens_of(text);
  if (at_end()) fail("The expression can not be empty;");
}

Token ExpressionParser::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool ExpressionParser::take_op(std::string_view op) {
  if (!next_is(op)) return false;
  take();
  return true;
}

bool ExpressionParser::take_word(std::string_view word) {
  if (!is_word(peek(), word)) return false;
  take();
  return true;
}

void ExpressionParser::expect_op(std::string_view op) {
  if (!take_op(op)) fail_at_next();
}

void ExpressionParser::expect_word(std::string_view word) {
  if (!take_word(word)) fail_at_next();
}

void ExpressionParser::expect_end() {
  if (!at_end()) fail_at_next();
}

bool ExpressionParser::next_is_call() const {
  return peek().kind == TokenKind::name && peek(1).kind == TokenKind::op && peek(1).text == "(";
}

bool ExpressionParser::next_is_path() const {
  return peek().kind == TokenKind::name || peek().kind == TokenKind::placeholder;
}

std::string ExpressionParser::attribute() {
  if (!next_is_path()) fail_at_next();
  for (const char* word : {"AND", "OR", "NOT", "BETWEEN", "IN"}) {
    if (is_word(peek(), word)) fail_at_next();
  }
  const Token token = take();
  if (token.kind == TokenKind::placeholder) {
    const std::string* const name = placeholders_.name(token.text);
    if (name == nullptr) {
      fail(
          fmt::format("An expression attribute name used in the document path is not defined; "
                      "attribute name: {}",
                      token.text));
    }
    return *name;
  }
  if (is_reserved_word(token.text)) {
    fail(fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", token.text));
  }
  return std::string(token.text);
}

DocumentPath ExpressionParser::path() {
  DocumentPath path{attribute()};
  while (true) {
    if (take_op(".")) {
      path.emplace_back(attribute());
    } else if (take_op("[")) {
      if (peek().kind != TokenKind::index) fail_at_next();
      const Token digits = take();
      std::size_t index = 0;
      const char* const end = digits.text.data() + digits.text.size();
      if (std::from_chars(digits.text.data(), end, index).ec != std::errc()) {
        fail(fmt::format("List index is not within the allowable range; index: [{}]", digits.text));
      }
      path.emplace_back(index);
      expect_op("]");
    } else {
      break;
    }
    if (path.size() > kMaxPathSteps) {
      fail("The document path has too many nesting elements; nesting levels: " +
           std::to_string(path.size()));
    }
  }
  return path;
}

Value ExpressionParser::value() {
  if (!next_is_value()) fail_at_next();
  const Token token = take();
  const Value* const value = placeholders_.value(token.text);
  if (value == nullptr) {
    fail(fmt::format(
        "An expression attribute value used in expression is not defined; attribute value: {}",
        token.text));
  }
  return *value;
}

void ExpressionParser::count_operator() {
  if (++operators_ <= kMaxExpressionOperators) return;
  fail(fmt::format("The expression contains too many operators; operators: more than {}",
                   kMaxExpressionOperators));
}

void ExpressionParser::enter() {
  if (++depth_ > kMaxExpressionOperators) fail("The expression is nested too deep;");
}

void ExpressionParser::fail(const std::string& why) const {
  throw ValidationError(fmt::format("Invalid {}: {}", kind_, why));
}

void ExpressionParser::fail_at_next() const {
  const Token& token = peek();
  // As DynamoDB says it: the token, and it with its neighbours.
  const std::size_t from = at_ == 0 ? token.at : tokens_[at_ - 1].at;
  const Token& after = peek(1);
  const std::size_t to = after.at + after.text.size();
  fail(fmt::format("Syntax error; token: {}, near: \"{}\"",
                   at_end() ? "<EOF>" : "\"" + std::string(token.text) + "\"",
                   text_.substr(from, to - from)));
}

void ExpressionParser::fail_operands(std::string_view function, std::size_t operands) const {
  fail(
      fmt::format("Incorrect number of operands for operator or function; operator or function: "
                  "{}, number of operands: {}",
                  function, operands));
}

void ExpressionParser::fail_type(std::string_view function, const Value& value) const {
  fail(
      fmt::format("Incorrect operand type for operator or function; operator or function: {}, "
                  "operand type: {}",
                  function, type_name(value.type())));
}

}  // namespace table
