// One mounted drive, from opening the file to unmounting: RAII around libfuse's session.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fs/fuse_ops.h"
#include "fs/prices.h"

namespace prefixfs {

struct MountOptions {
  std::string file;
  std::string dir;
  std::string drive = "home";
  std::string layout = "path";  // of a drive that has to be made
  bool flags = false;           // the feature flags, and no drive
  bool foreground = false;
  bool read_only = false;
  bool allow_other = false;
  bool sync_each = false;                           // -o sync
  std::chrono::milliseconds commit_interval{1000};  // -o commit=SECONDS
  std::optional<std::uint64_t> most_bytes;          // -o size=BYTES[K|M|G]
  bool trace = false;  // --trace, -o trace: each operation and what it asked, into the log
  std::optional<std::uint64_t> rename_limit;  // -o rename-limit=NODES; see Drive::limit_renames
  Prices prices{};                            // -o prices=WRITE:READ:DATE
  int threads = 0;                            // -o threads=N; 0: chosen
  KernelCache cache;
  std::string log_file;                     // -o log=FILE; empty: stderr or syslog
  std::vector<std::string> kernel_options;  // nosuid, nodev, noexec, noatime, ... as given
};

// Reads one "-o a,b=c" string into `options`.  Returns what is wrong with it, naming the option.
std::optional<std::string> parse_mount_options(const std::string& text, MountOptions& options);

// Makes file and drive where absent, mounts, serves until unmounted or told to end (SIGTERM,
// SIGINT, SIGHUP), and leaves one clean file.  In the background the caller returns when the mount
// answers; a failure to start is written to stderr as "prefixfs: WHAT: WHY" in either case. Returns
// the exit status.
int run_mount(const MountOptions& options);

// Unmounts `dir`, as root or through fusermount3, and waits until the daemon has closed its file,
// so that the table file is whole when this returns.  Returns the exit status; errors on stderr.
int run_umount(const std::string& dir, bool lazy);

}  // namespace prefixfs
