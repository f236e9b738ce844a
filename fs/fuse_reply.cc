#include "fs/fuse_reply.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <exception>
#include <new>

#include "table/error.h"

namespace prefixfs {
namespace {

constexpr blksize_t kPreferredIo = 64 * 1024;  // one block of content

mode_t type_bits(Kind kind) {
  switch (kind) {
    case Kind::file:
      return S_IFREG;
    case Kind::folder:
      return S_IFDIR;
    case Kind::symlink:
      return S_IFLNK;
    case Kind::fifo:
      return S_IFIFO;
    case Kind::socket:
      return S_IFSOCK;
    case Kind::character:
      return S_IFCHR;
    case Kind::block:
      return S_IFBLK;
  }
  return S_IFREG;
}

timespec timespec_of(const Time& time) { return {time.sec, time.nsec}; }
Time time_of(const timespec& time) {
  return {time.tv_sec, static_cast<std::int32_t>(time.tv_nsec)};
}

int errno_of(table::Fault fault) {
  switch (fault) {
    case table::Fault::full:
      return ENOSPC;
    case table::Fault::readonly:
      return EROFS;
    case table::Fault::memory:
      return ENOMEM;
    case table::Fault::io:
    case table::Fault::busy:
    case table::Fault::damaged:
    case table::Fault::refused:
    case table::Fault::internal:
      return EIO;
  }
  return EIO;
}

}  // namespace

struct stat stat_of(const Stat& from) {
  struct stat to {};
  to.st_ino = number(from.id);
  to.st_mode = type_bits(from.kind) | from.mode;
  to.st_nlink = from.links;
  to.st_uid = from.uid;
  to.st_gid = from.gid;
  to.st_rdev = from.rdev;
  to.st_size = static_cast<off_t>(from.size);
  to.st_blksize = kPreferredIo;
  to.st_blocks = static_cast<blkcnt_t>(from.sectors);
  to.st_atim = timespec_of(from.atime);
  to.st_mtim = timespec_of(from.mtime);
  to.st_ctim = timespec_of(from.ctime);
  return to;
}

Kind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
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
      return Kind::file;
  }
}

AttrChange change_of(const struct stat& attr, int to_set, const Clock& clock) {
  AttrChange change;
  if (to_set & FUSE_SET_ATTR_MODE) change.mode = attr.st_mode & 07777;
  if (to_set & FUSE_SET_ATTR_UID) change.uid = attr.st_uid;
  if (to_set & FUSE_SET_ATTR_GID) change.gid = attr.st_gid;
  if (to_set & FUSE_SET_ATTR_SIZE) change.size = static_cast<std::uint64_t>(attr.st_size);
  if (to_set & FUSE_SET_ATTR_ATIME) change.atime = time_of(attr.st_atim);
  if (to_set & FUSE_SET_ATTR_MTIME) change.mtime = time_of(attr.st_mtim);
  if (to_set & FUSE_SET_ATTR_CTIME) change.ctime = time_of(attr.st_ctim);
  // The kernel sets these beside the plain ones and leaves the times to us.
  if (to_set & (FUSE_SET_ATTR_ATIME_NOW | FUSE_SET_ATTR_MTIME_NOW)) {
    const Time now = clock();
    if (to_set & FUSE_SET_ATTR_ATIME_NOW) change.atime = now;
    if (to_set & FUSE_SET_ATTR_MTIME_NOW) change.mtime = now;
  }
  return change;
}

int errno_of_exception(const char* operation) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const table::TableError& error) {
    const int code = errno_of(error.fault());
    if (code == EIO) spdlog::error("{}: {}", operation, error.what());
    return code;
  } catch (const std::exception& error) {
    spdlog::error("{}: {}", operation, error.what());
  } catch (...) {
    spdlog::error("{}: an exception of unknown type", operation);
  }
  return EIO;
}

void reply_ok(fuse_req_t req) { fuse_reply_err(req, 0); }

void tell_of_mode(fuse_req_t req, fuse_ino_t ino, const Written& written) {
  if (!written.set_id_dropped) return;
  fuse_lowlevel_notify_inval_inode(context_of(req).session, ino, -1, 0);
}

void reply_attr(fuse_req_t req, const Stat& stat) {
  const struct stat attr = stat_of(stat);
  fuse_reply_attr(req, &attr, context_of(req).cache.entry_seconds);
}

fuse_entry_param entry_of(const FuseContext& context, const Stat& stat, Keep keep) {
  fuse_entry_param entry{};
  entry.ino = number(stat.id);
  entry.attr = stat_of(stat);
  entry.attr_timeout = entry.entry_timeout = keep == Keep::yes ? context.cache.entry_seconds : 0;
  if (stat.fleeting) entry.entry_timeout = 0;
  return entry;
}

void reply_entry(fuse_req_t req, const Stat& stat, Keep keep) {
  FuseContext& context = context_of(req);  // `req` is gone once replied to
  const fuse_entry_param entry = entry_of(context, stat, keep);
  if (fuse_reply_entry(req, &entry) != 0) take_back(context, stat.id);
}

void reply_absent(fuse_req_t req, Keep keep) {
  if (keep == Keep::no) {
    fuse_reply_err(req, ENOENT);
    return;
  }
  fuse_entry_param entry{};
  entry.entry_timeout = context_of(req).cache.negative_seconds;
  fuse_reply_entry(req, &entry);
}

void take_back(FuseContext& context, NodeId id) noexcept {
  guarded("forget", [&] { context.mount.forget(id, 1); });
}

}  // namespace prefixfs
