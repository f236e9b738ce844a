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
)sql";

// Each is "NAME AS SELECT ...".  What is no JSON, as other programs may write it, is shown as an
// item without attributes.  In `node`, `tree` walks the drives whose rows are not spelt as paths,
// from their roots, whose id is 1; a folder that is its own ancestor is not entered again.  Of a
// node with several names each is shown with the attributes that they share.
constexpr std::array<const char*, 3> kViews = {
    R"sql(node AS
WITH RECURSIVE
  drive(name, layout) AS (
    SELECT substr(sk, 7), iif(json_valid(attrs), json_extract(attrs, '$.layout'), NULL)
    FROM item WHERE pk = 'DRIVES' AND sk >= 'DRIVE#' AND sk < 'DRIVE$'),
  tree(drive, layout, path, id, ancestors, attrs) AS (
    SELECT name, layout, '', 1, '/', root.attrs
    FROM drive JOIN item root ON root.pk = 'DRIVE#' || name
      AND root.sk = CASE layout WHEN 'adjacency' THEN 'PATH#/' WHEN 'node' THEN 'NODE#1' END
    UNION ALL
    SELECT t.drive, t.layout, t.path || '/' || substr(named.sk, 6),
      iif(json_valid(named.attrs), json_extract(named.attrs, '$.id'), NULL),
      t.ancestors || t.id || '/',
      iif(t.layout = 'node', content.attrs, ifnull(content.attrs, named.attrs))
    FROM tree t
      CROSS JOIN item named ON named.pk = 'DRIVE#' || t.drive || '#DIR#' || t.id
        AND named.sk >= 'NAME#' AND named.sk < 'NAME$'
      LEFT JOIN item content ON content.pk = 'DRIVE#' || t.drive AND content.sk = 'NODE#' ||
        CASE WHEN NOT json_valid(named.attrs) THEN NULL
          WHEN t.layout = 'node' OR json_extract(named.attrs, '$.shared')
            AND json_extract(named.attrs, '$.sizeBytes') IS NULL
          THEN json_extract(named.attrs, '$.id') END
    WHERE instr(t.ancestors, '/' || t.id || '/') = 0),
  row(drive, path, attrs) AS (
    SELECT substr(named.pk, 7), substr(named.sk, 6), ifnull(shared.attrs, named.attrs)
    FROM item named LEFT JOIN item shared ON shared.pk = named.pk AND shared.sk = 'NODE#' ||
      CASE WHEN NOT json_valid(named.attrs) THEN NULL
        WHEN json_extract(named.attrs, '$.shared')
          AND json_extract(named.attrs, '$.sizeBytes') IS NULL
        THEN json_extract(named.attrs, '$.id') END
    WHERE named.pk >= 'DRIVE#' AND named.pk < 'DRIVE$'
      AND named.sk >= 'PATH#' AND named.sk < 'PATH$'
    UNION ALL
    SELECT drive, iif(path = '', '/', path), attrs
    FROM tree WHERE path <> '' OR layout = 'node')
SELECT drive, path,
    json_extract(attrs, '$.kind') AS kind,
    json_extract(attrs, '$.sizeBytes') AS sizeBytes,
    json_extract(attrs, '$.owner') AS owner,
    json_extract(attrs, '$.group') AS "group",
    json_extract(attrs, '$.mode') AS mode,
    json_extract(attrs, '$.mtime') AS mtime,
    json_extract(attrs, '$.ctime') AS ctime,
    json_extract(attrs, '$.id') AS id,
    json_extract(attrs, '$.acl') AS acl,
    json_extract(attrs, '$.defaultAcl') AS defaultAcl,
    iif(json_extract(attrs, '$.kind') = 'folder', 2 + ifnull(json_extract(attrs, '$.folders'), 0),
      ifnull(json_extract(attrs, '$.links'), 1)) AS links
  FROM (SELECT drive, path, iif(json_valid(attrs), attrs, '{}') AS attrs FROM row))sql",
    R"sql(flag AS SELECT
    substr(pk, 5) AS env, substr(sk, 6) AS key,
    json_extract(attrs, '$.value') AS value,
    json_extract(attrs, '$.type') AS type,
    json_extract(attrs, '$.updatedBy') AS updatedBy
  FROM (SELECT pk, sk, iif(json_valid(attrs), attrs, '{}') AS attrs FROM item)
  WHERE pk >= 'ENV#' AND pk < 'ENV$' AND sk >= 'FLAG#' AND sk < 'FLAG$')sql",
    R"sql(env AS SELECT
    substr(pk, 5) AS env, sum(sk <> 'ENV') AS flags
  FROM item WHERE pk >= 'ENV#' AND pk < 'ENV$' AND (sk = 'ENV' OR sk >= 'FLAG#' AND sk < 'FLAG$')
  GROUP BY pk)sql",
};

std::uint32_t big_endian(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
         std::uint32_t{at[3]};
}

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw TableError(Fault::refused, fmt::format("{}: {}", file, why));
}

void set_version(Database& db) {
  db.exec(fmt::format("PRAGMA user_version={}", kSchemaVersion).c_str(), "mark the format");
}

void make_views(Database& db) {
  for (const char* view : kViews) {
    const std::string_view name(view, std::strchr(view, ' '));
    db.exec(fmt::format("DROP VIEW IF EXISTS {}", name).c_str(), "replace the views");
    db.exec(fmt::format("CREATE VIEW {}", view).c_str(), "make the views");
  }
}

// Runs `make` as one transaction that no other process can be in.
template <class Make>
void exclusively(Database& db, Make&& make) {
  constexpr std::string_view kDoing = "make the tables";
  db.exec("BEGIN EXCLUSIVE", kDoing);
  try {
    make();
    db.exec("COMMIT", kDoing);
  } catch (...) {
    if (db.in_transaction()) sqlite3_exec(db.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
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
  exclusively(db, [&] {
    if (db.integer("PRAGMA application_id") == kApplicationId) return;
    db.exec(kSchema, kDoing);
    make_views(db);
    db.exec(fmt::format("PRAGMA application_id={}", kApplicationId).c_str(), kDoing);
    set_version(db);
  });
}

void upgrade_schema(Database& db) {
  const auto old = [&] { return db.integer("PRAGMA user_version") < kSchemaVersion; };
  if (!old()) return;
  exclusively(db, [&] {
    if (!old()) return;
    make_views(db);
    set_version(db);
  });
}

void check_schema(Database& db) {
  const std::int64_t tables = db.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('item', 'block')");
  if (tables != 2) throw TableError(Fault::damaged, db.file() + ": its tables are missing");
}

}  // namespace table
