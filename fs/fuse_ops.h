// The fuse_lowlevel_ops for a Mount.  Translation only: C arguments in, one Mount call, one reply
// out. A rule that needs a test does not go here.

#pragma once

#include <cstdint>

struct fuse_lowlevel_ops;
struct fuse_session;

namespace prefixfs {

class Mount;

// What the kernel may keep, and for how long.
struct KernelCache {
  double entry_seconds = 86400;     // names and attributes: we are told of every other writer
  double negative_seconds = 86400;  // names that are not there
  bool writeback = true;            // the kernel gathers writes
};

// userdata of the session must be a FuseContext*.
struct FuseContext {
  Mount& mount;
  KernelCache cache;
  fuse_session* session = nullptr;
};

const fuse_lowlevel_ops& fuse_ops();

// Tells the kernel that nothing it keeps can be trusted: another process wrote to the table.
void invalidate_all(FuseContext& context);

}  // namespace prefixfs
