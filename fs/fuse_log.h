// Where the log of a mount goes.

#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "fs/fuse_session.h"

namespace prefixfs {

// Standard error, as the errors of every command look.
std::shared_ptr<spdlog::logger> terminal_logger();
// options.log_file; without one the terminal in the foreground, the system log else.  Throws
// StartFailure.
std::shared_ptr<spdlog::logger> server_logger(const MountOptions& options);

}  // namespace prefixfs
