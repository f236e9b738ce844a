// How text is written in JSON: quotes and escapes.  json_string() of item_json.h is the same into a
// string of its own.

#pragma once

#include <string>
#include <string_view>

namespace table {

// Appends `text` as a JSON string, invalid parts of UTF-8 replaced by U+FFFD: what is written can
// always be read back.
void append_json_string(std::string& out, std::string_view text);

}  // namespace table
