#include "fs/layout.h"

namespace prefixfs {

std::unique_ptr<Layout> make_layout(std::string_view layout, std::string_view drive) {
  if (layout == "path") return make_path_layout(drive);
  if (layout == "node") return make_node_layout(drive);
  if (layout == "adjacency") return make_adjacency_layout(drive);
  return nullptr;
}

}  // namespace prefixfs
