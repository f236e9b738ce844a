// One system call that no shell command makes as such.
//
//   posix_call rename A B [noreplace|exchange]
//   posix_call link A B
//   posix_call map_write FILE OFFSET TEXT     through a shared mapping, which is synced
//   posix_call map_read FILE OFFSET LENGTH    to standard output
//   posix_call pwrite FILE OFFSET TEXT        in a file opened with O_APPEND
//   posix_call create FILE MODE               with open(2), which takes what chmod(1) would not ask
//   for posix_call fallocate FILE extend|keep|punch|zero|zero_keep|collapse|insert OFFSET LENGTH
//   posix_call seek FILE data|hole OFFSET     where it is, to standard output
//   posix_call copy_range FROM OFFSET TO OFFSET LENGTH     how many bytes, to standard output
//   posix_call tmpfile DIR                    O_TMPFILE
//   posix_call setxattr PATH NAME [create|replace]   the value is read from standard input
//   posix_call fsync FILE-OR-DIR
//   posix_call hold FILE                      opens it, says so, waits for standard input to end
//
// Exit status 1 and the error on standard error when it fails, 2 for wrong use.

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE (1 << 1)
#endif

namespace {

int open_for(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  return fd;
}

bool rename_with(const std::string& from, const std::string& to, const std::string& how) {
  const unsigned flags = how == "noreplace"  ? RENAME_NOREPLACE
                         : how == "exchange" ? RENAME_EXCHANGE
                                             : 0;
  return ::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
}

// Maps the file as long as it is, so offset + length must lie inside.
template <class Use>
bool with_mapping(const std::string& path, int protection, Use use) {
  const int fd = open_for(path, (protection & PROT_WRITE) != 0 ? O_RDWR : O_RDONLY);
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) return false;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* map = ::mmap(nullptr, size, protection, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return false;
  use(static_cast<char*>(map), size);
  const bool synced = (protection & PROT_WRITE) == 0 || ::msync(map, size, MS_SYNC) == 0;
  return synced && ::munmap(map, size) == 0 && ::close(fd) == 0;
}

bool set_xattr(const std::string& path, const std::string& name, const std::string& how) {
  const std::string value{std::istreambuf_iterator<char>(std::cin), {}};
  const int flags = how == "create" ? XATTR_CREATE : how == "replace" ? XATTR_REPLACE : 0;
  return ::lsetxattr(path.c_str(), name.c_str(), value.data(), value.size(), flags) == 0;
}

bool allocate(const std::string& path, const std::string& how, off_t offset, off_t length) {
  static const std::map<std::string, int> kModes = {
      {"extend", 0},
      {"keep", FALLOC_FL_KEEP_SIZE},
      {"punch", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE},
      {"zero", FALLOC_FL_ZERO_RANGE},
      {"zero_keep", FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE},
      {"collapse", FALLOC_FL_COLLAPSE_RANGE},
      {"insert", FALLOC_FL_INSERT_RANGE}};
  const int fd = open_for(path, O_RDWR);
  return fd >= 0 && ::fallocate(fd, kModes.at(how), offset, length) == 0;
}

bool tell(std::int64_t result) {
  if (result >= 0) std::cout << result << std::endl;
  return result >= 0;
}

bool seek(const std::string& path, const std::string& what, off_t offset) {
  const int fd = open_for(path, O_RDONLY);
  return fd >= 0 && tell(::lseek(fd, offset, what == "hole" ? SEEK_HOLE : SEEK_DATA));
}

bool copy_range(const std::vector<std::string>& args) {
  const int from = open_for(args[1], O_RDONLY);
  const int to = open_for(args[3], O_WRONLY | O_CREAT);
  off_t offset = std::stol(args[2]);
  off_t to_offset = std::stol(args[4]);
  return from >= 0 && to >= 0 &&
         tell(::copy_file_range(from, &offset, to, &to_offset, std::stoul(args[5]), 0));
}

bool hold(const std::string& path) {
  const int fd = open_for(path, O_RDONLY);
  if (fd < 0) return false;
  std::cout << "open" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  return ::close(fd) == 0;
}

constexpr int kWrongUse = 2;

// Whether the call worked, or kWrongUse.
int run(const std::vector<std::string>& args) {
  const auto is = [&](const char* name, std::size_t from, std::size_t to) {
    return !args.empty() && args[0] == name && args.size() > from && args.size() <= to + 1;
  };
  if (is("rename", 2, 3)) return rename_with(args[1], args[2], args.size() > 3 ? args[3] : "");
  if (is("link", 2, 2)) return ::link(args[1].c_str(), args[2].c_str()) == 0;
  if (is("map_write", 3, 3)) {
    return with_mapping(args[1], PROT_READ | PROT_WRITE, [&](char* map, std::size_t) {
      std::memcpy(map + std::stoul(args[2]), args[3].data(), args[3].size());
    });
  }
  if (is("map_read", 3, 3)) {
    return with_mapping(args[1], PROT_READ, [&](const char* map, std::size_t) {
      std::cout.write(map + std::stoul(args[2]), std::stol(args[3]));
    });
  }
  if (is("pwrite", 3, 3)) {
    const int fd = open_for(args[1], O_WRONLY | O_APPEND);
    return fd >= 0 && ::pwrite(fd, args[3].data(), args[3].size(), std::stol(args[2])) ==
                          static_cast<ssize_t>(args[3].size());
  }
  if (is("create", 2, 2)) {
    return ::open(args[1].c_str(), O_CREAT | O_EXCL | O_WRONLY,
                  static_cast<mode_t>(std::stoul(args[2], nullptr, 8))) >= 0;
  }
  if (is("fallocate", 4, 4)) {
    return allocate(args[1], args[2], std::stol(args[3]), std::stol(args[4]));
  }
  if (is("seek", 3, 3)) return seek(args[1], args[2], std::stol(args[3]));
  if (is("copy_range", 5, 5)) return copy_range(args);
  if (is("tmpfile", 1, 1)) return open_for(args[1], O_TMPFILE | O_RDWR) >= 0;
  if (is("setxattr", 2, 3)) return set_xattr(args[1], args[2], args.size() > 3 ? args[3] : "");
  if (is("fsync", 1, 1)) {
    const int fd = open_for(args[1], O_RDONLY);
    return fd >= 0 && ::fsync(fd) == 0;
  }
  if (is("hold", 1, 1)) return hold(args[1]);
  return kWrongUse;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  const int done = run(args);
  if (done == kWrongUse) {
    std::cerr << "posix_call: no such call\n";
    return kWrongUse;
  }
  if (done == 1) return 0;
  std::cerr << "posix_call: " << args[0] << ": " << std::strerror(errno) << '\n';
  return 1;
}
