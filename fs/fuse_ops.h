// The fuse_lowlevel_ops for a Mount.  Translation only: C arguments in, one Mount call, one reply
// out. A rule that needs a test does not go here.
//
// What the kernel is asked not to send: OPEN, OPENDIR, RELEASE, RELEASEDIR, CREATE and, but for
// flags, FLUSH are answered ENOSYS once (state hangs on the inode and not on a handle), as are the
// calls that are left out: the kernel has its own answer for each, and locks stay with the kernel.

#pragma once

#include <atomic>
#include <cstdint>

#include "fs/fuse_absent.h"
#include "fs/node.h"

struct fuse_lowlevel_ops;
struct fuse_session;

namespace prefixfs {

class Mount;
class SeekQueue;

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
  SeekQueue* seeks = nullptr;
  Clock clock = system_time;          // for "now" in setattr
  bool kernel_opens_folders = false;  // and keeps their listings; set by INIT
  AbsentNames absent{};
  // Grows when another process has written: an answer found before that must not be kept.
  std::atomic<std::uint64_t> foreign_changes{0};
  std::atomic<bool> listed{false};  // a folder was listed since the last of those
  // The kernel's first request, and what of it is to be asked for besides (fs/fuse_init_reply.h).
  enum class Init { awaited, read, answered };
  std::atomic<Init> init{Init::awaited};
  std::uint32_t init_flags = 0;
};

const fuse_lowlevel_ops& fuse_ops();

// Tells the kernel that nothing it keeps can be trusted: another process wrote to the table.  Ends
// early once `give_up` is true.  REQUIRES: the caller answers no FUSE request and holds no lock
// that one takes: the kernel may wait for replies in here.
void invalidate_all(FuseContext& context, const std::atomic<bool>& give_up);
void invalidate_all(FuseContext& context);

}  // namespace prefixfs
