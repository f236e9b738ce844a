// JsonReader takes the tokens of one JSON text in order: strict JSON (RFC 8259), strict UTF-8.
//
// Every verb skips white space before its token and returns false or nullopt if the text holds
// something else there; the reader is then of no further use but for position().  Owns nothing
// but a buffer for escaped strings; for one thread.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace table {

// DynamoDB's: lists and maps nest this deep.
inline constexpr int kMaxJsonDepth = 32;

class JsonReader {
 public:
  explicit JsonReader(std::string_view text)
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()) {}

  // The next byte that is no white space, not taken; 0 at the end.
  char peek();
  // Takes `c` if it is next.  REQUIRES: c is neither white space nor NUL.
  bool take(char c);
  bool take_word(std::string_view word);  // true, false, null
  bool at_end();

  // The unescaped text.  Valid until the next call of string(), and as long as the text itself if
  // nothing was escaped.
  std::optional<std::string_view> string();
  bool escaped() const { return escaped_; }  // whether the last string() held an escape

  // The digits of a number as they stand there: JSON's grammar, any length.
  std::optional<std::string_view> number();

  std::size_t position() const { return static_cast<std::size_t>(p_ - begin_); }

 private:
  // From the first backslash at p_ to the closing quote, into buffer_.
  bool unescape(std::string_view before);
  bool escape();
  std::optional<unsigned> hex4();

  const char* const begin_;
  const char* p_;
  const char* const end_;
  bool escaped_ = false;
  std::string buffer_;
};

}  // namespace table
