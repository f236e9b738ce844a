#include "table/expression_lexer.h"

#include <algorithm>

namespace table {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in_word(char c) { return is_letter(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <class Is>
std::size_t length_while(std::string_view text, std::size_t from, Is is) {
  std::size_t n = from;
  while (n < text.size() && is(text[n])) ++n;
  return n;
}

Token next(std::string_view rest, std::size_t at) {
  const auto token = [&](TokenKind kind, std::size_t bytes) {
    return Token{kind, rest.substr(0, bytes), at};
  };
  const char c = rest.front();
  if (is_letter(c)) return token(TokenKind::name, length_while(rest, 1, is_in_word));
  if (is_digit(c)) return token(TokenKind::index, length_while(rest, 1, is_digit));
  if (c == '#' || c == ':') {
    const std::size_t bytes = length_while(rest, 1, is_in_word);
    if (bytes > 1) return token(c == '#' ? TokenKind::placeholder : TokenKind::value, bytes);
    return token(TokenKind::unknown, 1);
  }
  for (const std::string_view op : {"<>", "<=", ">="}) {
    if (rest.starts_with(op)) return token(TokenKind::op, 2);
  }
  constexpr std::string_view kOperators = "=<>()[].,+-";
  return token(kOperators.find(c) == std::string_view::npos ? TokenKind::unknown : TokenKind::op,
               1);
}

}  // namespace

std::vector<Token> tokens_of(std::string_view expression) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    at = length_while(expression, at, is_space);
    if (at == expression.size()) break;
    tokens.push_back(next(expression.substr(at), at));
    if (tokens.back().kind == TokenKind::unknown) break;
    at += tokens.back().text.size();
  }
  tokens.push_back({TokenKind::end, {}, at});
  return tokens;
}

bool is_word(const Token& token, std::string_view word) {
  return token.kind == TokenKind::name && std::ranges::equal(token.text, word, [](char a, char b) {
           return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
         });
}

}  // namespace table
