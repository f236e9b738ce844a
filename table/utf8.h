// How UTF-8 is read, one character at a time.

#pragma once

#include <cstddef>
#include <cstdint>

namespace table {

struct Utf8Step {
  std::size_t bytes;  // of the character, or of the invalid part to be replaced; at least 1
  bool valid;
};

// The character at `p`: no surrogates, no overlong forms, at most U+10FFFF.  An invalid part ends
// where no character could have gone on (Unicode's "maximal subpart"), so that replacing each by
// one U+FFFD gives what other programs show.  REQUIRES: p < end
inline Utf8Step utf8_step(const char* p, const char* end) {
  const auto byte = [&](std::ptrdiff_t i) { return static_cast<unsigned char>(p[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte alone tells overlong forms, surrogates and what lies past U+10FFFF.
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const std::ptrdiff_t available = end - p;
  for (std::size_t i = 1; i < length; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (at >= available) return {i, false};
    const unsigned char c = byte(at);
    if (c < (i == 1 ? low : 0x80) || c > (i == 1 ? high : 0xBF)) return {i, false};
  }
  return {length, true};
}

}  // namespace table
