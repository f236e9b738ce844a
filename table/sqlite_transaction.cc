// The half of SqliteStore that knows about transactions: steps, commits, syncs and losses.

#include <fcntl.h>
#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "table/sqlite_blocks.h"
#include "table/sqlite_store.h"

namespace table {
namespace {

// So much is committed at once by the writer that reaches it: a commit that has more to write
// would be noticed as a pause, and a crash would lose more than the interval promises.
constexpr std::uint64_t kMuchBytes = 64 * 1024 * 1024;
constexpr std::uint64_t kMuchItems = 100'000;

// The background thread keeps the log shorter than this.  Where there is none, or it falls behind,
// a writer waits for the checkpoint.
constexpr std::uint64_t kLongestLogBytes = 256 * 1024 * 1024;

constexpr std::uint64_t kFrameBytes = 4096 + 24;

}  // namespace

void SqliteStore::begin_step() {
  mutex_.lock();
  frames_.emplace_back();
}

void SqliteStore::end_step(bool keep) {
  Lock lock(mutex_, std::adopt_lock);
  notice_lost_transaction();
  const Frame frame = frames_.back();
  frames_.pop_back();
  finish_frame(frame, keep);
  if (!frames_.empty()) return;
  const bool wrote = std::exchange(step_wrote_, false);
  if (!keep || !wrote || committing_) {
    if (!keep) shorten_log();
    return;
  }
  acknowledged_ = true;
  last_write_ = Clock::now();
  if (options_.sync_each) {
    commit_transaction();
    const std::uint64_t commit = commits_;
    lock.unlock();
    sync_log(commit);
  } else {
    commit_if_due();
    shorten_log();
  }
}

void SqliteStore::finish_frame(const Frame& frame, bool keep) {
  if (keep && frame.dead) {
    throw TableError(Fault::io, db_->file() + ": a failure undid the transaction of this step");
  }
  if (!in_transaction_) return;
  if (keep) {
    if (!frame.savepoint) return;
    close_cursors();
    execute(statements_->release);
    return;
  }
  if (frame.began) {
    roll_back_all();
    return;
  }
  if (!frame.savepoint) return;
  close_cursors();
  try {
    execute(statements_->rollback_to);
    execute(statements_->release);
  } catch (const TableError& error) {
    // The step must not stay; what was done before it can only go with it.
    spdlog::error("{}", error.what());
    const bool lost = std::exchange(acknowledged_, false);
    roll_back_all();
    if (lost) lost_ = error.fault();
    foreign_change_ = true;
    for (Frame& outer : frames_) outer.dead = true;
  }
}

void SqliteStore::roll_back_all() {
  ++version_;
  close_cursors();
  in_transaction_ = false;
  if (db_->in_transaction()) execute(statements_->rollback);
}

void SqliteStore::begin_write(Undo undo) {
  assert(!frames_.empty());
  if (options_.mode == OpenMode::read_only) {
    throw TableError(Fault::readonly, db_->file() + ": opened for reading only");
  }
  notice_lost_transaction();
  if (frames_.front().dead) {
    throw TableError(Fault::io, db_->file() + ": a failure undid the transaction of this step");
  }
  if (undo == Undo::range && in_transaction_ && !step_wrote_ && !committing_) {
    // A savepoint copies every page that is changed after it, and what fails for want of space may
    // take the whole transaction along.  What was done before this step is better off committed.
    std::vector<Frame> steps;
    steps.swap(frames_);
    const auto restore = [&] { frames_.swap(steps); };
    try {
      commit_transaction();
    } catch (...) {
      restore();
      throw;
    }
    restore();
  }
  if (!in_transaction_) {
    begin_transaction();
    frames_.front().began = true;
  }
  const std::size_t due = frames_.size() - (undo == Undo::statement ? 1 : 0);
  for (std::size_t i = 0; i < due; ++i) {
    Frame& frame = frames_[i];
    if (frame.savepoint || frame.began) continue;
    close_cursors();
    execute(statements_->savepoint);
    frame.savepoint = true;
  }
  step_wrote_ = true;
  ++version_;
  free_pages_known_ = false;
}

void SqliteStore::begin_transaction() {
  // An open cursor would pin the snapshot it began with, on which nobody can write once another
  // process has written.
  close_cursors();
  execute(statements_->begin);
  in_transaction_ = true;
  acknowledged_ = false;
  dirty_bytes_ = 0;
  dirty_items_ = 0;
  opened_ = last_write_ = Clock::now();
  look_for_foreign_change();
}

void SqliteStore::commit() {
  const Lock guard = lock();
  assert(frames_.empty());
  commit_transaction();
}

void SqliteStore::commit_transaction() {
  notice_lost_transaction();
  if (!in_transaction_) return;
  if (before_commit_ && acknowledged_) {
    committing_ = true;
    const auto over =
        std::unique_ptr<bool, void (*)(bool*)>(&committing_, [](bool* flag) { *flag = false; });
    before_commit_();
    notice_lost_transaction();
    if (!in_transaction_) return;
  }
  close_cursors();
  const EngineWork before = db_->work();
  const auto start = Clock::now();
  try {
    execute(statements_->commit);
  } catch (const TableError&) {
    notice_lost_transaction();
    throw;
  }
  in_transaction_ = false;
  acknowledged_ = false;
  ++commits_;
  ++commit_work_.commits;
  commit_work_.work += db_->work();
  commit_work_.work -= before;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  commit_work_.work.seconds += seconds;
  // Where it came at the end of a verb, that verb's time holds it.
  work_.seconds += gauges_ > 0 ? 0 : seconds;
  if (log_frames_ * kFrameBytes < kLongestLogBytes) return;
  // Passive: with the mutex held nobody here writes or reads, so that all of the log can be
  // copied, and a reader elsewhere is not waited for.
  const int rc =
      sqlite3_wal_checkpoint_v2(db_->handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (rc != SQLITE_OK && rc != SQLITE_BUSY) {
    spdlog::warn("{}: checkpoint: {}", db_->file(), sqlite3_errmsg(db_->handle()));
  }
}

void SqliteStore::commit_if_due() {
  if (!in_transaction_) return;
  // The background thread may be kept from the mutex by a stream of short operations.
  const bool late = options_.background && last_write_ - opened_ >= 2 * options_.commit_interval;
  if (!late && dirty_bytes_ < kMuchBytes && dirty_items_ < kMuchItems) return;
  commit_transaction();
}

void SqliteStore::notice_lost_transaction() {
  if (!in_transaction_ || db_->in_transaction()) return;
  const Fault fault = db_->last_fault();
  in_transaction_ = false;
  close_cursors();
  for (Frame& frame : frames_) frame.dead = true;
  if (!std::exchange(acknowledged_, false)) return;
  spdlog::error(
      "{}: a failure undid the open transaction: operations since the last commit are "
      "lost",
      db_->file());
  lost_ = fault;
  foreign_change_ = true;  // what is cached above is not what the file holds
}

void SqliteStore::look_for_foreign_change() {
  Statement::Run run(statements_->data_version);
  const std::int64_t version = run.step() ? run.integer(0) : 0;
  if (version == data_version_) return;
  data_version_ = version;
  ++version_;
  foreign_change_ = true;
}

std::uint64_t SqliteStore::version() {
  const Lock guard = lock();
  // While a transaction is open nobody else writes.
  if (!in_transaction_) look_for_foreign_change();
  return version_;
}

void SqliteStore::close_cursors() {
  if (blocks_) blocks_->close_cursor();
}

void SqliteStore::sync() {
  std::uint64_t commit = 0;
  {
    const Lock guard = lock();
    assert(frames_.empty());
    try {
      commit_transaction();
    } catch (const TableError&) {
      lost_.reset();  // said now
      throw;
    }
    if (const auto fault = std::exchange(lost_, std::nullopt)) {
      throw TableError(fault == Fault::full ? Fault::full : Fault::io,
                       db_->file() + ": a failure undid operations since the last commit");
    }
    commit = commits_;
  }
  sync_log(commit);
}

void SqliteStore::sync_log(std::uint64_t commit) {
  if (!log_) return;  // read only
  // Whoever waits here is served by the sync that the one before him starts, if that was after
  // his commit.
  const std::lock_guard lock(log_mutex_);
  if (log_failed_) {
    // The kernel has dropped the pages it could not write and will call the next sync a success.
    throw TableError(Fault::io, db_->file() + ": its log could not be synced before");
  }
  if (synced_commits_ >= commit) return;
  const std::uint64_t covered = commits_;
  if (::fdatasync(log_.get()) != 0) {
    const int error = errno;
    log_failed_ = true;
    throw TableError(error == ENOSPC || error == EDQUOT ? Fault::full : Fault::io,
                     fmt::format("{}: cannot sync its log: {}", db_->file(), std::strerror(error)));
  }
  if (!folder_synced_) {
    // The log's name, and that of a file just made.
    const std::string& file = db_->file();
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd && ::fsync(fd.get()) != 0 && errno != EINVAL) {
      throw TableError(Fault::io,
                       fmt::format("{}: cannot sync its folder: {}", file, std::strerror(errno)));
    }
    folder_synced_ = true;
  }
  synced_commits_ = covered;
}

}  // namespace table
