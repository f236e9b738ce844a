// What a command talks to: its standard output and standard error.

#pragma once

#include <ostream>

namespace prefixfs {

struct Io {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;  // names are escaped (shown_name.h)
  bool err_is_terminal = false;  // progress is shown
};

}  // namespace prefixfs
