#include "fs/fuse_daemon.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "table/file_descriptor.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;

constexpr char kReady = 'r';
constexpr int kReportFd = 3;

void point_at_null() {
  const FileDescriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null.get(), fd);
}

// What the caller had open (a lock file, a pipe that somebody reads to its end) is not the
// server's to keep.  Returns where the report goes now.
int keep_only_report(int report) {
  if (report != kReportFd) dup2(report, kReportFd);
  fcntl(kReportFd, F_SETFD, FD_CLOEXEC);
  close_range(kReportFd + 1, UINT_MAX, 0);
  return kReportFd;
}

// Nothing but the byte that says ready, or the end of the pipe.
bool hears_ready(int report) {
  char said = 0;
  ssize_t got = 0;
  while ((got = read(report, &said, 1)) < 0 && errno == EINTR) {
  }
  return got == 1 && said == kReady;
}

int exit_status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
  fmt::print(stderr, "prefixfs: mount: the process in the background ended by signal {}\n",
             WTERMSIG(status));
  return 1;
}

}  // namespace

int run_in_background(const std::function<int(const std::function<void()>&)>& serve) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    fmt::print(stderr, "prefixfs: mount: {}\n", std::strerror(errno));
    return 1;
  }
  FileDescriptor hear(ends[0]), say(ends[1]);
  std::fflush(nullptr);  // or the child would write it again
  const pid_t child = fork();
  if (child < 0) {
    fmt::print(stderr, "prefixfs: mount: {}\n", std::strerror(errno));
    return 1;
  }
  if (child > 0) {
    say = FileDescriptor();
    return hears_ready(hear.get()) ? 0 : exit_status_of(child);
  }

  setsid();
  if (chdir("/") != 0) std::exit(1);
  const int report = keep_only_report(ends[1]);
  std::exit(serve([report] {
    point_at_null();
    while (write(report, &kReady, 1) < 0 && errno == EINTR) {
    }
    close(report);
  }));
}

}  // namespace prefixfs
