// Taking a mount away, as root or through fusermount3.

#pragma once

#include <string>

namespace prefixfs {

enum class Detach {
  no,
  yes,  // out of sight at once, gone when nobody uses it any more
};

struct Unmounted {
  int error = 0;    // errno; 0: done
  std::string why;  // in words, empty when done
};

// Does not follow a symlink and asks nothing of the mount, so it also removes a dead one.
Unmounted unmount(const std::string& dir, Detach detach);

}  // namespace prefixfs
