// What has to hold before a mount can start, checked so that each failure says what is wrong.

#pragma once

#include <stdexcept>
#include <string>

namespace prefixfs {

// The mount cannot start; what() is "WHAT: WHY".
class StartFailure : public std::runtime_error {
 public:
  StartFailure(const std::string& what, const std::string& why)
      : std::runtime_error(what + ": " + why) {}
};

// Absolute and without symlinks, as far as the path exists and answers: the last component may be
// absent, or a dead mount.
std::string resolved_path(const std::string& path);

// /dev/fuse can be opened, and there is fusermount3 for who needs it.
void check_fuse();

// `dir` is a folder that can be mounted on.  A dead prefixfs mount found there is removed.
// REQUIRES: both paths are resolved
void check_mount_point(const std::string& dir, const std::string& file);

}  // namespace prefixfs
