// How much room there is for a table file: what its quota leaves, or the file system that holds it.

#pragma once

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "fs/tree.h"
#include "table/store.h"

namespace prefixfs {

inline Result<Space> host_space(const std::string& file, table::Store& store) {
  struct statvfs host {};
  if (statvfs(file.c_str(), &host) != 0) return std::errc(errno);
  Space space{.block_bytes = host.f_frsize,
              .blocks = host.f_blocks,
              .free = host.f_bfree,
              .available = host.f_bavail};
  if (const auto quota = store.quota()) {
    const std::uint64_t used = (quota->used_bytes + space.block_bytes - 1) / space.block_bytes;
    space.blocks = std::max(quota->most_bytes / space.block_bytes, used);
    space.free = std::min(space.free, space.blocks - used);
    space.available = std::min(space.available, space.blocks - used);
  }
  return space;
}

}  // namespace prefixfs
