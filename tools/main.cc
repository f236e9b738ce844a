#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <ostream>
#include <string>
#include <vector>

#include "tools/fd_stream.h"
#include "tools/program.h"

namespace {

// Walks hold one page of items (1 MiB evaluated, some MiB decoded) after another. Left to itself
// the allocator hands each page back to the kernel before the next one is read, and most of a long
// walk's time goes to faulting the same memory in again.
constexpr int kKeptBytes = 32 << 20;
constexpr int kHeapBytes = 16 << 20;

}  // namespace

int main(int argc, char** argv) {
  ::mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  ::mallopt(M_MMAP_THRESHOLD, kHeapBytes);
  // A table file that happened to be opened as descriptor 1 would be written over by our output.
  for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::open("/dev/null", O_RDONLY)) {
    if (fd > STDERR_FILENO) {
      ::close(fd);
      break;
    }
  }
  std::signal(SIGPIPE, SIG_IGN);  // a failed write is an error like any other, and unwinds
  std::setlocale(LC_CTYPE, "");   // what `find -name '?'` takes as one character

  prefixfs::FdBuffer out_buffer(STDOUT_FILENO, "standard output");
  prefixfs::FdBuffer err_buffer(STDERR_FILENO, "standard error");
  std::ostream out(&out_buffer);
  std::ostream err(&err_buffer);
  out.exceptions(std::ios::badbit);

  std::vector<std::string> args(argv, argv + argc);
  if (!args.empty()) args.erase(args.begin());
  return prefixfs::run_prefixfs(
      args, {out, err, ::isatty(STDOUT_FILENO) == 1, ::isatty(STDERR_FILENO) == 1});
}
