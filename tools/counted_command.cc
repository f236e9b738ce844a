#include "tools/counted_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <map>

#include "table/file_descriptor.h"
#include "tools/failure.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;

constexpr int kSyscallStop = SIGTRAP | 0x80;

// Which arguments of a system call say what file it is about.
struct Subject {
  int fd = -1;    // a descriptor, or the folder that a relative path starts from
  int path = -1;  // the path; without a descriptor it starts from the working directory
};
struct Call {
  long number;
  Subject first;
  Subject second{};
};

constexpr Subject fd(int argument) { return {argument, -1}; }
constexpr Subject path(int argument) { return {-1, argument}; }
constexpr Subject at(int folder) { return {folder, folder + 1}; }

constexpr Call kCalls[] = {
#ifdef SYS_open
    {SYS_open, path(0)},
    {SYS_creat, path(0)},
    {SYS_stat, path(0)},
    {SYS_lstat, path(0)},
    {SYS_access, path(0)},
    {SYS_mkdir, path(0)},
    {SYS_rmdir, path(0)},
    {SYS_mknod, path(0)},
    {SYS_unlink, path(0)},
    {SYS_rename, path(0), path(1)},
    {SYS_link, path(0), path(1)},
    {SYS_symlink, path(1)},
    {SYS_readlink, path(0)},
    {SYS_chmod, path(0)},
    {SYS_chown, path(0)},
    {SYS_lchown, path(0)},
    {SYS_utime, path(0)},
    {SYS_utimes, path(0)},
    {SYS_futimesat, at(0)},
    {SYS_getdents, fd(0)},
#endif
#ifdef SYS_renameat
    {SYS_renameat, at(0), at(2)},
#endif
#ifdef SYS_newfstatat
    {SYS_newfstatat, at(0)},
#endif
    {SYS_openat, at(0)},
    {SYS_openat2, at(0)},
    {SYS_statx, at(0)},
    {SYS_mkdirat, at(0)},
    {SYS_mknodat, at(0)},
    {SYS_unlinkat, at(0)},
    {SYS_renameat2, at(0), at(2)},
    {SYS_linkat, at(0), at(2)},
    {SYS_symlinkat, at(1)},
    {SYS_readlinkat, at(0)},
    {SYS_faccessat, at(0)},
    {SYS_faccessat2, at(0)},
    {SYS_fchmodat, at(0)},
    {SYS_fchownat, at(0)},
    {SYS_utimensat, at(0)},
    {SYS_execve, path(0)},
    {SYS_execveat, at(0)},
    {SYS_chdir, path(0)},
    {SYS_truncate, path(0)},
    {SYS_statfs, path(0)},
    {SYS_setxattr, path(0)},
    {SYS_lsetxattr, path(0)},
    {SYS_getxattr, path(0)},
    {SYS_lgetxattr, path(0)},
    {SYS_listxattr, path(0)},
    {SYS_llistxattr, path(0)},
    {SYS_removexattr, path(0)},
    {SYS_lremovexattr, path(0)},
    {SYS_fchdir, fd(0)},
    {SYS_fstat, fd(0)},
    {SYS_fstatfs, fd(0)},
    {SYS_getdents64, fd(0)},
    {SYS_read, fd(0)},
    {SYS_pread64, fd(0)},
    {SYS_readv, fd(0)},
    {SYS_preadv, fd(0)},
    {SYS_preadv2, fd(0)},
    {SYS_write, fd(0)},
    {SYS_pwrite64, fd(0)},
    {SYS_writev, fd(0)},
    {SYS_pwritev, fd(0)},
    {SYS_pwritev2, fd(0)},
    {SYS_ftruncate, fd(0)},
    {SYS_fallocate, fd(0)},
    {SYS_fchmod, fd(0)},
    {SYS_fchown, fd(0)},
    {SYS_fsync, fd(0)},
    {SYS_fdatasync, fd(0)},
    {SYS_syncfs, fd(0)},
    {SYS_fsetxattr, fd(0)},
    {SYS_fgetxattr, fd(0)},
    {SYS_flistxattr, fd(0)},
    {SYS_fremovexattr, fd(0)},
    {SYS_sendfile, fd(0), fd(1)},
    {SYS_copy_file_range, fd(0), fd(2)},
    {SYS_splice, fd(0), fd(2)},
};

const Call* call_of(std::uint64_t number) {
  for (const Call& call : kCalls) {
    if (static_cast<std::uint64_t>(call.number) == number) return &call;
  }
  return nullptr;
}

std::string linked(const std::string& link) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = readlink(link.c_str(), text.data(), text.size());
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

// A NUL-terminated string in the memory of another process.
std::string string_at(pid_t pid, std::uint64_t address) {
  std::string text;
  while (text.size() < PATH_MAX) {
    std::array<char, 256> part;
    // Not past the end of a page: the next one may not be there.
    const std::size_t size = std::min<std::size_t>(part.size(), 4096 - address % 4096);
    const iovec local{part.data(), size};
    const iovec remote{reinterpret_cast<void*>(address), size};
    const ssize_t got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
    if (got <= 0) break;
    const auto* end =
        static_cast<const char*>(std::memchr(part.data(), '\0', static_cast<std::size_t>(got)));
    if (end != nullptr)
      return text.append(part.data(), static_cast<std::size_t>(end - part.data()));
    text.append(part.data(), static_cast<std::size_t>(got));
    address += static_cast<std::uint64_t>(got);
  }
  return text;
}

// "/a/./b//../c" is "/a/c".  Says nothing to the file system, which would count it.
std::string plain(const std::string& path) {
  std::string out;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view name = std::string_view(path).substr(begin, end - begin);
    begin = end + 1;
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      out.resize(out.empty() ? 0 : out.rfind('/'));
    } else {
      out.append("/").append(name);
    }
  }
  return out.empty() ? "/" : out;
}

// Follows one command, all its threads and children.
class Follower {
 public:
  Follower(pid_t command, const std::string& below, const std::function<std::uint64_t()>& booked)
      : command_(command), below_(below), booked_(booked) {}

  // false: it cannot be followed.
  bool seize() {
    return ptrace(PTRACE_SEIZE, command_, nullptr,
                  PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                      PTRACE_O_TRACECLONE) == 0 &&
           ptrace(PTRACE_INTERRUPT, command_, nullptr, nullptr) == 0;
  }

  CommandEnd run() {
    seen_ = booked_();
    while (true) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid < 0) {
        if (errno == EINTR) continue;
        throw Failure("the command", why_text(errno));
      }
      if (WIFSTOPPED(status)) {
        stopped(pid, status);
        continue;
      }
      followed_.erase(pid);
      if (pid != command_) continue;
      let_go();
      return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), counted_};
    }
  }

 private:
  void stopped(pid_t pid, int status) {
    std::optional<bool>& concerns = followed_[pid];
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    if (signal == kSyscallStop) {
      concerns = concerns ? after_call(*concerns) : before_call(pid);
      resume(pid, 0);
    } else if (event == PTRACE_EVENT_STOP) {
      const bool group =
          signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
      group ? static_cast<void>(ptrace(PTRACE_LISTEN, pid, nullptr, nullptr)) : resume(pid, 0);
    } else {
      resume(pid, event == 0 ? signal : 0);
    }
  }

  static void resume(pid_t pid, long signal) { ptrace(PTRACE_SYSCALL, pid, nullptr, signal); }

  // Whether the call that begins concerns the mount.
  std::optional<bool> before_call(pid_t pid) {
    struct __ptrace_syscall_info info {};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return false;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return std::nullopt;
    const Call* call = call_of(info.entry.nr);
    return call != nullptr &&
           (concerns(pid, call->first, info) || concerns(pid, call->second, info));
  }

  std::optional<bool> after_call(bool concerned) {
    if (!concerned) return std::nullopt;
    const std::uint64_t now = booked_();
    ++counted_.calls;
    if (now == seen_) ++counted_.unasked;
    seen_ = now;
    return std::nullopt;
  }

  bool concerns(pid_t pid, const Subject& subject, const struct __ptrace_syscall_info& info) const {
    if (subject.fd < 0 && subject.path < 0) return false;
    std::string path;
    if (subject.path >= 0) path = string_at(pid, info.entry.args[subject.path]);
    if (!path.starts_with('/')) {
      const int fd = subject.fd < 0 ? AT_FDCWD : static_cast<int>(info.entry.args[subject.fd]);
      const std::string base = fmt::format("/proc/{}/", pid);
      path = linked(fd == AT_FDCWD ? base + "cwd" : base + fmt::format("fd/{}", fd)) + "/" + path;
    }
    path = plain(path);
    return path.starts_with(below_) &&
           (path.size() == below_.size() || below_ == "/" || path[below_.size()] == '/');
  }

  // What the command left running goes on by itself.
  void let_go() {
    for (const auto& [pid, ignored] : followed_) {
      if (ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr) != 0) continue;
      int status = 0;
      if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status)) continue;
      const bool by_signal = status >> 16 == 0 && WSTOPSIG(status) != kSyscallStop;
      ptrace(PTRACE_DETACH, pid, nullptr, static_cast<long>(by_signal ? WSTOPSIG(status) : 0));
    }
  }

  const pid_t command_;
  const std::string& below_;
  const std::function<std::uint64_t()>& booked_;
  // By thread: whether the call it is in concerns the mount; nullopt: it is in none.
  std::map<pid_t, std::optional<bool>> followed_;
  KernelCalls counted_;
  std::uint64_t seen_ = 0;  // operations booked after the last call that was looked at
};

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execvp(argv[0], argv.data());
  const int error = errno;
  const std::string line = fmt::format("prefixfs: {}: {}\n", command.front(), std::strerror(error));
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  _exit(error == ENOENT ? 127 : 126);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child < 0) throw Failure(command.front(), why_text(errno));
  if (child == 0) become(command);
  return {wait_for(child), std::nullopt};
}

CommandEnd run_counted_command(const std::vector<std::string>& command, const std::string& below,
                               const std::function<std::uint64_t()>& booked) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(command.front(), why_text(errno));
  FileDescriptor held(ends[0]), holding(ends[1]);
  const pid_t child = fork();
  if (child < 0) throw Failure(command.front(), why_text(errno));
  if (child == 0) {
    // Until it is followed.
    holding = FileDescriptor();
    char none = 0;
    while (read(held.get(), &none, 1) < 0 && errno == EINTR) continue;
    become(command);
  }
  Follower follower(child, below, booked);
  const bool follows = follower.seize();
  holding = FileDescriptor();
  if (!follows) return {wait_for(child), std::nullopt};
  return follower.run();
}

}  // namespace prefixfs
