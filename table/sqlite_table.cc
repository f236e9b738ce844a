#include "table/sqlite_table.h"

#include "table/item_sql.h"

namespace table {

SqliteTable::SqliteTable(SqliteStore& store)
    : store_(store),
      get_(store.database().prepare(sql::kGet, "read an item")),
      put_(store.database().prepare(sql::kPut, "write an item")),
      delete_(store.database().prepare(sql::kDelete, "delete an item")),
      forward_(store.database().prepare(sql::kForward, "read a range of items")),
      backward_(store.database().prepare(sql::kBackward, "read a range of items")),
      scan_(store.database().prepare(sql::kScan, "scan the items")),
      erase_(store.database().prepare(sql::kErase, "delete a range of items")) {}

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
