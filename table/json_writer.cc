#include "table/json_writer.h"

#include "table/item_json.h"
#include "table/utf8.h"

namespace table {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  out += '"';
  while (p != end) {
    const char* const run = p;
    while (p != end && is_plain(*p)) ++p;
    out.append(run, p);
    if (p == end) break;
    if (static_cast<unsigned char>(*p) < 0x80) {
      append_escaped(out, *p++);
      continue;
    }
    const Utf8Step step = utf8_step(p, end);
    out += step.valid ? std::string_view(p, step.bytes) : kReplacement;
    p += step.bytes;
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_json_string(out, text);
  return out;
}

}  // namespace table
