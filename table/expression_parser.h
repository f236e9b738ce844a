// What all expressions share: the tokens of one, its paths and values, and how errors are worded.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "table/expression.h"

namespace table {

class ExpressionParser {
 public:
  // `kind` is how DynamoDB calls it: "FilterExpression".  Throws ValidationError where it is empty
  // or too long.
  ExpressionParser(std::string_view text, std::string_view kind, Placeholders& placeholders);

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  Token take();
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool next_is(std::string_view op) const {
    return peek().kind == TokenKind::op && peek().text == op;
  }
  bool take_op(std::string_view op);
  bool take_word(std::string_view word);
  void expect_op(std::string_view op);
  void expect_word(std::string_view word);
  void expect_end();

  // Whether a function's name and its "(" come next.
  bool next_is_call() const;
  bool next_is_path() const;
  DocumentPath path();
  bool next_is_value() const { return peek().kind == TokenKind::value; }
  Value value();

  void count_operator();  // throws at one too many
  // Around what may hold itself: parentheses, calls.  Throws where that goes too deep.
  void enter();
  void leave() { --depth_; }

  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_at_next() const;  // a syntax error
  [[noreturn]] void fail_operands(std::string_view function, std::size_t operands) const;
  [[noreturn]] void fail_type(std::string_view function, const Value& value) const;

 private:
  std::string attribute();

  std::string_view text_, kind_;
  Placeholders& placeholders_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t operators_ = 0;
  std::size_t depth_ = 0;
};

// Throws ValidationError where one path is part of another, or takes for a list what another takes
// for a map.
void require_distinct(std::vector<DocumentPath> paths, const ExpressionParser& p);

}  // namespace table
