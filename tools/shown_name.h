// How names are shown.  A name may hold any byte but '/' and NUL, also those that would move the
// cursor of a terminal or break a line in two.
//
// To a terminal, and in messages, control characters and what is not UTF-8 are written as C spells
// them ("\n", "\033"), and a backslash as two.  To a pipe or a file names go as they are, so that
// programs read the true bytes.  In JSON, what is not UTF-8 becomes U+FFFD.

#pragma once

#include <string>
#include <string_view>

#include "tools/io.h"

namespace prefixfs {

std::string escaped_name(std::string_view name);

// For standard output.
std::string shown_name(const Io& io, std::string_view name);

// Every invalid part of UTF-8 replaced by U+FFFD.
std::string utf8_name(std::string_view name);

// Columns of a terminal, one for each character.
std::size_t columns_of(std::string_view text);

}  // namespace prefixfs
