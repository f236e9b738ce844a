// The half of SqliteStore that runs on a thread of its own: it commits, checkpoints the log, gives
// free pages back to the file system and looks for changes made by others.

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>

#include <algorithm>

#include "table/sqlite_blocks.h"
#include "table/sqlite_store.h"

namespace table {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 50ms;
// Nothing written for so long: a good moment to commit.
constexpr auto kQuiet = 50ms;
// Nothing written for so long: a good moment for work that makes writers wait.
constexpr auto kIdle = 1000ms;

constexpr std::uint64_t kFrameBytes = 4096 + 24;
constexpr std::uint64_t kLongLogBytes = 8 * 1024 * 1024;
// When passive checkpoints cannot catch up with a stream of writes, the log never starts over.
// From here on the last piece is done with the writers held.
constexpr std::uint64_t kTooLongLogBytes = 64 * 1024 * 1024;

// Free pages are kept for reuse until they are many and a good part of the file.  They then go in
// pieces that hold a writer up for some milliseconds.
constexpr std::int64_t kManyFreePages = 4096;
constexpr std::int64_t kFreePart = 8;
constexpr int kShrinkPages = 1024;

}  // namespace

void SqliteStore::keep() {
  std::unique_lock lock(keeper_mutex_);
  const auto tick = std::clamp(options_.commit_interval, std::chrono::milliseconds(1),
                               std::chrono::milliseconds(kTick));
  while (!keeper_wakes_.wait_for(lock, tick, [this] { return stopping_; })) {
    lock.unlock();
    try {
      commit_when_quiet();
      report_foreign_change();
      checkpoint_when_long();
      shrink_when_idle();
      complaint_.clear();
    } catch (const TableError& error) {
      // Once, not at every tick, however long a disk stays full.
      if (std::exchange(complaint_, error.what()) != error.what()) {
        spdlog::error("{}", error.what());
      }
    }
    lock.lock();
  }
}

void SqliteStore::commit_when_quiet() {
  const Lock guard = lock();
  notice_lost_transaction();
  if (!in_transaction_) {
    close_cursors();
    look_for_foreign_change();
    return;
  }
  const auto now = Clock::now();
  if (now - last_write_ >= kQuiet || now - opened_ >= options_.commit_interval) {
    commit_transaction();
  }
}

void SqliteStore::report_foreign_change() {
  std::function<void()> callback;
  {
    const Lock guard = lock();
    if (std::exchange(foreign_change_, false)) callback = foreign_change_callback_;
  }
  if (callback) callback();
}

void SqliteStore::checkpoint_when_long() {
  if (options_.mode == OpenMode::read_only) return;
  if (log_frames_ * kFrameBytes < kLongLogBytes) return;
  if (!keeper_db_) {
    keeper_db_ = std::make_unique<Database>(db_->file(), Access::read_write);
    keeper_db_->exec("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0",
                     "set up the connection");
    // A connection learns that there is a log when it first reads.
    keeper_db_->integer("SELECT count(*) FROM sqlite_schema");
  }
  const std::uint64_t commits = commits_;
  if (commits == checkpointed_commits_) return;
  // Passive: waits neither for a reader nor for a writer.
  const auto checkpoint = [this] {
    int frames = 0;
    int copied = 0;
    const int rc = sqlite3_wal_checkpoint_v2(keeper_db_->handle(), "main",
                                             SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
    if (rc != SQLITE_OK && rc != SQLITE_BUSY) keeper_db_->fail(rc, "checkpoint the log");
    return rc == SQLITE_OK && frames >= 0 && frames == copied;
  };
  if (checkpoint()) checkpointed_commits_ = commits;
  if (log_frames_ * kFrameBytes < kTooLongLogBytes) return;
  const Lock guard = lock();
  commit_transaction();
  if (checkpoint()) checkpointed_commits_ = commits_;
}

void SqliteStore::shrink_when_idle() {
  if (options_.mode == OpenMode::read_only) return;
  const Lock guard = lock();
  if (free_pages_known_ || in_transaction_ || Clock::now() - last_write_ < kIdle) return;
  if (shrink(kShrinkPages)) return;
  free_pages_known_ = true;
}

bool SqliteStore::shrink(int pages) {
  const std::int64_t free = db_->integer("PRAGMA freelist_count");
  if (free < kManyFreePages || free < db_->integer("PRAGMA page_count") / kFreePart) return false;
  db_->exec(fmt::format("PRAGMA incremental_vacuum({})", pages).c_str(), "give back free pages");
  ++commits_;
  return true;
}

}  // namespace table
