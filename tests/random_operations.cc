#include "tests/random_operations.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <tuple>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE (1 << 1)
#endif

namespace differential {
namespace {

constexpr std::size_t kMany = 150;  // nodes, from which on more are removed than made
constexpr std::size_t kDeepest = 6;
constexpr std::size_t kLinked = 10;  // pairs remembered

bool below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

void drop(std::vector<std::string>& paths, const std::string& gone) {
  std::erase_if(paths, [&](const std::string& path) { return below(path, gone); });
}

void move(std::vector<std::string>& paths, const std::string& from, const std::string& to,
          bool exchange) {
  if (!exchange) drop(paths, to);
  for (std::string& path : paths) {
    if (below(path, from)) {
      path = to + path.substr(from.size());
    } else if (exchange && below(path, to)) {
      path = from + path.substr(to.size());
    }
  }
}

}  // namespace

RandomOperations::RandomOperations(std::uint64_t seed, Features features) : random_(seed) {
  weighted_ = {
      {What::mkdir, 9},    {What::mknod, 6},     {What::open, 16},      {What::close, 3},
      {What::read, 6},     {What::write, 8},     {What::pwrite, 8},     {What::map_write, 3},
      {What::fstat, 4},    {What::ftruncate, 4}, {What::fchmod, 1},     {What::fsync, 1},
      {What::truncate, 3}, {What::stat, 6},      {What::readlink, 2},   {What::list, 4},
      {What::rename, 12},  {What::unlink, 7},    {What::rmdir, 4},      {What::symlink, 4},
      {What::chmod, 3},    {What::chown, 2},     {What::list_open, 2},  {What::set_times, 5},
      {What::allocate, 5}, {What::extents, 5},   {What::copy_range, 5},
  };
  if (features.fifos) weighted_.push_back({What::fifo, 2});
  if (features.hard_links) {
    weighted_.push_back({What::hard_link, 7});
    weighted_.push_back({What::link_open, 2});
  }
  if (features.xattrs) {
    weighted_.push_back({What::set_xattr, 4});
    weighted_.push_back({What::remove_xattr, 1});
    weighted_.push_back({What::list_xattrs, 2});
    weighted_.push_back({What::get_xattr, 3});
  }
  if (features.acls) weighted_.push_back({What::set_acl, 6});
  acls_ = features.acls;
  for (const Weighted& each : weighted_) weights_ += each.weight;
}

std::string RandomOperations::name() {
  static const std::vector<std::string> kNames = {"a",   "b",   "c",  "a-",       "a0",   "a!",
                                                  "a.b", "a b", "ab", "\xc3\xa9", "\xff", "a\nb"};
  if (one_in(200)) return std::string(255, 'n');
  if (one_in(400)) return std::string(256, 'n');
  return any_of(kNames);
}

std::string RandomOperations::folder() {
  if (folders_.empty() || one_in(6)) return {};
  return any_of(folders_);
}

std::string RandomOperations::new_path() {
  std::string above = folder();
  // Now and then through something that need not be a folder, or is not there.
  if (!known_.empty() && one_in(20)) above = any_of(known_);
  const auto depth = static_cast<std::size_t>(std::count(above.begin(), above.end(), '/'));
  if (above.empty() || depth >= kDeepest) return name();
  // Never the top of the trees, and never what is above it.
  if (depth > 0 && one_in(200)) return above + (one_in(2) ? "/." : "/..");
  return above + "/" + name();
}

std::string RandomOperations::path() {
  if (known_.empty() || one_in(4)) return new_path();
  return any_of(known_);
}

// Around the ends of blocks, and sometimes far past the end of the file.
off_t RandomOperations::offset() {
  constexpr std::uint64_t kBlock = 64 * 1024;
  switch (below(6)) {
    case 0:
      return 0;
    case 1:
      return static_cast<off_t>(below(100));
    case 2:
      return static_cast<off_t>(kBlock * (1 + below(3)) - 3 + below(7));
    case 3:
      return static_cast<off_t>(4096 * below(64));
    case 4:
      return one_in(4) ? static_cast<off_t>(kBlock * below(200)) : 5;
    default:
      return static_cast<off_t>(below(3 * kBlock));
  }
}

std::size_t RandomOperations::length() {
  switch (below(5)) {
    case 0:
      return below(3);
    case 1:
      return below(100);
    case 2:
      return 4096;
    case 3:
      return below(20'000);
    default:
      return one_in(4) ? below(200'000) : below(6000);
  }
}

mode_t RandomOperations::mode(bool of_folder) {
  static const std::vector<mode_t> kFile = {0644, 0600, 0755, 0666, 04755, 02755, 0444, 0};
  static const std::vector<mode_t> kFolder = {0755, 0755, 0700, 0777, 01777, 02755, 0555};
  return of_folder ? any_of(kFolder) : any_of(kFile);
}

std::string RandomOperations::acl_name() {
  return one_in(2) ? "system.posix_acl_access" : "system.posix_acl_default";
}

// Always long ago, which tells it from a time that the file system has set.
timespec RandomOperations::time() {
  if (one_in(10)) return {.tv_sec = 0, .tv_nsec = UTIME_NOW};
  if (one_in(10)) return {.tv_sec = 0, .tv_nsec = UTIME_OMIT};
  return {.tv_sec = static_cast<std::time_t>(below(1'200'000'000)),
          .tv_nsec = static_cast<long>(below(1'000'000'000))};
}

Operation RandomOperations::next() {
  Operation op;
  std::uint64_t at = below(weights_);
  for (const Weighted& each : weighted_) {
    op.what = each.what;
    if (at < each.weight) break;
    at -= each.weight;
  }
  if (known_.size() > kMany && one_in(3)) op.what = one_in(3) ? What::rmdir : What::unlink;
  op.slot = below(Side::kSlots);
  op.offset = offset();
  op.length = length();
  op.bytes = random_();
  static const std::vector<mode_t> kUmasks = {0, 0, 022, 027, 0777};
  op.umask = any_of(kUmasks);
  switch (op.what) {
    case What::mkdir:
      op.path = new_path();
      op.mode = mode(true);
      break;
    case What::mknod:
    case What::fifo:
      op.path = new_path();
      op.mode = mode(false);
      break;
    case What::open: {
      static const std::vector<int> kAccess = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR, O_RDWR};
      static const std::vector<int> kFlags = {0,
                                              O_CREAT,
                                              O_CREAT,
                                              O_CREAT | O_EXCL,
                                              O_CREAT | O_TRUNC,
                                              O_TRUNC,
                                              O_APPEND,
                                              O_CREAT | O_APPEND,
                                              O_NOFOLLOW,
                                              O_DIRECTORY};
      op.flags = any_of(kAccess) | any_of(kFlags);
      op.path = (op.flags & O_CREAT) != 0 && !one_in(3) ? new_path() : path();
      if ((op.flags & O_DIRECTORY) != 0) {
        op.flags = O_RDONLY | O_DIRECTORY;
        op.path = folders_.empty() ? path() : any_of(folders_);
      }
      op.mode = mode(false);
      break;
    }
    case What::allocate: {
      static const std::vector<int> kModes = {0,
                                              FALLOC_FL_KEEP_SIZE,
                                              FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                              FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                              FALLOC_FL_ZERO_RANGE,
                                              FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE};
      op.flags = any_of(kModes);
      if (one_in(3)) op.length *= 20;
      break;
    }
    case What::copy_range:
      op.other = below(Side::kSlots);
      op.to_offset = offset();
      break;
    case What::fchmod:
    case What::chmod:
      op.path = path();
      op.mode = mode(one_in(2));
      break;
    case What::rename:
      static const std::vector<int> kFlags = {0, 0, 0, 0, RENAME_NOREPLACE, RENAME_EXCHANGE};
      op.path = !folders_.empty() && one_in(3) ? any_of(folders_) : path();
      op.to = one_in(2) ? new_path() : path();
      op.flags = any_of(kFlags);
      // Onto another name of the same file, if they still are that.
      if (!linked_.empty() && one_in(8)) {
        std::tie(op.path, op.to) = any_of(linked_);
        if (one_in(2)) std::swap(op.path, op.to);
      }
      break;
    case What::link_open:
      op.to = new_path();
      break;
    case What::hard_link:
      op.path = path();
      op.to = new_path();
      break;
    case What::symlink:
      op.path = new_path();
      // Never upwards: a link must not lead out of the tree, wherever it is moved to.
      op.to = one_in(3) ? name() + "/" + name() : name();
      break;
    case What::chown: {
      static const std::vector<uid_t> kIds = {0, 1, 33, 1234, 65534, static_cast<uid_t>(-1)};
      op.path = path();
      op.uid = any_of(kIds);
      op.gid = any_of(kIds);
      // Of a chown of nothing, which takes set-ID bits on ext4, the kernel's FUSE tells nobody.
      if (op.uid == static_cast<uid_t>(-1) && op.gid == static_cast<gid_t>(-1)) op.uid = 0;
      op.flags = one_in(2) ? AT_SYMLINK_NOFOLLOW : 0;
      break;
    }
    case What::stat:
    case What::set_times:
      op.path = path();
      op.times = {time(), time()};
      op.flags = one_in(2) ? AT_SYMLINK_NOFOLLOW : 0;
      break;
    case What::list:
      op.path = one_in(5) ? path() : folder();
      if (op.path.empty()) op.path = ".";
      break;
    case What::rmdir:
      op.path = !folders_.empty() && !one_in(4) ? any_of(folders_) : path();
      break;
    case What::set_xattr:
    case What::get_xattr:
    case What::remove_xattr: {
      static const std::vector<std::string> kNames = {"user.a",     "user.test", "trusted.a",
                                                      "security.a", "user.",     "nowhere.a"};
      static const std::vector<int> kModes = {0, 0, 0, XATTR_CREATE, XATTR_REPLACE};
      op.path = path();
      op.to = acls_ && op.what != What::set_xattr && one_in(2) ? acl_name() : any_of(kNames);
      op.flags = any_of(kModes);
      op.length %= 700;  // an ext4 has no more room for them
      break;
    }
    case What::set_acl:
      op.path = path();
      if (!folders_.empty() && one_in(2)) op.path = any_of(folders_);
      op.to = acl_name();
      break;
    default:
      op.path = path();
      break;
  }
  return op;
}

void RandomOperations::done(const Operation& op, bool succeeded) {
  if (!succeeded) return;
  const auto know = [&](const std::string& path, bool is_folder) {
    if (std::find(known_.begin(), known_.end(), path) == known_.end()) known_.push_back(path);
    if (is_folder) folders_.push_back(path);
  };
  switch (op.what) {
    case What::mkdir:
      know(op.path, true);
      break;
    case What::mknod:
    case What::fifo:
    case What::symlink:
      know(op.path, false);
      break;
    case What::open:
      if ((op.flags & O_CREAT) != 0) know(op.path, false);
      break;
    case What::hard_link:
      know(op.to, false);
      linked_.emplace_back(op.path, op.to);
      if (linked_.size() > kLinked) linked_.erase(linked_.begin());
      break;
    case What::link_open:
      know(op.to, false);
      break;
    case What::unlink:
    case What::rmdir:
      drop(known_, op.path);
      drop(folders_, op.path);
      break;
    case What::rename: {
      if (op.path == op.to) break;
      const bool exchange = (op.flags & RENAME_EXCHANGE) != 0;
      move(known_, op.path, op.to, exchange);
      move(folders_, op.path, op.to, exchange);
      break;
    }
    default:
      break;
  }
}

}  // namespace differential
