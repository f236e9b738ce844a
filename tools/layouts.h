// Which layouts this program has.

#pragma once

#include <string>

namespace prefixfs {

// "path, node, adjacency"
std::string layout_names();

// Throws WrongUse, listing what there is, if `layout` is not one of them or `drive` cannot be a
// drive's name.
void require_layout(const std::string& layout, const std::string& drive);

}  // namespace prefixfs
