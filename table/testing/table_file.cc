#include "table/testing/table_file.h"

#include <sqlite3.h>

#include "table/sqlite_store.h"

namespace table {

std::string integrity(Store& store) {
  Database& database = static_cast<SqliteStore&>(store).database();
  Statement statement = database.prepare("PRAGMA integrity_check", "check the file");
  Statement::Run run(statement);
  std::string text;
  while (run.step()) text += (text.empty() ? "" : "; ") + std::string(run.text(0));
  return text;
}

void checkpoint(const std::string& file) {
  Database database(file, Access::read_write);
  database.exec("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0", "set up the connection");
  // A connection learns that there is a log when it first reads.
  database.integer("SELECT count(*) FROM sqlite_schema");
  const int rc = sqlite3_wal_checkpoint_v2(database.handle(), "main", SQLITE_CHECKPOINT_PASSIVE,
                                           nullptr, nullptr);
  if (rc != SQLITE_OK) database.fail(rc, "checkpoint the log");
}

}  // namespace table
