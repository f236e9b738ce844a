// Thin RAII over the sqlite3 C API: every C handle is owned by the line that gets it.
//
// A failure of the engine throws TableError, whose message names what was being done and the file.
// Connections are opened without SQLite's own mutexes: each object here is for one thread at a
// time, and whoever shares a Database guards it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "table/engine_work.h"
#include "table/error.h"

struct sqlite3;
struct sqlite3_blob;
struct sqlite3_stmt;

namespace table {

// What kind of failure a result code is; `system_errno` tells a full disk from a broken one.
Fault fault_of(int result_code, int system_errno);

enum class Access {
  read_write,
  read_only,
  immutable,  // nobody changes the file meanwhile: no locks, no log, no sidecar files
};

class Statement;

// Stays where it was made: statements refer to it.
class Database {
 public:
  // The file must exist: which mode it is made with is not left to SQLite.
  Database(const std::string& file, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `doing` completes "cannot ...": "read an item".  What is given to prepare() must outlive the
  // statement: a literal.
  void exec(const char* sql, std::string_view doing);
  Statement prepare(std::string_view sql, std::string_view doing);
  // First column of the first row, e.g. of a pragma.  0 if there is none.
  std::int64_t integer(const char* sql);

  const std::string& file() const { return file_; }
  sqlite3* handle() const { return db_.get(); }

  // Inside BEGIN ... COMMIT.  Some failures end a transaction by themselves.
  bool in_transaction() const;

  // All that was done on this connection; its seconds and bytes_written are for others to count.
  EngineWork work() const;

  // Of the failure that was thrown last.
  Fault last_fault() const { return last_fault_; }

  // Throws the TableError of `result_code`, which the last call on this connection returned.
  [[noreturn]] void fail(int result_code, std::string_view doing) const;

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  friend class Blob;
  friend class Statement;
  std::string file_;
  std::unique_ptr<sqlite3, Close> db_;
  mutable EngineWork work_;  // rows_written: of blocks alone, SQLite counts the others
  mutable std::uint32_t last_hit_ = 0, last_missed_ = 0, last_written_ = 0;  // SQLite's counts
  mutable Fault last_fault_ = Fault::internal;
};

// An upper bound that lies above every text: where a range of keys has no end.
struct AboveAllText {};

// Prepared once, run many times.
class Statement {
 public:
  // One execution: binds, steps, and resets on the way out, so that no cursor stays open and no
  // binding leaks into the next use.
  class Run {
   public:
    // Bound text and blobs are not copied: the arguments must outlive the run.
    template <class... Args>
    explicit Run(Statement& statement, const Args&... args) : statement_(statement) {
      int index = 0;
      (bind(++index, args), ...);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run();

    bool step();      // true: a row is ready
    void execute() {  // to the end, rows ignored
      while (step()) continue;
    }

    // Valid until the next step().  Text is given as its bytes, whatever they are.
    std::string_view text(int column) const;
    std::int64_t integer(int column) const;

    // Starts over with other bounds, without the cost of a new Run.
    template <class... Args>
    void restart(const Args&... args) {
      reset();
      int index = 0;
      (bind(++index, args), ...);
    }

   private:
    void reset();
    void bind(int index, std::string_view text);
    void bind(int index, std::span<const std::byte> blob);
    void bind(int index, std::int64_t integer);
    void bind(int index, AboveAllText);
    void bind(int index, const std::optional<std::string>& bound) {  // nullopt: AboveAllText
      bound ? bind(index, std::string_view(*bound)) : bind(index, AboveAllText{});
    }

    Statement& statement_;
  };

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* stmt) const;
  };
  Statement(const Database& db, sqlite3_stmt* stmt, std::string_view doing)
      : db_(&db), stmt_(stmt), doing_(doing) {}

  const Database* db_;
  std::unique_ptr<sqlite3_stmt, Finalize> stmt_;
  std::string_view doing_;
};

// Runs `statement` to its end.
template <class... Args>
void execute(Statement& statement, const Args&... args) {
  Statement::Run(statement, args...).execute();
}

// A handle on one column of one row after another, for reading and writing parts of large values.
// While it is open it holds the connection's read snapshot, and if writable also keeps savepoints
// and commits from running: close it before those.
class Blob {
 public:
  enum class Mode { read, write };

  // Literals: they must outlive this.
  Blob(const Database& db, const char* table, const char* column)
      : db_(&db), table_(table), column_(column) {}

  // Moves to the row, opening the handle if need be.  false: no such row; the handle is closed.
  bool seek(std::int64_t rowid, Mode mode);
  std::size_t size() const;  // of the value in the row
  // REQUIRES: within size()
  void read(std::size_t offset, std::span<std::byte> out);
  void write(std::size_t offset, std::span<const std::byte> data);

  void close() { blob_.reset(); }
  bool is_open() const { return blob_ != nullptr; }

 private:
  struct Close {
    void operator()(sqlite3_blob* blob) const;
  };
  const Database* db_;
  const char* table_;
  const char* column_;
  std::unique_ptr<sqlite3_blob, Close> blob_;
  Mode mode_ = Mode::read;
};

}  // namespace table
