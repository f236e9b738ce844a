// Store is one table file: its connection, its items, its blocks, and when they become durable.
//
// One connection behind one recursive mutex.  Writes go into an open transaction that is committed
//   (a) by sync(), (b) by a background thread once it is `commit_interval` old or the store has
//   been quiet for a moment, (c) when much is dirty, (d) after each operation with `sync_each`.
// Commits are atomic and ordered: after a crash the file holds a state that existed.  A commit
// alone survives the death of the process; sync() also survives a power cut.
// The background thread checkpoints the log too, on a connection of its own.
//
// Thread-safe.  Lock order: Store's mutex is the innermost of the project.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "table/block_store.h"
#include "table/engine_work.h"
#include "table/table.h"

namespace table {

enum class OpenMode {
  create,     // make the file if absent
  existing,   // refuse an absent file
  read_only,  // never writes, makes no sidecar files if it can do without
};

struct StoreOptions {
  OpenMode mode = OpenMode::existing;
  std::chrono::milliseconds commit_interval{1000};
  bool sync_each = false;
  std::chrono::milliseconds busy_timeout{10000};
  // No background thread: commits happen in sync() and close only (and each operation when
  // sync_each).  For commands that run and end.
  bool background = true;
  Limits limits = Limits::dynamo;
  // What adds data is refused (full) where the pages in use in the file would come to more.
  std::optional<std::uint64_t> most_bytes{};
};

struct Quota {
  std::uint64_t most_bytes = 0;
  std::uint64_t used_bytes = 0;  // may be more: what others wrote counts, too
};

struct StoreStats {
  std::uint64_t items = 0;       // rows (counted: linear)
  std::uint64_t blocks = 0;      // block rows (counted: linear)
  std::uint64_t file_bytes = 0;  // the main file
  std::uint64_t free_bytes = 0;  // pages inside the file that can be reused
  std::uint64_t log_bytes = 0;   // the write-ahead log
  int schema_version = 0;
  int page_bytes = 0;
};

class Store {
 public:
  // Throws TableError: refused (absent, not ours, newer than us, not a regular file), damaged, io,
  // readonly.  A refused file is left untouched.
  static std::unique_ptr<Store> open(const std::string& file, const StoreOptions& options);

  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  // Commits, checkpoints and closes; the last one to close leaves the single file.  Errors are
  // logged; call sync() first to learn of them.
  virtual ~Store() = default;

  virtual Table& table() = 0;
  virtual BlockStore& blocks() = 0;

  // Groups the calls of one thread into one atomic step, whatever they are: holds the store's mutex
  // from construction, rolls back on destruction unless done() was called.  Steps nest; an inner
  // one rolls back by itself.
  class Step {
   public:
    explicit Step(Store& store);
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step();
    void done();

   private:
    Store& store_;
    bool open_ = true;
  };

  // Commits what is open.
  virtual void commit() = 0;
  // Commits and makes it survive a power cut.
  virtual void sync() = 0;

  // Called with the store's mutex held, as the last thing before a transaction that wrote something
  // commits: what it writes is part of that transaction.  It may call table() and blocks() but not
  // commit() or sync().  Set before use, once; reset with nullptr.
  virtual void before_commit(std::function<void()> callback) = 0;

  // Called (without the store's mutex, from the background thread) after another connection has
  // changed the file.  Set before use, once.
  virtual void on_foreign_change(std::function<void()> callback) = 0;

  // Another number than before where anybody has written since, this Store included: what was read
  // at the same number is what would be read now.
  virtual std::uint64_t version() = 0;

  // Takes the lock that keeps a second read-write mount of `drive` out, until this Store closes.
  // false: another process has it.
  virtual bool lock_drive(const std::string& drive) = 0;

  virtual StoreStats stats() = 0;

  // Bytes that may be added now before a write is refused for want of space.
  virtual std::uint64_t room() = 0;
  // nullopt: the file may grow as the disk allows.
  virtual std::optional<Quota> quota() = 0;

  // What the engine did so far through table() and blocks().  A caller inside a Step finds his own
  // share by looking twice.
  virtual EngineWork work() = 0;
  virtual CommitWork commit_work() = 0;

 protected:
  virtual void begin_step() = 0;
  virtual void end_step(bool keep) = 0;
};

}  // namespace table
