#include "tests/two_sides.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <system_error>

namespace differential {
namespace {

// What was not set by hand is newer than this.
constexpr std::time_t kRecently = 1'500'000'000;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string failed() { return ::strerrorname_np(errno); }
std::string outcome(long result) { return result < 0 ? failed() : std::to_string(result); }

std::string bytes_of(std::uint64_t seed, std::size_t length) {
  std::string bytes(length, '\0');
  for (char& byte : bytes) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<char>(seed >> 56);
  }
  return bytes;
}

struct Hash {
  std::uint64_t value = 14695981039346656037u;
  void add(const char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      value = (value ^ static_cast<unsigned char>(bytes[i])) * 1099511628211u;
    }
  }
};

std::string time_text(const timespec& time) {
  if (time.tv_sec > kRecently) return "recent";
  return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

char kind_letter(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return '-';
    case S_IFDIR:
      return 'd';
    case S_IFLNK:
      return 'l';
    case S_IFIFO:
      return 'p';
    default:
      return '?';
  }
}

std::string octal(mode_t mode) {
  std::string text;
  for (mode &= 07777; mode != 0 || text.empty(); mode >>= 3) {
    text.insert(text.begin(), static_cast<char>('0' + (mode & 7)));
  }
  return text;
}

// An ACL as the kernel takes it: whole more often than not, with users and groups of few numbers.
std::string acl_of(std::uint64_t seed) {
  constexpr std::uint32_t kUser = 2, kGroup = 8, kNoId = 0xffffffff;
  constexpr std::uint32_t kIds[] = {0, 1, 33, 1234, 65534};
  const std::string random = bytes_of(seed, 64);
  std::size_t at = 0;
  const auto below = [&](unsigned limit) {
    return static_cast<unsigned char>(random[at++]) % limit;
  };
  std::string acl("\x02\0\0\0", 4);
  const auto add = [&](std::uint32_t tag, std::uint32_t id) {
    const std::uint32_t rights = below(8);
    acl += {static_cast<char>(tag), '\0', static_cast<char>(rights), '\0'};
    for (int shift = 0; shift < 32; shift += 8) acl += static_cast<char>(id >> shift & 0xff);
  };
  add(1, kNoId);
  const unsigned users = below(3);
  for (unsigned i = 0; i < users; ++i) add(kUser, kIds[below(std::size(kIds))]);
  add(4, kNoId);
  const unsigned groups = below(3);
  for (unsigned i = 0; i < groups; ++i) add(kGroup, kIds[below(std::size(kIds))]);
  const bool wrong = below(8) == 0;
  if ((users + groups > 0 || below(4) == 0) != wrong) add(16, kNoId);
  add(32, kNoId);
  return acl;
}

// Names on one line each, whatever they hold.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c >= ' ' && c <= '~') {
      shown += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
      shown += escaped;
    }
  }
  return shown;
}

std::string stat_text(const struct stat& stat) {
  std::string text;
  text += kind_letter(stat.st_mode);
  text += octal(stat.st_mode) + " links " + std::to_string(stat.st_nlink);
  text += " of " + std::to_string(stat.st_uid) + ":" + std::to_string(stat.st_gid);
  if (!S_ISDIR(stat.st_mode)) text += " size " + std::to_string(stat.st_size);
  // Writing to a fifo sets its times, of which the kernel's FUSE tells nobody.
  if (!S_ISFIFO(stat.st_mode)) text += " mtime " + time_text(stat.st_mtim);
  return text;
}

// "name:type" of each, sorted; takes the descriptor.
std::string list_text(int fd) {
  DIR* dir = fd < 0 ? nullptr : ::fdopendir(fd);
  if (dir == nullptr) {
    const std::string why = failed();
    if (fd >= 0) ::close(fd);
    return why;
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name + ":" + std::to_string(entry->d_type));
  }
  std::string text = errno == 0 ? "" : failed() + " after ";
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) text += printable(name) + " ";
  return text;
}

std::string read_text(int fd, off_t offset, std::size_t length) {
  std::string bytes(length, '\0');
  const ssize_t got = ::pread(fd, bytes.data(), length, offset);
  if (got < 0) return failed();
  Hash hash;
  hash.add(bytes.data(), static_cast<std::size_t>(got));
  return std::to_string(got) + " bytes #" + std::to_string(hash.value);
}

// Where the holes are is a file system's own affair, but what lies in them is not.
std::string extents_text(int fd, off_t past) {
  struct stat stat {};
  if (::fstat(fd, &stat) != 0) return failed();
  if (!S_ISREG(stat.st_mode)) return "not a file";
  if ((::fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) return "not to be read";
  const off_t position = ::lseek(fd, 0, SEEK_CUR);
  std::string bytes(static_cast<std::size_t>(stat.st_size), '\0');
  std::string text;
  for (off_t hole = 0; hole < stat.st_size && text.empty();) {
    const off_t data = ::lseek(fd, hole, SEEK_DATA);
    if (data < 0) {
      if (errno != ENXIO) text = "SEEK_DATA: " + failed();
      break;
    }
    hole = ::lseek(fd, data, SEEK_HOLE);
    if (hole <= data || hole > stat.st_size) {
      text = "SEEK_HOLE: " + outcome(hole) + " after data at " + std::to_string(data);
    } else if (::pread(fd, bytes.data() + data, static_cast<std::size_t>(hole - data), data) < 0) {
      text = failed();
    }
  }
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  if (text.empty()) text = std::to_string(bytes.size()) + " bytes #" + std::to_string(hash.value);
  for (const int whence : {SEEK_DATA, SEEK_HOLE}) {
    text += ", past the end " + outcome(::lseek(fd, stat.st_size + past, whence));
  }
  ::lseek(fd, position, SEEK_SET);
  return text;
}

std::string map_write(int fd, off_t offset, const std::string& bytes) {
  struct stat stat {};
  if (::fstat(fd, &stat) != 0) return failed();
  if (!S_ISREG(stat.st_mode) || offset >= stat.st_size) return "nothing to map";
  const auto size = static_cast<std::size_t>(stat.st_size);
  void* map = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return failed();
  const auto at = static_cast<std::size_t>(offset);
  std::memcpy(static_cast<char*>(map) + at, bytes.data(), std::min(bytes.size(), size - at));
  const int unmapped = ::munmap(map, size);
  return outcome(unmapped);
}

std::string content_text(int root, const std::string& path, bool from_disk) {
  const Descriptor file(::openat(root, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) return failed();
  if (from_disk) {
    ::fsync(file.get());
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  }
  Hash hash;
  std::string buffer(256 * 1024, '\0');
  std::uint64_t length = 0;
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0) return failed();
    if (got == 0) break;
    hash.add(buffer.data(), static_cast<std::size_t>(got));
    length += static_cast<std::uint64_t>(got);
  }
  return std::to_string(length) + " bytes #" + std::to_string(hash.value);
}

std::string link_text(int root, const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t size = ::readlinkat(root, path.c_str(), target.data(), target.size());
  if (size < 0) return failed();
  return "-> " + printable(target.substr(0, static_cast<std::size_t>(size)));
}

// "name=hash of the value" of each, sorted, or nothing.
std::string xattrs_text(const std::string& path) {
  std::string list(64 * 1024, '\0');
  const ssize_t size = ::llistxattr(path.c_str(), list.data(), list.size());
  if (size < 0) return failed();
  std::vector<std::string> lines;
  for (const char* name = list.data(); name < list.data() + size; name += std::strlen(name) + 1) {
    std::string value(64 * 1024, '\0');
    const ssize_t length = ::lgetxattr(path.c_str(), name, value.data(), value.size());
    Hash hash;
    if (length > 0) hash.add(value.data(), static_cast<std::size_t>(length));
    lines.push_back(
        printable(name) + "=" +
        (length < 0 ? failed() : std::to_string(length) + "#" + std::to_string(hash.value)));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += " " + line;
  return text;
}

// `first`: of each file with several names, the one that came first.
void add_tree(const std::string& top, int root, const std::string& folder, bool from_disk,
              std::map<ino_t, std::string>& first, std::vector<std::string>& out) {
  const int fd = ::openat(root, folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  DIR* dir = fd < 0 ? nullptr : ::fdopendir(fd);
  if (dir == nullptr) {
    out.push_back(printable(folder) + ": " + failed());
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = folder == "." ? name : folder + "/" + name;
    struct stat stat {};
    if (::fstatat(root, path.c_str(), &stat, AT_SYMLINK_NOFOLLOW) != 0) {
      out.push_back(printable(path) + ": " + failed());
      continue;
    }
    std::string line = printable(path) + ": " + stat_text(stat);
    if (S_ISREG(stat.st_mode)) line += " " + content_text(root, path, from_disk);
    if (S_ISLNK(stat.st_mode)) line += " " + link_text(root, path);
    const std::string xattrs = xattrs_text(top + "/" + path);
    if (xattrs != "ENOTSUP") line += xattrs;
    if (!S_ISDIR(stat.st_mode) && stat.st_nlink > 1) {
      line += " a name of " + printable(first.try_emplace(stat.st_ino, path).first->second);
    }
    out.push_back(line);
    if (S_ISDIR(stat.st_mode)) add_tree(top, root, path, from_disk, first, out);
  }
}

}  // namespace

Side::Side(const std::string& folder)
    : folder_(folder), root_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (root_ < 0) throw std::system_error(errno, std::generic_category(), folder);
  slots_.fill(-1);
}

Side::~Side() {
  for (const int fd : slots_) {
    if (fd >= 0) ::close(fd);
  }
  ::close(root_);
}

std::vector<std::string> Side::tree(bool from_disk) const {
  std::vector<std::string> lines;
  std::map<ino_t, std::string> first;
  add_tree(folder_, root_, ".", from_disk, first, lines);
  return lines;
}

std::string Side::perform(const Operation& op) {
  ::umask(op.umask);
  switch (op.what) {
    case What::open:
    case What::close:
    case What::read:
    case What::write:
    case What::pwrite:
    case What::map_write:
    case What::fstat:
    case What::ftruncate:
    case What::fchmod:
    case What::fsync:
    case What::allocate:
    case What::extents:
    case What::copy_range:
    case What::list_open:
    case What::link_open:
      return with_slot(op);
    default:
      return with_path(op);
  }
}

std::string Side::with_slot(const Operation& op) {
  int& fd = slots_.at(op.slot);
  switch (op.what) {
    case What::open:
      if (fd >= 0) ::close(fd);
      fd = ::openat(root_, op.path.c_str(), op.flags | O_NONBLOCK | O_CLOEXEC, op.mode);
      return fd < 0 ? failed() : "open";
    case What::close: {
      const int closed = fd;
      fd = -1;
      return outcome(::close(closed));
    }
    case What::read:
      return read_text(fd, op.offset, op.length);
    case What::write: {
      const std::string bytes = bytes_of(op.bytes, op.length);
      return outcome(::write(fd, bytes.data(), bytes.size()));
    }
    case What::pwrite: {
      const std::string bytes = bytes_of(op.bytes, op.length);
      return outcome(::pwrite(fd, bytes.data(), bytes.size(), op.offset));
    }
    case What::map_write:
      return map_write(fd, op.offset, bytes_of(op.bytes, op.length));
    case What::fstat: {
      struct stat stat {};
      return ::fstat(fd, &stat) < 0 ? failed() : stat_text(stat);
    }
    case What::ftruncate:
      return outcome(::ftruncate(fd, op.offset));
    case What::fchmod:
      return outcome(::fchmod(fd, op.mode));
    case What::fsync:
      return outcome(::fsync(fd));
    case What::allocate:
      return outcome(::fallocate(fd, op.flags, op.offset, static_cast<off_t>(op.length)));
    case What::extents:
      return extents_text(fd, op.offset);
    case What::copy_range: {
      off_t from = op.offset;
      off_t to = op.to_offset;
      return outcome(::copy_file_range(fd, &from, slots_.at(op.other), &to, op.length, 0));
    }
    case What::link_open:
      return fd < 0 ? "EBADF" : outcome(::linkat(fd, "", root_, op.to.c_str(), AT_EMPTY_PATH));
    case What::list_open:
      return fd < 0 ? "EBADF" : list_text(::openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    default:
      return "?";
  }
}

std::string Side::with_path(const Operation& op) const {
  const char* path = op.path.c_str();
  const char* to = op.to.c_str();
  const std::string full = folder_ + "/" + op.path;
  switch (op.what) {
    case What::mkdir:
      return outcome(::mkdirat(root_, path, op.mode));
    case What::mknod:
      return outcome(::mknodat(root_, path, S_IFREG | op.mode, 0));
    case What::fifo:
      return outcome(::mknodat(root_, path, S_IFIFO | op.mode, 0));
    case What::truncate: {
      struct stat before {};
      const bool same = ::stat(full.c_str(), &before) == 0 && before.st_size == op.offset;
      const int done = ::truncate(full.c_str(), op.offset);
      // Whether a truncate that truncates nothing sets the times is not agreed upon.
      if (done == 0 && same) ::utimensat(root_, path, nullptr, 0);
      return outcome(done);
    }
    case What::stat: {
      struct stat stat {};
      return ::fstatat(root_, path, &stat, op.flags) < 0 ? failed() : stat_text(stat);
    }
    case What::readlink:
      return link_text(root_, op.path);
    case What::list:
      return list_text(::openat(root_, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    case What::rename:
      return outcome(::syscall(SYS_renameat2, root_, path, root_, to, op.flags));
    case What::unlink:
      return outcome(::unlinkat(root_, path, 0));
    case What::rmdir:
      return outcome(::unlinkat(root_, path, AT_REMOVEDIR));
    case What::symlink:
      return outcome(::symlinkat(to, root_, path));
    case What::hard_link:
      return outcome(::linkat(root_, path, root_, to, 0));
    case What::chmod:
      return outcome(::fchmodat(root_, path, op.mode, 0));
    case What::chown:
      return outcome(::fchownat(root_, path, op.uid, op.gid, op.flags));
    case What::set_times: {
      if (::utimensat(root_, path, op.times.data(), op.flags) != 0) return failed();
      struct stat stat {};
      if (::fstatat(root_, path, &stat, op.flags) != 0) return failed();
      // Reading may have set an atime that was not given.
      const bool atime = op.times[0].tv_nsec != UTIME_OMIT;
      return (atime ? "atime " + time_text(stat.st_atim) : "") +
             (S_ISFIFO(stat.st_mode) ? "" : " mtime " + time_text(stat.st_mtim));
    }
    case What::set_xattr: {
      const std::string bytes = bytes_of(op.bytes, op.length);
      return outcome(::lsetxattr(full.c_str(), to, bytes.data(), bytes.size(), op.flags));
    }
    case What::set_acl: {
      const std::string acl = acl_of(op.bytes);
      return outcome(::lsetxattr(full.c_str(), to, acl.data(), acl.size(), 0));
    }
    case What::get_xattr: {
      std::string bytes(64 * 1024, '\0');
      const ssize_t size = ::lgetxattr(full.c_str(), to, bytes.data(), bytes.size());
      if (size < 0) return failed();
      Hash hash;
      hash.add(bytes.data(), static_cast<std::size_t>(size));
      return std::to_string(size) + " bytes #" + std::to_string(hash.value);
    }
    case What::remove_xattr:
      return outcome(::lremovexattr(full.c_str(), to));
    case What::list_xattrs:
      return xattrs_text(full);
    default:
      return "?";
  }
}

std::string text_of(const Operation& op) {
  const auto slot = [&] { return " slot " + std::to_string(op.slot); };
  const auto range = [&] {
    return " [" + std::to_string(op.offset) + " +" + std::to_string(op.length) + "]";
  };
  const auto flags = [&] {
    char text[32];
    std::snprintf(text, sizeof text, " flags %#o", static_cast<unsigned>(op.flags));
    return std::string(text);
  };
  const std::string path = " '" + printable(op.path) + "'";
  const std::string to = " '" + printable(op.to) + "'";
  const std::string mode = " " + octal(op.mode);
  switch (op.what) {
    case What::mkdir:
      return "mkdir" + path + mode;
    case What::mknod:
      return "mknod" + path + mode;
    case What::fifo:
      return "mkfifo" + path + mode;
    case What::open:
      return "open" + path + flags() + mode + " as" + slot();
    case What::close:
      return "close" + slot();
    case What::read:
      return "read" + slot() + range();
    case What::write:
      return "write" + slot() + " +" + std::to_string(op.length);
    case What::pwrite:
      return "pwrite" + slot() + range();
    case What::map_write:
      return "write by mmap" + slot() + range();
    case What::fstat:
      return "fstat" + slot();
    case What::ftruncate:
      return "ftruncate" + slot() + " to " + std::to_string(op.offset);
    case What::fchmod:
      return "fchmod" + slot() + mode;
    case What::fsync:
      return "fsync" + slot();
    case What::allocate:
      return "fallocate" + slot() + range() + flags();
    case What::extents:
      return "extents" + slot();
    case What::copy_range:
      return "copy_file_range" + slot() + range() + " to slot " + std::to_string(op.other) +
             " at " + std::to_string(op.to_offset);
    case What::link_open:
      return "link" + slot() + to;
    case What::list_open:
      return "readdir" + slot();
    case What::truncate:
      return "truncate" + path + " to " + std::to_string(op.offset);
    case What::stat:
      return "stat" + path + flags();
    case What::readlink:
      return "readlink" + path;
    case What::list:
      return "readdir" + path;
    case What::rename:
      return "rename" + path + to + flags();
    case What::unlink:
      return "unlink" + path;
    case What::rmdir:
      return "rmdir" + path;
    case What::symlink:
      return "symlink" + to + path;
    case What::hard_link:
      return "link" + path + to;
    case What::chmod:
      return "chmod" + path + mode;
    case What::chown:
      return "chown" + path + " " + std::to_string(op.uid) + ":" + std::to_string(op.gid) + flags();
    case What::set_times:
      return "utimensat" + path + " mtime " + time_text(op.times[1]) + flags();
    case What::set_xattr:
      return "setxattr" + path + to + " +" + std::to_string(op.length) + flags();
    case What::set_acl:
      return "setxattr" + path + to + " to ACL " + std::to_string(op.bytes);
    case What::get_xattr:
      return "getxattr" + path + to;
    case What::remove_xattr:
      return "removexattr" + path + to;
    case What::list_xattrs:
      return "listxattr" + path;
  }
  return "?";
}

}  // namespace differential
