// What a prefix without its trailing slash takes along: begins_with(sk, "PATH#/docs") also matches
// /docs-archive and all in it (MODEL.md, "Mind the trailing slash").

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "table/table.h"

namespace prefixfs {

// "also returns /docs-archive and 4 items below it: end the prefix in /".  nullopt: `pk` is no
// drive, `prefix` names no path or ends in '/', nothing of that
// name is there (then it is part of a name on purpose), or nothing else begins like it.  The counts
// are exact; what is read for them is not part of anybody's charge.
std::optional<std::string> prefix_trap(table::Table& table, const std::string& pk,
                                       std::string_view prefix);

}  // namespace prefixfs
