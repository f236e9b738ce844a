#include "table/schema.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <array>
#include <cstring>
#include <string_view>

namespace table {
namespace {

// SQLite's "Database File Format", 1.3: the header, big-endian.
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;

constexpr const char* kSchema = R"sql(
CREATE TABLE item(
  pk TEXT NOT NULL, sk TEXT NOT NULL, attrs TEXT NOT NULL,
  PRIMARY KEY(pk, sk)) WITHOUT ROWID;
CREATE TABLE block(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE VIEW node AS SELECT
    substr(pk, 7) AS drive, substr(sk, 6) AS path,
    json_extract(attrs, '$.kind') AS kind,
    json_extract(attrs, '$.sizeBytes') AS sizeBytes,
    json_extract(attrs, '$.owner') AS owner,
    json_extract(attrs, '$.group') AS "group",
    json_extract(attrs, '$.mode') AS mode,
    json_extract(attrs, '$.mtime') AS mtime,
    json_extract(attrs, '$.ctime') AS ctime,
    json_extract(attrs, '$.id') AS id
  FROM (SELECT pk, sk, iif(json_valid(attrs), attrs, '{}') AS attrs FROM item)
  WHERE pk >= 'DRIVE#' AND pk < 'DRIVE$' AND sk >= 'PATH#' AND sk < 'PATH$';
CREATE VIEW flag AS SELECT
    substr(pk, 5) AS env, substr(sk, 6) AS key,
    json_extract(attrs, '$.value') AS value,
    json_extract(attrs, '$.type') AS type,
    json_extract(attrs, '$.updatedBy') AS updatedBy
  FROM (SELECT pk, sk, iif(json_valid(attrs), attrs, '{}') AS attrs FROM item)
  WHERE pk >= 'ENV#' AND pk < 'ENV$' AND sk >= 'FLAG#' AND sk < 'FLAG$';
CREATE VIEW env AS SELECT
    substr(pk, 5) AS env, count(*) AS flags
  FROM item WHERE pk >= 'ENV#' AND pk < 'ENV$' AND sk >= 'FLAG#' AND sk < 'FLAG$' GROUP BY pk;
)sql";

std::uint32_t big_endian(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
         std::uint32_t{at[3]};
}

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw TableError(Fault::refused, fmt::format("{}: {}", file, why));
}

}  // namespace

FileState inspect(const std::string& file) {
  // Read through SQLite's handle: closing one of our own would drop the locks that another
  // connection of this process has on the file.
  const Database db(file, Access::read_only);
  sqlite3_file* handle = nullptr;
  sqlite3_file_control(db.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &handle);
  sqlite3_int64 size = 0;
  int rc = handle->pMethods->xFileSize(handle, &size);
  if (rc != SQLITE_OK) db.fail(rc, "read the file's size");
  if (size == 0) return FileState::empty;

  std::array<unsigned char, kHeaderBytes> header{};
  if (size < static_cast<sqlite3_int64>(header.size())) refuse(file, "not a table file");
  rc = handle->pMethods->xRead(handle, header.data(), kHeaderBytes, 0);
  if (rc != SQLITE_OK) db.fail(rc, "read the file's header");
  if (std::memcmp(header.data(), kMagic.data(), kMagic.size()) != 0) {
    refuse(file, "not a table file");
  }
  if (big_endian(&header[kApplicationIdAt]) != kApplicationId) {
    refuse(file, "an SQLite file, but not one of prefixfs");
  }
  const std::uint32_t version = big_endian(&header[kUserVersionAt]);
  if (version > static_cast<std::uint32_t>(kSchemaVersion)) {
    refuse(file, fmt::format("has format {}, this program knows formats up to {}", version,
                             kSchemaVersion));
  }
  return FileState::ours;
}

void create_schema(Database& db) {
  constexpr std::string_view kDoing = "make the tables";
  // These take effect only while the file is empty.
  db.exec("PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA auto_vacuum=INCREMENTAL", kDoing);
  db.exec("BEGIN EXCLUSIVE", kDoing);
  try {
    if (db.integer("PRAGMA application_id") != kApplicationId) {
      db.exec(kSchema, kDoing);
      db.exec(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId,
                          kSchemaVersion)
                  .c_str(),
              kDoing);
    }
    db.exec("COMMIT", kDoing);
  } catch (...) {
    if (db.in_transaction()) sqlite3_exec(db.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void check_schema(Database& db) {
  const std::int64_t tables = db.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('item', 'block')");
  if (tables != 2) throw TableError(Fault::damaged, db.file() + ": its tables are missing");
}

}  // namespace table
