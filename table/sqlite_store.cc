#include "table/sqlite_store.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "table/schema.h"
#include "table/sqlite_blocks.h"
#include "table/sqlite_table.h"

namespace table {
namespace {

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw TableError(Fault::refused, fmt::format("{}: {}", file, why));
}

// Takes back the file it made, unless it became a table.
class NewFile {
 public:
  explicit NewFile(const std::string& file) : file_(file) {
    // SQLite gives its sidecar files the mode of the main file.
    const FileDescriptor fd(::open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    made_ = static_cast<bool>(fd);
    if (made_ || errno == EEXIST) return;
    const int error = errno;
    const std::string what = fmt::format("{}: cannot make it: {}", file, std::strerror(error));
    if (error == ENOSPC || error == EDQUOT) throw TableError(Fault::full, what);
    if (error == EROFS) throw TableError(Fault::readonly, what);
    if (error == EIO) throw TableError(Fault::io, what);
    throw TableError(Fault::refused, what);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    struct stat status {};
    if (made_ && !kept_ && ::stat(file_.c_str(), &status) == 0 && status.st_size == 0) {
      ::unlink(file_.c_str());
    }
  }
  void keep() { kept_ = true; }

 private:
  std::string file_;
  bool made_ = false;
  bool kept_ = false;
};

bool exists_as_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    refuse(file, std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) refuse(file, "is a directory");
  if (!S_ISREG(status.st_mode)) refuse(file, "is not a regular file");
  return true;
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : file.substr(0, slash);
}

// A reader of a WAL file needs the shared index beside it, so that it sees what a writer has not
// checkpointed and the writer does not checkpoint what it still reads.  Where the folder cannot be
// written there can be no index; then a file without a log is read as the constant it is.
Access access_for_reading(const std::string& file) {
  if (::access(file.c_str(), W_OK) == 0 && ::access(folder_of(file).c_str(), W_OK) == 0) {
    return Access::read_write;
  }
  struct stat status {};
  const bool log = ::stat((file + "-wal").c_str(), &status) == 0 && status.st_size > 0;
  return log ? Access::read_only : Access::immutable;
}

constexpr std::int64_t kCacheKib = 32 * 1024;
// What is kept of the log file after a checkpoint: reusing it is cheaper than growing it again.
constexpr std::int64_t kLogKeptBytes = 64 * 1024 * 1024;

// Pages moved at most so that a closing file is shorter: some tenths of a second.
constexpr int kShrinkAtClose = 64 * 1024;

// Drive locks lie far above anything a log holds, one byte per drive.
constexpr std::int64_t kDriveLocksAt = std::int64_t{1} << 62;

std::int64_t drive_lock_offset(const std::string& drive) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : drive) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return kDriveLocksAt + static_cast<std::int64_t>(hash >> 8);
}

}  // namespace

SqliteStore::Statements::Statements(Database& db)
    : begin(db.prepare("BEGIN IMMEDIATE", "begin a transaction")),
      commit(db.prepare("COMMIT", "commit")),
      rollback(db.prepare("ROLLBACK", "roll back")),
      savepoint(db.prepare("SAVEPOINT step", "begin a step")),
      release(db.prepare("RELEASE step", "end a step")),
      rollback_to(db.prepare("ROLLBACK TO step", "undo a step")),
      data_version(db.prepare("PRAGMA data_version", "look for changes by others")),
      page_count(db.prepare("PRAGMA page_count", "measure the file")),
      free_pages(db.prepare("PRAGMA freelist_count", "measure the file")) {}

SqliteStore::SqliteStore(const std::string& file, const StoreOptions& options) : options_(options) {
  open_database(file);
  statements_ = std::make_unique<Statements>(*db_);
  table_ = std::make_unique<SqliteTable>(*this);
  blocks_ = std::make_unique<SqliteBlocks>(*this);
  look_for_foreign_change();
  foreign_change_ = false;
  if (options_.background) keeper_ = std::thread([this] { keep(); });
}

void SqliteStore::open_database(const std::string& file) {
  std::optional<NewFile> made;
  if (!exists_as_file(file)) {
    if (options_.mode != OpenMode::create) refuse(file, "no such file");
    made.emplace(file);
  }
  const FileState state = inspect(file);
  if (state == FileState::empty && options_.mode != OpenMode::create) {
    refuse(file, "an empty file, not a table file");
  }
  const bool reading = options_.mode == OpenMode::read_only;
  const Access access = reading ? access_for_reading(file) : Access::read_write;
  db_ = std::make_unique<Database>(file, access);
  if (!reading && sqlite3_db_readonly(db_->handle(), "main") != 0) {
    throw TableError(Fault::readonly, file + ": may not be written");
  }
  sqlite3_busy_timeout(db_->handle(), static_cast<int>(options_.busy_timeout.count()));
  if (state == FileState::empty) create_schema(*db_);
  configure();
  check_schema(*db_);
  if (!reading) upgrade_schema(*db_);
  if (!reading) open_log();
  if (made) made->keep();
}

void SqliteStore::configure() {
  constexpr std::string_view kDoing = "set up the connection";
  sqlite3* handle = db_->handle();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  db_->exec("PRAGMA cell_size_check=ON", kDoing);
  db_->exec(fmt::format("PRAGMA cache_size=-{}", kCacheKib).c_str(), kDoing);
  if (options_.mode == OpenMode::read_only) {
    db_->exec("PRAGMA query_only=ON", kDoing);
    return;
  }
  db_->exec("PRAGMA secure_delete=OFF", kDoing);
  {
    Statement statement = db_->prepare("PRAGMA journal_mode=WAL", "switch to write-ahead logging");
    Statement::Run run(statement);
    if (!run.step() || run.text(0) != "wal") {
      throw TableError(Fault::io, db_->file() +
                                      ": its file system cannot share memory, which "
                                      "write-ahead logging needs");
    }
  }
  db_->exec("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0", kDoing);
  db_->exec(fmt::format("PRAGMA journal_size_limit={}", kLogKeptBytes).c_str(), kDoing);
  const auto committed = [](void* store, sqlite3*, const char*, int frames) {
    static_cast<SqliteStore*>(store)->log_frames_ = static_cast<std::uint64_t>(frames);
    return SQLITE_OK;
  };
  sqlite3_wal_hook(handle, committed, this);
}

void SqliteStore::open_log() {
  // Of our own: a sync through SQLite's handle would need the store's mutex all along.  SQLite
  // puts no POSIX locks on the log, so that closing this drops none; those it has are on the main
  // file and on the index.
  const char* name = sqlite3_filename_wal(sqlite3_db_filename(db_->handle(), "main"));
  log_ = FileDescriptor(::open(name, O_RDWR | O_CLOEXEC));
  if (!log_) {
    throw TableError(Fault::io, fmt::format("{}: cannot open: {}", name, std::strerror(errno)));
  }
}

SqliteStore::~SqliteStore() {
  if (keeper_.joinable()) {
    {
      const std::lock_guard lock(keeper_mutex_);
      stopping_ = true;
    }
    keeper_wakes_.notify_all();
    keeper_.join();
  }
  assert(frames_.empty());
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const TableError& error) {
      spdlog::error("{}", error.what());
    }
  };
  attempt([this] { commit(); });
  // Without what was to be added to it: better than to lose the rest.
  before_commit_ = nullptr;
  attempt([this] { commit(); });
  attempt([this] {
    if (options_.mode != OpenMode::read_only) shrink(kShrinkAtClose);
  });
  blocks_.reset();
  table_.reset();
  statements_.reset();
  keeper_db_.reset();
  // The last connection to close checkpoints the log and removes it.  Whatever goes wrong with
  // that, the log stays and the next one to open reads it.
  db_.reset();
}

Table& SqliteStore::table() { return *table_; }

BlockStore& SqliteStore::blocks() { return *blocks_; }

void SqliteStore::before_commit(std::function<void()> callback) {
  const Lock guard = lock();
  before_commit_ = std::move(callback);
}

void SqliteStore::on_foreign_change(std::function<void()> callback) {
  const Lock guard = lock();
  foreign_change_callback_ = std::move(callback);
}

bool SqliteStore::lock_drive(const std::string& drive) {
  assert(log_);
  // An open file description's lock: it excludes other stores of this process as well, and closing
  // some other descriptor of the file does not drop it.
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = drive_lock_offset(drive);
  lock.l_len = 1;
  if (::fcntl(log_.get(), F_OFD_SETLK, &lock) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw TableError(Fault::io, fmt::format("{}: cannot lock drive {}: {}", db_->file(), drive,
                                          std::strerror(errno)));
}

SqliteStore::Gauge::~Gauge() {
  // One inside another is part of it.
  if (--store_.gauges_ > 0) return;
  store_.work_.seconds += std::chrono::duration<double>(Clock::now() - start_).count();
}

EngineWork SqliteStore::Gauge::work() const {
  EngineWork work = store_.work();
  work -= before_;
  work.seconds += std::chrono::duration<double>(Clock::now() - start_).count();
  return work;
}

EngineWork SqliteStore::work() {
  const Lock guard = lock();
  EngineWork work = db_->work();
  work += work_;
  work -= commit_work_.work;
  return work;
}

CommitWork SqliteStore::commit_work() {
  const Lock guard = lock();
  return commit_work_;
}

StoreStats SqliteStore::stats() {
  const Lock guard = lock();
  StoreStats stats;
  stats.items = static_cast<std::uint64_t>(db_->integer("SELECT count(*) FROM item"));
  stats.blocks = static_cast<std::uint64_t>(db_->integer("SELECT count(*) FROM block"));
  stats.page_bytes = static_cast<int>(db_->integer("PRAGMA page_size"));
  stats.schema_version = static_cast<int>(db_->integer("PRAGMA user_version"));
  stats.free_bytes = static_cast<std::uint64_t>(db_->integer("PRAGMA freelist_count")) *
                     static_cast<std::uint64_t>(stats.page_bytes);
  struct stat status {};
  if (::stat(db_->file().c_str(), &status) == 0) {
    stats.file_bytes = static_cast<std::uint64_t>(status.st_size);
  }
  if (::stat((db_->file() + "-wal").c_str(), &status) == 0) {
    stats.log_bytes = static_cast<std::uint64_t>(status.st_size);
  }
  return stats;
}

}  // namespace table
