// How much room the file system has that holds a file.

#pragma once

#include <sys/statvfs.h>

#include <cerrno>
#include <string>

#include "fs/tree.h"

namespace prefixfs {

inline Result<Space> host_space(const std::string& file) {
  struct statvfs host {};
  if (statvfs(file.c_str(), &host) != 0) return std::errc(errno);
  return Space{.block_bytes = host.f_frsize,
               .blocks = host.f_blocks,
               .free = host.f_bfree,
               .available = host.f_bavail};
}

}  // namespace prefixfs
