#include "tools/shown_name.h"

#include "table/utf8.h"

namespace prefixfs {
namespace {

// Characters that take no part in text: C0 controls, DEL, C1 controls.
bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead < 0x20 || lead == 0x7F;
  return lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      const auto byte = static_cast<unsigned char>(c);
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
  }
}

// Calls `visit` with each character, or each invalid part.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const table::Utf8Step step = table::utf8_step(p, end);
    visit(std::string_view(p, step.bytes), step.valid);
    p += step.bytes;
  }
}

}  // namespace

std::string escaped_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for_each_character(name, [&](std::string_view character, bool valid) {
    if (character == "\\") {
      out += "\\\\";
    } else if (valid && !is_control(character)) {
      out += character;
    } else {
      for (const char c : character) append_escaped(out, c);
    }
  });
  return out;
}

std::string shown_name(const Io& io, std::string_view name) {
  return io.out_is_terminal ? escaped_name(name) : std::string(name);
}

std::string utf8_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for_each_character(name, [&](std::string_view character, bool valid) {
    out += valid ? character : std::string_view("\xEF\xBF\xBD");
  });
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for_each_character(text, [&](std::string_view, bool) { ++columns; });
  return columns;
}

}  // namespace prefixfs
