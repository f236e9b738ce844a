// The program as a function, so that tests need no process.

#pragma once

#include <string>
#include <vector>

#include "tools/io.h"

namespace prefixfs {

// Runs `prefixfs ARGS...` and returns its exit status: 0 ok, 1 it failed, 2 wrong use.  Errors go
// to io.err as "prefixfs: WHAT: WHY".
int run_prefixfs(const std::vector<std::string>& args, Io io);

}  // namespace prefixfs
