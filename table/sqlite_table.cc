#include "table/sqlite_table.h"

namespace table {

SqliteTable::SqliteTable(SqliteStore& store)
    : store_(store),
      get_(store.database().prepare("SELECT attrs FROM item WHERE pk = ?1 AND sk = ?2",
                                    "read an item")),
      // On a table whose only index is its key, REPLACE overwrites in one descent.
      put_(store.database().prepare("INSERT OR REPLACE INTO item(pk, sk, attrs) VALUES(?1, ?2, ?3)",
                                    "write an item")),
      delete_(
          store.database().prepare("DELETE FROM item WHERE pk = ?1 AND sk = ?2", "delete an item")),
      forward_(store.database().prepare(
          "SELECT sk, attrs FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk",
          "read a range of items")),
      backward_(store.database().prepare(
          "SELECT sk, attrs FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC",
          "read a range of items")),
      scan_(store.database().prepare(
          "SELECT pk, sk, attrs FROM item WHERE (pk, sk) >= (?1, ?2) "
          // Another tool may have put BLOBs there, which sort behind all text.
          "AND pk < x'' AND sk < x'' ORDER BY pk, sk",
          "scan the items")),
      erase_(store.database().prepare("DELETE FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3",
                                      "delete a range of items")) {}

std::optional<std::string> SqliteTable::stored(const Key& key) {
  Statement::Run run(get_, std::string_view(key.pk), std::string_view(key.sk));
  if (!run.step()) return std::nullopt;
  return std::string(run.text(0));
}

void SqliteTable::put_row(std::string_view pk, std::string_view sk, std::string_view attrs) {
  execute(put_, pk, sk, attrs);
  store_.wrote(pk.size() + sk.size() + attrs.size());
}

void SqliteTable::delete_row(std::string_view pk, std::string_view sk) {
  execute(delete_, pk, sk);
  store_.wrote(pk.size() + sk.size());
}

}  // namespace table
