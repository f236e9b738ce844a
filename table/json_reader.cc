#include "table/json_reader.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "table/value.h"

namespace table {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

constexpr std::uint64_t every_byte(unsigned char c) {
  return std::uint64_t{0x0101010101010101} * c;
}

// The high bit of every byte of `word` that a plain run of a string cannot hold: quote, backslash,
// control characters, anything beyond ASCII.  Borrows run upwards only, so the lowest is exact.
constexpr std::uint64_t special_bytes(std::uint64_t word) {
  const std::uint64_t quote = word ^ every_byte('"');
  const std::uint64_t backslash = word ^ every_byte('\\');
  return (((quote - every_byte(1)) & ~quote) | ((backslash - every_byte(1)) & ~backslash) |
          (word - every_byte(0x20)) | word) &
         every_byte(0x80);
}

constexpr bool is_special(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ||
         static_cast<unsigned char>(c) >= 0x80;
}

const char* find_special(const char* p, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word;
    while (end - p >= static_cast<std::ptrdiff_t>(sizeof word)) {
      std::memcpy(&word, p, sizeof word);
      const std::uint64_t special = special_bytes(word);
      if (special != 0) return p + std::countr_zero(special) / 8;
      p += sizeof word;
    }
  }
  while (p != end && !is_special(*p)) ++p;
  return p;
}

void append_utf8(std::string& out, unsigned c) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

}  // namespace

char JsonReader::peek() {
  while (p_ != end_ && is_space(*p_)) ++p_;
  return p_ == end_ ? '\0' : *p_;
}

bool JsonReader::take(char c) {
  if (peek() != c) return false;
  ++p_;
  return true;
}

bool JsonReader::take_word(std::string_view word) {
  peek();
  if (static_cast<std::size_t>(end_ - p_) < word.size()) return false;
  if (std::memcmp(p_, word.data(), word.size()) != 0) return false;
  p_ += word.size();
  return true;
}

bool JsonReader::at_end() {
  peek();
  return p_ == end_;
}

std::optional<std::string_view> JsonReader::string() {
  escaped_ = false;
  if (!take('"')) return std::nullopt;
  const char* const start = p_;
  bool ascii = true;
  while (true) {
    p_ = find_special(p_, end_);
    if (p_ == end_) return std::nullopt;
    const char c = *p_;
    if (c == '"') break;
    if (c == '\\') {
      escaped_ = true;
      break;
    }
    if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
    ascii = false;
    ++p_;
  }
  std::string_view text(start, static_cast<std::size_t>(p_ - start));
  if (escaped_) {
    if (!unescape(text)) return std::nullopt;
    text = buffer_;
    ascii = false;
  }
  ++p_;
  if (!ascii && !is_utf8(text)) return std::nullopt;
  return text;
}

bool JsonReader::unescape(std::string_view before) {
  buffer_.assign(before);
  while (true) {
    const char* const run = p_;
    p_ = find_special(p_, end_);
    buffer_.append(run, p_);
    if (p_ == end_) return false;
    const char c = *p_;
    if (c == '"') return true;
    if (static_cast<unsigned char>(c) < 0x20) return false;
    ++p_;
    if (c != '\\') {
      buffer_ += c;
    } else if (!escape()) {
      return false;
    }
  }
}

bool JsonReader::escape() {
  if (p_ == end_) return false;
  switch (*p_++) {
    case '"':
      buffer_ += '"';
      return true;
    case '\\':
      buffer_ += '\\';
      return true;
    case '/':
      buffer_ += '/';
      return true;
    case 'b':
      buffer_ += '\b';
      return true;
    case 'f':
      buffer_ += '\f';
      return true;
    case 'n':
      buffer_ += '\n';
      return true;
    case 'r':
      buffer_ += '\r';
      return true;
    case 't':
      buffer_ += '\t';
      return true;
    case 'u':
      break;
    default:
      return false;
  }
  const std::optional<unsigned> unit = hex4();
  if (!unit || (*unit >= 0xDC00 && *unit <= 0xDFFF)) return false;
  if (*unit < 0xD800 || *unit > 0xDBFF) {
    append_utf8(buffer_, *unit);
    return true;
  }
  if (end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u') return false;
  p_ += 2;
  const std::optional<unsigned> low = hex4();
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
  append_utf8(buffer_, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
  return true;
}

std::optional<unsigned> JsonReader::hex4() {
  if (end_ - p_ < 4) return std::nullopt;
  unsigned value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = *p_++;
    unsigned digit;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      return std::nullopt;
    }
    value = value << 4 | digit;
  }
  return value;
}

std::optional<std::string_view> JsonReader::number() {
  peek();
  const char* const start = p_;
  const auto digits = [&] {
    const char* const first = p_;
    while (p_ != end_ && is_digit(*p_)) ++p_;
    return p_ != first;
  };
  if (p_ != end_ && *p_ == '-') ++p_;
  const char* const integer = p_;
  if (!digits() || (*integer == '0' && p_ - integer > 1)) return std::nullopt;
  if (p_ != end_ && *p_ == '.') {
    ++p_;
    if (!digits()) return std::nullopt;
  }
  if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
    ++p_;
    if (p_ != end_ && (*p_ == '-' || *p_ == '+')) ++p_;
    if (!digits()) return std::nullopt;
  }
  return std::string_view(start, static_cast<std::size_t>(p_ - start));
}

}  // namespace table
