// FILE:/PATH, how commands name a node: a table file and a path inside the drive.
//
//   location = file [ ":" path ]        split at the first ":/"
//   path     = "/" ...                  any bytes, as Path::parse takes them
//
// So a file name may hold colons ("a:b.db:/docs"), but not ":/".  Without a path it is the root's.
// Nothing follows symlinks: a path is a key.

#pragma once

#include <string>
#include <string_view>

#include "fs/path.h"

namespace prefixfs {

struct Location {
  std::string file;
  Path path;

  // "drive.db:/docs/x", for messages.
  std::string text() const { return file + ":" + path.text(); }
};

// Throws WrongUse: no file, or a path that holds "..".  Throws Failure: a name over 255 bytes.
Location parse_location(std::string_view text);

// The path alone, with the same errors; `whole` is what the message names.
Path parse_path(std::string_view path, std::string_view whole);

}  // namespace prefixfs
