#include "tools/host_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace prefixfs {
namespace {

struct CloseFolder {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

void raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // not being allowed to is no harm
}

Result<std::vector<std::string>> names_in(const table::FileDescriptor& folder) {
  const int fd = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return std::errc(errno);
  const std::unique_ptr<DIR, CloseFolder> dir(::fdopendir(fd));
  if (!dir) {
    const int error = errno;
    ::close(fd);
    return std::errc(error);
  }
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(dir.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return std::errc(errno);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Kind> kind_of_mode(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return Kind::file;
    case S_IFDIR:
      return Kind::folder;
    case S_IFLNK:
      return Kind::symlink;
    case S_IFIFO:
      return Kind::fifo;
    case S_IFSOCK:
      return Kind::socket;
    case S_IFCHR:
      return Kind::character;
    case S_IFBLK:
      return Kind::block;
    default:
      return std::nullopt;
  }
}

Result<std::string> read_link(int folder, const std::string& name) {
  for (std::size_t size = 256;; size *= 2) {
    std::string target(size, '\0');
    const ssize_t length = ::readlinkat(folder, name.c_str(), target.data(), target.size());
    if (length < 0) return std::errc(errno);
    if (static_cast<std::size_t>(length) == size) continue;  // there may be more
    target.resize(static_cast<std::size_t>(length));
    return target;
  }
}

std::string own_name(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "." || name == ".." ? std::string() : std::string(name);
}

std::string folder_of(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

HostTimes host_times(const Node& node) {
  const auto spec = [](const Time& time) {
    timespec value{};
    value.tv_sec = time.sec;
    value.tv_nsec = time.nsec;
    return value;
  };
  return {{spec(node.atime), spec(node.mtime)}};
}

}  // namespace prefixfs
