#include "table/testing/disk.h"

#include <limits.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <new>
#include <utility>

namespace table {
namespace {

// fsync() and fdatasync() have no argument to find it by.
std::atomic<Disk*> the_disk{nullptr};

// What SQLite allocates for an open file: this, and the real one behind it.
struct File {
  sqlite3_file base;
  Disk* disk;
  std::string* path;  // nullptr: of no interest, such as a temporary file
};

sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<File*>(file) + 1);
}
File& ours(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

bool breaks(sqlite3_file* file, Disk::Operation operation) {
  return ours(file).path != nullptr && ours(file).disk->fails(operation);
}

int close_file(sqlite3_file* file) {
  const int rc = real(file)->pMethods->xClose(real(file));
  delete ours(file).path;
  return rc;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  if (breaks(file, Disk::Operation::read)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), out, size, offset);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  if (breaks(file, Disk::Operation::write)) {
    return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  const int rc = real(file)->pMethods->xWrite(real(file), data, size, offset);
  if (rc == SQLITE_OK && ours(file).path != nullptr) {
    ours(file).disk->note(
        {.what = DiskEvent::What::write,
         .file = *ours(file).path,
         .offset = static_cast<std::uint64_t>(offset),
         .bytes = std::string(static_cast<const char*>(data), static_cast<std::size_t>(size))});
  }
  return rc;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (breaks(file, Disk::Operation::truncate)) return SQLITE_IOERR_TRUNCATE;
  const int rc = real(file)->pMethods->xTruncate(real(file), size);
  if (rc == SQLITE_OK && ours(file).path != nullptr) {
    ours(file).disk->note({.what = DiskEvent::What::truncate,
                           .file = *ours(file).path,
                           .offset = static_cast<std::uint64_t>(size)});
  }
  return rc;
}

// Arrives in fsync() or fdatasync() below.
int sync_file(sqlite3_file* file, int flags) {
  return real(file)->pMethods->xSync(real(file), flags);
}

int lock_file(sqlite3_file* file, int lock) {
  if (breaks(file, Disk::Operation::lock)) return SQLITE_BUSY;
  return real(file)->pMethods->xLock(real(file), lock);
}

int lock_index(sqlite3_file* file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0 && breaks(file, Disk::Operation::lock)) return SQLITE_BUSY;
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

// Version 2: without the memory maps of version 3, past which nothing is to be written.
constexpr sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = [](sqlite3_file* f,
                    sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); },
    .xLock = lock_file,
    .xUnlock = [](sqlite3_file* f, int lock) { return real(f)->pMethods->xUnlock(real(f), lock); },
    .xCheckReservedLock =
        [](sqlite3_file* f, int* held) {
          return real(f)->pMethods->xCheckReservedLock(real(f), held);
        },
    .xFileControl =
        [](sqlite3_file* f, int verb, void* argument) {
          return real(f)->pMethods->xFileControl(real(f), verb, argument);
        },
    .xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); },
    .xDeviceCharacteristics =
        [](sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
    .xShmMap =
        [](sqlite3_file* f, int page, int size, int extend, void volatile** at) {
          return real(f)->pMethods->xShmMap(real(f), page, size, extend, at);
        },
    .xShmLock = lock_index,
    .xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); },
    .xShmUnmap = [](sqlite3_file* f,
                    int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

bool is_empty_or_absent(const char* path) {
  struct stat status {};
  return ::stat(path, &status) != 0 || status.st_size == 0;
}

}  // namespace

struct Disk::Vfs {
  sqlite3_vfs* below = sqlite3_vfs_find(nullptr);
  sqlite3_vfs vfs{};
};

namespace {

int open_file(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  auto* disk = static_cast<Disk*>(vfs->pAppData);
  sqlite3_vfs* below = sqlite3_vfs_find("unix");
  auto* made = new (file) File{};
  constexpr int kLasting = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  const bool lasting = path != nullptr && (flags & kLasting) != 0;
  const bool fresh = lasting && is_empty_or_absent(path);
  const int rc = below->xOpen(below, path, real(file), flags, out_flags);
  if (real(file)->pMethods == nullptr) return rc;
  made->base.pMethods = &kMethods;
  made->disk = disk;
  if (lasting) made->path = new std::string(path);
  if (fresh && rc == SQLITE_OK) disk->note({.what = DiskEvent::What::create, .file = path});
  return rc;
}

int remove_file(sqlite3_vfs* vfs, const char* path, int sync_folder) {
  sqlite3_vfs* below = sqlite3_vfs_find("unix");
  const int rc = below->xDelete(below, path, /*syncDir=*/0);
  if (rc != SQLITE_OK) return rc;
  auto* disk = static_cast<Disk*>(vfs->pAppData);
  disk->note({.what = DiskEvent::What::remove, .file = path});
  if (sync_folder != 0) disk->note({.what = DiskEvent::What::sync_folder});
  return rc;
}

int sync(int fd, long system_call) {
  int result = 0;
  Disk* disk = the_disk;
  if (disk != nullptr && disk->takes_sync(fd, result)) return result;
  return static_cast<int>(::syscall(system_call, fd));
}

}  // namespace

Disk::Disk() : vfs_(std::make_unique<Vfs>()) {
  assert(the_disk == nullptr);
  sqlite3_vfs& vfs = vfs_->vfs;
  vfs = *vfs_->below;
  vfs.pNext = nullptr;
  vfs.zName = "prefixfs-test-disk";
  vfs.pAppData = this;
  vfs.szOsFile = static_cast<int>(sizeof(File)) + vfs_->below->szOsFile;
  vfs.xOpen = open_file;
  vfs.xDelete = remove_file;
  sqlite3_vfs_register(&vfs, /*makeDflt=*/1);
  the_disk = this;
}

Disk::~Disk() {
  the_disk = nullptr;
  sqlite3_vfs_unregister(&vfs_->vfs);
  sqlite3_vfs_register(vfs_->below, /*makeDflt=*/1);
}

std::size_t Disk::events() const {
  const std::lock_guard lock(mutex_);
  return notes_.size();
}

void Disk::stop_noting() {
  const std::lock_guard lock(mutex_);
  noting_ = false;
}

void Disk::note(DiskEvent event) {
  const std::lock_guard lock(mutex_);
  if (noting_) notes_.push_back(std::move(event));
}

void Disk::fail(Fault fault, std::uint64_t at, Lasting lasting) {
  assert(fault == Fault::full || fault == Fault::io || fault == Fault::busy);
  const std::lock_guard lock(mutex_);
  failing_ = true;
  failed_ = false;
  fault_ = fault;
  lasting_ = lasting;
  left_ = at;
}

void Disk::mend() {
  const std::lock_guard lock(mutex_);
  failing_ = false;
}

bool Disk::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

bool Disk::fails(Operation operation) {
  const std::lock_guard lock(mutex_);
  if (!failing_) return false;
  switch (fault_) {
    case Fault::full:
      if (operation != Operation::write) return false;
      break;
    case Fault::busy:
      if (operation != Operation::lock) return false;
      break;
    default:
      if (operation == Operation::lock) return false;
  }
  if (left_ > 0) {
    --left_;
    return false;
  }
  failed_ = true;
  failing_ = lasting_ == Lasting::from_then_on;
  errno = fault_ == Fault::full ? ENOSPC : EIO;
  return true;
}

bool Disk::takes_sync(int fd, int& result) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  char path[PATH_MAX];
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  struct stat status {};
  if (size <= 0 || ::fstat(fd, &status) != 0) return false;
  if (fails(Operation::sync)) {
    result = -1;
    return true;
  }
  note({.what = S_ISDIR(status.st_mode) ? DiskEvent::What::sync_folder : DiskEvent::What::sync,
        .file = std::string(path, static_cast<std::size_t>(size))});
  result = 0;
  return true;
}

}  // namespace table

// Of the program, so that they come before the C library's, for SQLite's library as well.
extern "C" int fsync(int fd) { return table::sync(fd, SYS_fsync); }
extern "C" int fdatasync(int fd) { return table::sync(fd, SYS_fdatasync); }
