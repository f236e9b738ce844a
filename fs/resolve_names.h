// Resolving a path name by name, for layouts whose keys do not hold it.

#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "fs/layout.h"

namespace prefixfs {

// `lookup(dir, name)` returns Result<Node>.  REQUIRES: !path.is_root()
template <class Lookup>
Result<Located> resolve_names(const Path& path, Lookup lookup) {
  std::vector<Path> steps;
  for (Path at = path; !at.is_root(); at = at.parent()) steps.push_back(at);
  Located found{root_ref(), {}};
  for (std::size_t i = steps.size(); i-- > 0;) {
    auto node = lookup(found.ref, steps[i].name());
    if (!node) return node.error();
    if (i > 0 && !node->is_folder()) return std::errc::not_a_directory;
    NodeRef ref = child_ref(found.ref, steps[i].name(), *node);
    found = {std::move(ref), *std::move(node)};
  }
  return found;
}

}  // namespace prefixfs
