// find(1) spells its options with one dash: `-name '*.txt' -type f -print0`.

#pragma once

#include <string>
#include <vector>

namespace prefixfs {

// The arguments with those options of `find` given two dashes, as the parser reads them.  Arguments
// of other commands, and what follows "--", are left as they are.
std::vector<std::string> with_long_find_options(std::vector<std::string> args);

}  // namespace prefixfs
