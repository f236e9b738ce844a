// What the kernel says is mounted where (/proc/self/mountinfo), and which processes use it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prefixfs {

inline constexpr std::string_view kMountType = "fuse.prefixfs";

struct Mounted {
  std::string device;  // "0:45", as the kernel numbers file systems without a disk
  std::string dir;
  std::string type;    // "fuse.prefixfs"
  std::string source;  // the table file
};

// In the order of mounting.  Lines that make no sense are passed over.
std::vector<Mounted> parse_mountinfo(std::string_view text);
std::vector<Mounted> read_mounts();
// The last one mounted at exactly `dir`, which is the one that is seen there.
std::optional<Mounted> mounted_at(std::string_view dir);

struct Process {
  int pid = 0;
  std::string name;
};
// Processes with a working directory, root, program, open or mapped file below `dir`, as far as
// this one may see.  Asks nothing of the mount itself, so it does not hang on a dead one.
std::vector<Process> processes_using(const std::string& dir);
// Processes that serve `mounted`: they hold its table file and its FUSE connection.
std::vector<int> servers_of(const Mounted& mounted);

}  // namespace prefixfs
