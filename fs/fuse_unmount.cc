#include "fs/fuse_unmount.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <vector>

#include "fs/fuse_mount_table.h"
#include "fs/fuse_session.h"
#include "fs/fuse_start.h"
#include "table/file_descriptor.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;

constexpr std::chrono::seconds kClosingTakes{300};  // at most: the log of a big write is copied

// What fusermount3 says of itself, on one line, without its name.
std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (const std::size_t line = text.rfind('\n'); line != std::string::npos) text.erase(0, line + 1);
  const std::string_view name = "fusermount3: ";
  if (text.rfind(name, 0) == 0) text.erase(0, name.size());
  return text;
}

Unmounted run_fusermount(const std::string& dir, Detach detach) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {errno, std::strerror(errno)};
  const FileDescriptor out(ends[0]);
  FileDescriptor in(ends[1]);

  std::vector<const char*> words = {"fusermount3", "-u"};
  if (detach == Detach::yes) words.push_back("-z");
  words.insert(words.end(), {"--", dir.c_str(), nullptr});

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;  // the daemon's own signals are blocked
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, words[0], &actions, &attributes,
                                  const_cast<char* const*>(words.data()), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return {failed, fmt::format("fusermount3: {}", std::strerror(failed))};

  in = FileDescriptor();
  std::string said;
  std::array<char, 512> piece;
  ssize_t got = 0;
  while ((got = read(out.get(), piece.data(), piece.size())) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) said.append(piece.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  said = in_one_line(std::move(said));
  const bool busy = said.find(std::strerror(EBUSY)) != std::string::npos;
  return {busy ? EBUSY : EPERM, said.empty() ? "fusermount3 refused" : said};
}

int complain(const std::string& dir, std::string_view why) {
  fmt::print(stderr, "prefixfs: umount {}: {}\n", dir, why);
  return 1;
}

std::string busy_with(const std::string& dir) {
  std::string text = std::strerror(EBUSY);
  const char* before = ": used by ";
  for (const Process& process : processes_using(dir)) {
    text += fmt::format("{}{} (pid {})", before, process.name, process.pid);
    before = ", ";
  }
  return text;
}

// The processes that may serve a mount.  On kernels that do not tell which one does, these are
// all that serve a drive of the table file; the first one to end is it.
class Servers {
 public:
  explicit Servers(const Mounted& mounted) : pids_(servers_of(mounted)) {
    for (const int pid : pids_) {
      FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
      if (process) processes_.push_back(std::move(process));
    }
  }

  // false: the time is over and all still live.
  bool wait_for_one_to_end() const {
    std::vector<pollfd> polled;
    for (const FileDescriptor& process : processes_) {
      polled.push_back({.fd = process.get(), .events = POLLIN, .revents = 0});
    }
    if (polled.empty()) return true;
    const int limit = static_cast<int>(std::chrono::milliseconds(kClosingTakes).count());
    int ended = 0;
    while ((ended = poll(polled.data(), polled.size(), limit)) < 0 && errno == EINTR) {
    }
    return ended != 0;
  }

  const std::vector<int>& pids() const { return pids_; }

 private:
  std::vector<int> pids_;
  std::vector<FileDescriptor> processes_;
};

}  // namespace

Unmounted unmount(const std::string& dir, Detach detach) {
  const int flags = UMOUNT_NOFOLLOW | (detach == Detach::yes ? MNT_DETACH : 0);
  if (umount2(dir.c_str(), flags) == 0) return {};
  if (errno == EPERM) return run_fusermount(dir, detach);
  return {errno, std::strerror(errno)};
}

int run_umount(const std::string& dir, bool lazy) try {
  const std::string at = resolved_path(dir);
  const auto mounted = mounted_at(at);
  if (!mounted) return complain(dir, "nothing is mounted there");
  if (mounted->type != kMountType) {
    return complain(dir, fmt::format("a {} file system is mounted there", mounted->type));
  }
  const Servers servers(*mounted);
  Unmounted result = unmount(at, Detach::no);
  if (result.error == EBUSY && lazy) {
    result = unmount(at, Detach::yes);
    if (result.error == 0) return 0;  // it serves whoever uses it still
  }
  if (result.error == EBUSY) return complain(dir, busy_with(at));
  if (result.error != 0) return complain(dir, result.why);

  if (servers.wait_for_one_to_end()) return 0;
  return complain(dir, fmt::format("unmounted, but process {} has not closed {} yet",
                                   fmt::join(servers.pids(), " or "), mounted->source));
} catch (const std::exception& error) {
  return complain(dir, error.what());
}

}  // namespace prefixfs
