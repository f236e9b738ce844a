#include "table/sqlite.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace table {
namespace {

// sqlite3_open_v2 gives names such as ":memory:" and "file:..." a meaning; a path has none.
std::string plain_path(const std::string& file) {
  return file.starts_with('/') ? file : "./" + file;
}

std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '/' || c == '.' || c == '-' || c == '_';
    safe ? uri += c : uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

}  // namespace

Fault fault_of(int result_code, int system_errno) {
  switch (result_code) {  // extended codes that differ from their family
    case SQLITE_IOERR_NOMEM:
      return Fault::memory;
    default:
      break;
  }
  switch (result_code & 0xff) {
    case SQLITE_FULL:
      return Fault::full;
    case SQLITE_IOERR:
      // A quota and a file size limit are fullness too; SQLite knows only ENOSPC.
      return system_errno == EDQUOT || system_errno == EFBIG || system_errno == ENOSPC ? Fault::full
                                                                                       : Fault::io;
    case SQLITE_CANTOPEN:
      return Fault::io;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Fault::busy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Fault::damaged;
    case SQLITE_NOMEM:
      return Fault::memory;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return Fault::readonly;
    default:
      return Fault::internal;
  }
}

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Database::Database(const std::string& file, Access access) : file_(file) {
  const std::string path = plain_path(file);
  int flags = SQLITE_OPEN_NOMUTEX;
  flags |= access == Access::read_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  sqlite3* db = nullptr;
  int rc;
  if (access == Access::immutable) {
    rc = sqlite3_open_v2(immutable_uri(path).c_str(), &db, flags | SQLITE_OPEN_URI, nullptr);
  } else {
    rc = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
  }
  db_.reset(db);  // to be closed even when opening failed
  if (db == nullptr) throw TableError(Fault::memory, "cannot open " + file + ": out of memory");
  sqlite3_extended_result_codes(db, 1);
  if (rc != SQLITE_OK) fail(rc, "open the file");
}

void Database::exec(const char* sql, std::string_view doing) {
  const int rc = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) fail(rc, doing);
}

Statement Database::prepare(std::string_view sql, std::string_view doing) {
  sqlite3_stmt* stmt = nullptr;
  const int rc = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                    SQLITE_PREPARE_PERSISTENT, &stmt, nullptr);
  Statement statement(*this, stmt, doing);
  if (rc != SQLITE_OK) fail(rc, doing);
  return statement;
}

std::int64_t Database::integer(const char* sql) {
  Statement statement = prepare(sql, sql);
  Statement::Run run(statement);
  return run.step() ? run.integer(0) : 0;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

void Database::fail(int result_code, std::string_view doing) const {
  // SQLite does not keep it for every failure; then what the system call left behind must do.
  const int left_behind = errno;
  const int kept = sqlite3_system_errno(db_.get());
  const int system_errno = kept != 0 ? kept : left_behind;
  const Fault fault = fault_of(result_code, system_errno);
  last_fault_ = fault;
  std::string what = fmt::format("{}: cannot {}: {}", file_, doing, sqlite3_errmsg(db_.get()));
  if ((fault == Fault::io || fault == Fault::full) && system_errno != 0) {
    what += fmt::format(" ({})", std::strerror(system_errno));
  }
  throw TableError(fault, what);
}

EngineWork Database::work() const {
  // SQLite counts pages in 31 bits; what came since the last look is right also across their end.
  const auto since = [this](int which, std::uint32_t& last) {
    int now = 0;
    int highest = 0;
    sqlite3_db_status(db_.get(), which, &now, &highest, 0);
    const std::uint32_t before = std::exchange(last, static_cast<std::uint32_t>(now));
    return (last - before) & 0x7fffffffu;
  };
  const std::uint32_t from_file = since(SQLITE_DBSTATUS_CACHE_MISS, last_missed_);
  work_.pages_from_file += from_file;
  work_.pages += from_file + since(SQLITE_DBSTATUS_CACHE_HIT, last_hit_);
  work_.pages_to_log += since(SQLITE_DBSTATUS_CACHE_WRITE, last_written_);
  EngineWork work = work_;
  work.rows_written += static_cast<std::uint64_t>(sqlite3_total_changes64(db_.get()));
  return work;
}

void Statement::Finalize::operator()(sqlite3_stmt* stmt) const { sqlite3_finalize(stmt); }

Statement::Run::~Run() {
  sqlite3_reset(statement_.stmt_.get());
  sqlite3_clear_bindings(statement_.stmt_.get());
}

bool Statement::Run::step() {
  errno = 0;
  const int rc = sqlite3_step(statement_.stmt_.get());
  if (rc == SQLITE_ROW) {
    ++statement_.db_->work_.rows_read;
    return true;
  }
  if (rc == SQLITE_DONE) return false;
  statement_.db_->fail(rc, statement_.doing_);
}

void Statement::Run::reset() { sqlite3_reset(statement_.stmt_.get()); }

std::string_view Statement::Run::text(int column) const {
  // As a blob: SQLite then neither converts nor terminates it.
  const void* data = sqlite3_column_blob(statement_.stmt_.get(), column);
  const int size = sqlite3_column_bytes(statement_.stmt_.get(), column);
  if (data == nullptr) return {};
  statement_.db_->work_.bytes_read += static_cast<std::uint64_t>(size);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

std::int64_t Statement::Run::integer(int column) const {
  return sqlite3_column_int64(statement_.stmt_.get(), column);
}

void Statement::Run::bind(int index, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  const int rc = sqlite3_bind_text64(statement_.stmt_.get(), index, data, text.size(),
                                     SQLITE_STATIC, SQLITE_UTF8);
  if (rc != SQLITE_OK) statement_.db_->fail(rc, statement_.doing_);
}

void Statement::Run::bind(int index, std::span<const std::byte> blob) {
  const void* data = blob.data() == nullptr ? "" : static_cast<const void*>(blob.data());
  const int rc =
      sqlite3_bind_blob64(statement_.stmt_.get(), index, data, blob.size(), SQLITE_STATIC);
  if (rc != SQLITE_OK) statement_.db_->fail(rc, statement_.doing_);
}

void Statement::Run::bind(int index, std::int64_t integer) {
  const int rc = sqlite3_bind_int64(statement_.stmt_.get(), index, integer);
  if (rc != SQLITE_OK) statement_.db_->fail(rc, statement_.doing_);
}

void Statement::Run::bind(int index, AboveAllText) {
  // Every blob sorts after every text.
  bind(index, std::span<const std::byte>{});
}

void Blob::Close::operator()(sqlite3_blob* blob) const { sqlite3_blob_close(blob); }

bool Blob::seek(std::int64_t rowid, Mode mode) {
  int rc;
  if (blob_ != nullptr && mode == mode_) {
    rc = sqlite3_blob_reopen(blob_.get(), rowid);
  } else {
    close();
    sqlite3_blob* blob = nullptr;
    rc = sqlite3_blob_open(db_->handle(), "main", table_, column_, rowid,
                           mode == Mode::write ? 1 : 0, &blob);
    blob_.reset(blob);
    mode_ = mode;
  }
  if (rc == SQLITE_OK) {
    ++(mode == Mode::write ? db_->work_.rows_written : db_->work_.rows_read);
    return true;
  }
  close();
  // SQLite has no code of its own for a missing row.
  if (rc == SQLITE_ERROR) return false;
  db_->fail(rc, "open a block");
}

std::size_t Blob::size() const { return static_cast<std::size_t>(sqlite3_blob_bytes(blob_.get())); }

void Blob::read(std::size_t offset, std::span<std::byte> out) {
  const int rc = sqlite3_blob_read(blob_.get(), out.data(), static_cast<int>(out.size()),
                                   static_cast<int>(offset));
  if (rc == SQLITE_OK) {
    db_->work_.bytes_read += out.size();
    return;
  }
  close();
  db_->fail(rc, "read a block");
}

void Blob::write(std::size_t offset, std::span<const std::byte> data) {
  const int rc = sqlite3_blob_write(blob_.get(), data.data(), static_cast<int>(data.size()),
                                    static_cast<int>(offset));
  if (rc == SQLITE_OK) return;
  close();
  db_->fail(rc, "write a block");
}

}  // namespace table
