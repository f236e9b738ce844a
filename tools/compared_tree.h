// The tree on which the layouts are compared: made to measure, or the user's own.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fs/drive.h"
#include "tools/io.h"
#include "tools/session.h"

namespace prefixfs {

// What the operations of a comparison are done to, by path; the same on every layout.
struct ComparedTree {
  struct Folder {
    Path path;
    std::uint64_t below = 0;  // nodes at any depth, without the folder
  };
  std::vector<Folder> folders;  // to walk and to rename, smallest first
  Path listed;                  // the folder to list
  std::uint64_t listed_nodes = 0;
  Path deepest;  // the node to resolve
  Path file;     // a file to rename
  std::uint64_t nodes = 0;
};

inline constexpr std::uint64_t kMaxComparedNodes = 10'000'000;

// A folder with N nodes below it for each of `sizes`, in groups of a folder and 49 files, every one
// of them an item of exactly 100 billed bytes in the layout path; a folder of 50 files; a file
// eight deep.  REQUIRES: sizes ascending, 1 .. kMaxComparedNodes, at most ten
ComparedTree make_compared_tree(DriveSession& session, const std::vector<std::uint64_t>& sizes);

// Copies `source` to /tree and looks there: for each of `sizes` the folder that comes nearest to it
// in nodes below, and the whole.  Throws Failure where it cannot be copied, or holds no file.
ComparedTree import_compared_tree(DriveSession& session, const std::string& source,
                                  const std::vector<std::uint64_t>& sizes, Io& io);

}  // namespace prefixfs
