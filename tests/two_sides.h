// One operation done on two folders, and what came of it as text that can be compared.
//
// A side is a folder and the files opened in it.  An outcome says all that POSIX promises about the
// operation (result, errno, bytes read, attributes) and nothing that two file systems may answer
// differently (inode numbers, sizes of folders, the clock).

#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace differential {

enum class What {
  mkdir,
  mknod,
  fifo,
  open,  // into a slot
  close,
  read,
  write,  // at the file's position
  pwrite,
  map_write,  // through a shared mapping
  fstat,
  ftruncate,
  fchmod,
  fsync,
  allocate,    // flags: of fallocate(2)
  extents,     // the content, read through SEEK_DATA and SEEK_HOLE
  copy_range,  // from the slot at `offset` to the slot `other` at `to_offset`
  list_open,   // the names in an open folder
  truncate,
  stat,
  readlink,
  list,
  rename,
  unlink,
  rmdir,
  symlink,
  hard_link,
  link_open,  // another name for what a slot holds, if it has one
  chmod,
  chown,
  set_times,
  set_xattr,
  get_xattr,
  remove_xattr,
  list_xattrs,
  set_acl,  // one made from `bytes`
};

struct Operation {
  What what{};
  std::string path{};  // relative to the side's folder
  std::string to{};    // rename, link: the new name; symlink: the target; xattrs: the name
  std::size_t slot = 0;
  std::size_t other = 0;
  int flags = 0;  // open(2), renameat2(2), *at(2)
  mode_t mode = 0;
  mode_t umask = 0;
  off_t offset = 0;
  off_t to_offset = 0;
  std::size_t length = 0;
  std::uint64_t bytes = 0;  // seed of what is written
  uid_t uid = 0;
  gid_t gid = 0;
  std::array<timespec, 2> times{};
};

std::string text_of(const Operation& op);

class Side {
 public:
  explicit Side(const std::string& folder);  // throws std::system_error
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  ~Side();

  std::string perform(const Operation& op);

  // One line per node below the folder, in order of paths: everything that must be equal, content
  // as a hash.  With `from_disk`, the kernel's copies of the content are dropped first.
  std::vector<std::string> tree(bool from_disk) const;

  static constexpr std::size_t kSlots = 8;

 private:
  std::string with_slot(const Operation& op);
  std::string with_path(const Operation& op) const;

  std::string folder_;
  int root_ = -1;
  std::array<int, kSlots> slots_;
};

}  // namespace differential
