// What a table file holds.
//
//   header   application_id 0x70667331 ("pfs1"), user_version = kSchemaVersion,
//            page_size 4096, encoding UTF-8, auto_vacuum incremental, journal mode WAL
//
//   item     (pk TEXT, sk TEXT, attrs TEXT, PRIMARY KEY (pk, sk)) WITHOUT ROWID
//            One row per item, clustered on its key.  Keys are compared as unsigned bytes and may
//            be any bytes at all; attrs is the stored form of item_json.h.
//   block    (id INTEGER PRIMARY KEY, data BLOB)
//            Content, in pieces of 64 KiB: id = content << 24 | index.  A row is as long as the
//            last byte written in its block; what follows reads as zeros, as a missing row does.
//
// and for people with an SQL shell, three views that nothing here reads:
//
//   node     drive, path, kind, sizeBytes, owner, "group", mode, mtime, ctime, id,
//            acl, defaultAcl (JSON), links
//   flag     env, key, value, type, updatedBy
//   env      env, flags          also of environments that hold no flag
//
// `node` shows every drive's tree, whatever its layout.  Of the layout `path` that is a range of
// the table; trees of the others are walked, a search for each folder.  A node with several names
// is there under each, so what nodes hold is summed over DISTINCT drive, id.
//
// Versions: 1 had `node` for the layout `path` alone, and `env` without empty ones.  In 1 and 2
// each node had one name.

#pragma once

#include <cstdint>
#include <optional>

#include "table/sqlite.h"

namespace table {

inline constexpr std::uint32_t kApplicationId = 0x70667331;
inline constexpr int kSchemaVersion = 3;
inline constexpr int kPageBytes = 4096;

enum class FileState {
  empty,  // no bytes at all: may become a table
  ours,
};

// Looks at the header of an existing file without locking, changing or leaving anything beside it.
// Throws TableError: refused (no SQLite file, of another application, newer than this program).
FileState inspect(const std::string& file);

// Makes the tables, unless another process was faster.  For a connection that just opened an empty
// file.
void create_schema(Database& db);

// Brings a file of an earlier version to this one; all versions hold the same tables.  For a
// connection that may write.  Waits for other writers as long as the connection's busy timeout
// says.
void upgrade_schema(Database& db);

// Throws TableError damaged if a table is missing.
void check_schema(Database& db);

}  // namespace table
