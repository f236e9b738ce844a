// SqliteStore is the Store on one SQLite connection: the transaction that stays open, the steps
// inside it, the thread that commits and checkpoints, and what happens when the engine fails.
//
// A failure can end the whole open transaction, and with it operations that had been answered
// with success; the next sync() then throws, once, as fsync does for lost pages.
//
// Lock order: log_mutex_ and keeper_mutex_ are never held while mutex_ is taken, nor together.

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "table/file_descriptor.h"
#include "table/sqlite.h"
#include "table/store.h"

namespace table {

class SqliteBlocks;
class SqliteTable;

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& file, const StoreOptions& options);
  ~SqliteStore() override;

  Table& table() override;
  BlockStore& blocks() override;
  void commit() override;
  void sync() override;
  void before_commit(std::function<void()> callback) override;
  std::uint64_t version() override;
  void on_foreign_change(std::function<void()> callback) override;
  bool lock_drive(const std::string& drive) override;
  StoreStats stats() override;
  std::uint64_t room() override;
  std::optional<Quota> quota() override;
  EngineWork work() override;
  CommitWork commit_work() override;

  // ---- For SqliteTable and SqliteBlocks ----

  using Lock = std::unique_lock<std::recursive_mutex>;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }

  // The lock for the length of a verb, and what the engine does meanwhile.
  class Gauge {
   public:
    explicit Gauge(SqliteStore& store)
        : lock_(store.lock()), store_(store), before_(store.work()), start_(Clock::now()) {
      ++store_.gauges_;
    }
    Gauge(const Gauge&) = delete;
    Gauge& operator=(const Gauge&) = delete;
    ~Gauge();
    EngineWork work() const;  // since it was made

   private:
    Lock lock_;
    SqliteStore& store_;
    EngineWork before_;
    std::chrono::steady_clock::time_point start_;
  };

  // The connection, for the holder of the lock.
  Database& database() { return *db_; }
  bool in_transaction() const { return in_transaction_; }
  Limits limits() const { return options_.limits; }

  // What the writes that follow need in order to be undone when the Step they belong to fails.
  enum class Undo {
    statement,  // nothing: a single statement, which undoes itself
    step,
    range,  // as step, and they are many: best in a transaction of their own
  };
  // Readies the connection for writing: opens the transaction and the savepoints that are due.
  // Once per Step that writes by itself.
  // REQUIRES: inside a Step
  void begin_write(Undo undo);

  // To be called before what adds data.  Throws TableError{full} where `bytes` more would take the
  // room that removing data, and a checkpoint, are going to need.
  void need_room(std::uint64_t bytes);

  // As need_room(), where so many bytes more will be held than before: throws where they take the
  // file past its quota.
  void need_quota(std::uint64_t bytes);

  // Counts towards "much is dirty".
  void wrote(std::uint64_t bytes, std::uint64_t items = 1) {
    dirty_bytes_ += bytes;
    dirty_items_ += items;
    work_.bytes_written += bytes;
  }

 protected:
  void begin_step() override;
  void end_step(bool keep) override;

 private:
  // One Step on the stack of some thread, the one that holds mutex_.
  struct Frame {
    bool savepoint = false;
    bool began = false;  // opened the transaction, so that a rollback of all is its undoing
    bool dead = false;   // the transaction below it is gone: nothing of it may be kept
  };

  struct Statements {
    explicit Statements(Database& db);
    Statement begin, commit, rollback, savepoint, release, rollback_to, data_version, page_count,
        free_pages;
  };

  using Clock = std::chrono::steady_clock;

  void open_database(const std::string& file);
  void configure();
  void open_log();

  // sqlite_transaction.cc.  All REQUIRE mutex_.
  void begin_transaction();
  void commit_transaction();
  void finish_frame(const Frame& frame, bool keep);
  void roll_back_all();
  void commit_if_due();
  void notice_lost_transaction();
  void look_for_foreign_change();
  void close_cursors();
  void sync_log(std::uint64_t commit);

  // sqlite_room.cc.  REQUIRE mutex_.
  std::uint64_t measure_room();  // bytes that may still be added
  void shorten_log();            // where room is low; between steps
  void reclaim_log();            // commits, and gives the log's space back

  // sqlite_keeper.cc: the background thread.
  void keep();
  void commit_when_quiet();
  void report_foreign_change();
  void checkpoint_when_long();
  void shrink_when_idle();
  bool shrink(int pages);  // at most; false: there is nothing worth it

  const StoreOptions options_;
  FileDescriptor log_;  // the -wal file: syncs and drive locks.  Outlives the connection
  std::unique_ptr<Database> db_;
  std::unique_ptr<Statements> statements_;
  std::unique_ptr<SqliteTable> table_;
  std::unique_ptr<SqliteBlocks> blocks_;

  std::recursive_mutex mutex_;  // guards the connection and what follows
  std::vector<Frame> frames_;
  std::function<void()> before_commit_;
  bool committing_ = false;  // before_commit_ runs: what it writes must not commit by itself
  bool in_transaction_ = false;
  bool acknowledged_ = false;  // the transaction holds operations that have been answered
  std::uint64_t dirty_bytes_ = 0;
  std::uint64_t dirty_items_ = 0;
  Clock::time_point opened_{};
  Clock::time_point last_write_{};
  std::uint64_t room_credit_ = 0;   // bytes that need_room() grants without looking
  std::uint64_t quota_credit_ = 0;  // bytes that need_quota() grants without looking
  std::uint64_t free_in_file_ = 0;  // bytes of free pages, when last measured
  bool low_on_room_ = false;
  EngineWork work_;         // what the connection does not count: bytes written, seconds
  CommitWork commit_work_;  // part of what the connection counts
  int gauges_ = 0;          // there are, one inside the other
  std::int64_t data_version_ = 0;
  std::uint64_t version_ = 0;  // as version() tells it
  bool step_wrote_ = false;
  bool foreign_change_ = false;    // to be reported by the background thread
  bool free_pages_known_ = false;  // nothing was written since shrink_when_idle() found none
  std::optional<Fault> lost_{};    // acknowledged work was lost, and sync() has not said so yet

  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> log_frames_{0};  // in the log as of the last commit

  std::mutex log_mutex_;
  std::uint64_t synced_commits_ = 0;  // guarded by log_mutex_
  bool folder_synced_ = false;        // guarded by log_mutex_
  bool log_failed_ = false;           // guarded by log_mutex_

  std::function<void()> foreign_change_callback_;  // guarded by mutex_
  std::unique_ptr<Database> keeper_db_;            // the background thread's own connection
  std::uint64_t checkpointed_commits_ = 0;         // the background thread's
  std::string complaint_;                          // the background thread's last
  std::mutex keeper_mutex_;
  std::condition_variable keeper_wakes_;
  bool stopping_ = false;  // guarded by keeper_mutex_
  std::thread keeper_;
};

}  // namespace table
