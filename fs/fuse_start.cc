#include "fs/fuse_start.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "fs/fuse_mount_table.h"
#include "fs/fuse_unmount.h"

namespace prefixfs {
namespace {

constexpr const char* kDevice = "/dev/fuse";
constexpr const char* kUserMounter = "fusermount3";

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// A mount whose daemon has ended without unmounting it.  stat() may still be answered from what the
// kernel kept; statvfs() never is.
bool is_dead_mount(const std::string& dir) {
  struct statvfs space {};
  return statvfs(dir.c_str(), &space) != 0 && (errno == ENOTCONN || errno == ECONNABORTED);
}

void remove_dead_mount(const std::string& dir) {
  const auto mounted = mounted_at(dir);
  if (!mounted || mounted->type != kMountType) {
    throw StartFailure(dir, "a dead mount of another kind is there");
  }
  const Unmounted result = unmount(dir, Detach::yes);
  if (result.error != 0) {
    throw StartFailure(dir, "a dead mount is there and does not go: " + result.why);
  }
  spdlog::warn("{}: removed a mount whose process had ended", dir);
}

}  // namespace

std::string resolved_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(path, error);
  if (!error) return whole.string();
  std::filesystem::path absolute = std::filesystem::absolute(path, error).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();
  const std::filesystem::path parent = std::filesystem::canonical(absolute.parent_path(), error);
  return (error ? absolute : parent / absolute.filename()).string();
}

void check_fuse() {
  if (access(kDevice, R_OK | W_OK) != 0) {
    throw StartFailure(kDevice, errno == ENOENT
                                    ? "not there: load the fuse module, or give the container the "
                                      "device"
                                    : std::strerror(errno));
  }
  if (geteuid() != 0 && !on_path(kUserMounter)) {
    throw StartFailure(kUserMounter, "not found on PATH: users other than root mount through it");
  }
}

void check_mount_point(const std::string& dir, const std::string& file) {
  while (is_dead_mount(dir)) remove_dead_mount(dir);
  struct stat st {};
  if (stat(dir.c_str(), &st) != 0) throw StartFailure(dir, std::strerror(errno));
  if (!S_ISDIR(st.st_mode)) throw StartFailure(dir, std::strerror(ENOTDIR));
  // The store would find its own mount in the place of its files.
  if (file.compare(0, dir.size(), dir) == 0 && (dir == "/" || file[dir.size()] == '/')) {
    throw StartFailure(dir, "the table file " + file + " lies below it");
  }
}

}  // namespace prefixfs
