#include "tools/find_spelling.h"

namespace prefixfs {

std::vector<std::string> with_long_find_options(std::vector<std::string> args) {
  if (args.empty() || args.front() != "find") return args;
  for (std::string& arg : args) {
    if (arg == "--") break;
    if (arg == "-name" || arg == "-type" || arg == "-print0") arg.insert(0, 1, '-');
  }
  return args;
}

}  // namespace prefixfs
