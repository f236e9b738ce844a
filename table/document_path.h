// DocumentPath is a place in an item: attribute names and list indexes, e.g. a.b[2].

#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "table/value.h"

namespace table {

using PathStep = std::variant<std::string, std::size_t>;
using DocumentPath = std::vector<PathStep>;

// One step down; nullptr: nothing is there.
const Value* step(const Value& value, const PathStep& step);
Value* step(Value& value, const PathStep& step);

// What `path` leads to in `item`; nullptr: nothing.  Key attributes are no part of an Item.
// REQUIRES: the path begins with a name
const Value* find(const Item& item, const DocumentPath& path);

// The parts of `item` that the paths lead to, in their places; the elements of a list close up.
// REQUIRES: each path begins with a name
Item project(const Item& item, const std::vector<DocumentPath>& paths);

// "a.b[2]", as errors name it: "[a, b, [2]]".
std::string path_text(const DocumentPath& path);

}  // namespace table
