// The words of DynamoDB's expression language.
//
//   token       = name | placeholder | value | index | operator
//   name        = ( letter | "_" ) *( letter | digit | "_" )
//   placeholder = "#" 1*( letter | digit | "_" )       stands for an attribute name
//   value       = ":" 1*( letter | digit | "_" )       stands for a value
//   index       = 1*digit
//   operator    = "=" | "<>" | "<" | "<=" | ">" | ">=" | "(" | ")" | "[" | "]" | "." | "," | "+" |
//   "-"

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace table {

enum class TokenKind { name, placeholder, value, index, op, unknown, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text{};  // of the expression
  std::size_t at = 0;       // where it begins there
};

// The tokens of `expression`, an `end` last.  What is none is one byte of kind `unknown`, the last
// before the end.
std::vector<Token> tokens_of(std::string_view expression);

// Whether a word of the language ("and", "SET") is this one; `word` in capitals.
bool is_word(const Token& token, std::string_view word);

}  // namespace table
