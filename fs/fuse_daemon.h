// Starting a server in the background.

#pragma once

#include <functional>

namespace prefixfs {

// Runs `serve` in a child process without a terminal and returns when it calls the function it is
// given ("ready": 0), or ends before that (its exit status).  Until then the child's standard error
// is this process's; afterwards its standard input and outputs are /dev/null.
// REQUIRES: this process has one thread and nothing open that must not cross a fork
int run_in_background(const std::function<int(const std::function<void()>&)>& serve);

}  // namespace prefixfs
