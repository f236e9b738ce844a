// Runs a command as a shell would, and counts its system calls on files below a folder: all of
// them, and those after which the mount had booked no operation, which the kernel therefore
// answered from what it keeps.
//
// Counted are calls that ask for or change names, attributes or content; not close, lseek, mmap and
// what memory mapped from a file does.  A name that leads there through a symbolic link is not
// seen.  Where several processes of the command run at once, one may be counted as asked for what
// another one did.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fs/cost_json.h"

namespace prefixfs {

struct CommandEnd {
  int exit_status = 0;                // as a shell tells it: 126, 127, 128 + signal
  std::optional<KernelCalls> kernel;  // nullopt: system calls cannot be followed here
};

// Throws Failure where no process can be made.
CommandEnd run_command(const std::vector<std::string>& command);
// `below` is an absolute path without symbolic links; `booked()` how many operations the mount has
// booked so far.
CommandEnd run_counted_command(const std::vector<std::string>& command, const std::string& below,
                               const std::function<std::uint64_t()>& booked);

}  // namespace prefixfs
