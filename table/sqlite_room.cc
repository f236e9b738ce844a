// The part of SqliteStore that keeps a full disk from stopping it.
//
// What is written goes into the log first and into the main file at the next checkpoint, and only a
// checkpoint lets the log start over.  If the log were allowed to take the last byte, no checkpoint
// could grow the main file, no commit would fit, and deleting would free nothing.  So what adds
// data is refused while there is still room for a checkpoint and for some commits of what removes
// data.

#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>

#include "table/schema.h"
#include "table/sqlite_store.h"

namespace table {
namespace {

constexpr std::uint64_t kReserveBytes = 4 * 1024 * 1024;
constexpr std::uint64_t kReservePart = 16;  // no more than this part of a small disk
// What of an open transaction can be in memory yet: the cache, and what its pages hold besides.
constexpr std::uint64_t kMostInMemory = 40 * 1024 * 1024;
// Measured again after so much at the latest: others use the disk too.
constexpr std::uint64_t kMostCredit = 16 * 1024 * 1024;
// With less than this beyond the reserve the log is kept short.
constexpr std::uint64_t kLowBytes = 32 * 1024 * 1024;
constexpr std::uint64_t kShortLogBytes = 1024 * 1024;

std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

std::uint64_t bytes_of(Statement& pages) {
  Statement::Run run(pages);
  return run.step() ? static_cast<std::uint64_t>(run.integer(0)) * kPageBytes : std::uint64_t{0};
}

}  // namespace

std::uint64_t SqliteStore::measure_room() {
  struct statvfs disk {};
  struct stat main {};
  // Where it cannot be told, the disk tells itself.
  if (::fstatvfs(log_.get(), &disk) != 0 || ::stat(db_->file().c_str(), &main) != 0) {
    return kMostCredit * 4;
  }
  free_in_file_ = bytes_of(statements_->free_pages);
  const std::uint64_t growth =
      less(bytes_of(statements_->page_count), static_cast<std::uint64_t>(main.st_size));
  const std::uint64_t pending = in_transaction_ ? std::min(dirty_bytes_ * 5 / 4, kMostInMemory) : 0;
  const std::uint64_t reserve =
      std::min(kReserveBytes, disk.f_blocks * disk.f_frsize / kReservePart);
  const std::uint64_t room = less(disk.f_bavail * disk.f_frsize, growth + pending + reserve);
  low_on_room_ = room < kLowBytes;
  return room;
}

std::uint64_t SqliteStore::room() {
  const Lock guard = lock();
  if (!log_) return 0;
  const std::uint64_t on_disk = measure_room();
  std::uint64_t room = std::min(on_disk, (on_disk + free_in_file_) / 2);
  if (const auto quota = this->quota()) {
    room = std::min(room, less(quota->most_bytes, quota->used_bytes));
  }
  return room / 9 * 8;
}

std::optional<Quota> SqliteStore::quota() {
  if (!options_.most_bytes) return std::nullopt;
  const Lock guard = lock();
  const std::uint64_t pages = bytes_of(statements_->page_count);
  return Quota{*options_.most_bytes, less(pages, bytes_of(statements_->free_pages))};
}

void SqliteStore::need_quota(std::uint64_t bytes) {
  if (committing_ || !options_.most_bytes || bytes == 0) return;
  const std::uint64_t paged = bytes * 9 / 8;
  if (paged > quota_credit_) {
    const Quota now = *quota();
    const std::uint64_t left = less(now.most_bytes, now.used_bytes);
    quota_credit_ = std::min(left, kMostCredit);
    if (paged > left) {
      throw TableError(Fault::full, db_->file() + ": no space left of the size it may have");
    }
  }
  quota_credit_ = less(quota_credit_, paged);
}

void SqliteStore::need_room(std::uint64_t bytes) {
  // What a commit is about to write down of what it removes has to fit.
  if (committing_ || !log_) return;
  const std::uint64_t paged = bytes * 9 / 8;  // with what pages hold besides
  if (2 * paged <= room_credit_) {            // in the log and in the main file
    room_credit_ -= 2 * paged;
    return;
  }
  std::uint64_t room = measure_room();
  // Free pages in the main file take what comes without growing it.
  const auto needed = [&] { return paged + less(paged, free_in_file_); };
  if (needed() > room && !step_wrote_) {
    reclaim_log();  // nothing of this step is in the transaction yet, so that it can end here
    room = measure_room();
  }
  if (needed() > room) {
    room_credit_ = 0;
    throw TableError(Fault::full, db_->file() + ": no space left on its disk");
  }
  room_credit_ = std::min((room - needed()) / 2, kMostCredit);
}

// Between steps.
void SqliteStore::shorten_log() {
  const std::uint64_t in_log = log_frames_ * kPageBytes + (in_transaction_ ? dirty_bytes_ : 0);
  if (!low_on_room_ || committing_ || in_log < kShortLogBytes) return;
  reclaim_log();
  measure_room();
}

void SqliteStore::reclaim_log() {
  commit_transaction();
  const int rc = sqlite3_wal_checkpoint_v2(db_->handle(), "main", SQLITE_CHECKPOINT_TRUNCATE,
                                           nullptr, nullptr);
  if (rc == SQLITE_OK) {
    log_frames_ = 0;
  } else if (rc != SQLITE_BUSY) {
    spdlog::warn("{}: checkpoint: {}", db_->file(), sqlite3_errmsg(db_->handle()));
  }
  room_credit_ = 0;
}

}  // namespace table
