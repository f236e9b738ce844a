// SqliteTable: the verbs that write.

#include <cassert>

#include "table/item_json.h"
#include "table/sqlite_table.h"
#include "table/write_batch.h"

namespace table {

WriteResult SqliteTable::write(const Write& write) {
  WriteBatch batch(*this, WriteBatch::Rules::file_system);
  batch.add(write);
  WriteResult result = batch.run();
  result.reasons.clear();
  if (batch.old()) result.old = decode_item(*batch.old());
  if (result.ok() && std::holds_alternative<Update>(write) && batch.updated()) {
    result.updated = decode_item(*batch.updated());
  }
  return result;
}

WriteResult SqliteTable::batch_write(std::span<const Write> writes) {
  WriteBatch batch(*this, WriteBatch::Rules::batch);
  for (const Write& write : writes) batch.add(write);
  WriteResult result = batch.run();
  result.reasons.clear();
  return result;
}

WriteResult SqliteTable::transact(std::span<const Action> actions) {
  WriteBatch batch(*this, WriteBatch::Rules::transaction);
  for (const Action& action : actions) batch.add(action);
  return batch.run();
}

WriteResult SqliteTable::apply(std::span<const Action> actions) {
  WriteBatch batch(*this, WriteBatch::Rules::file_system);
  for (const Action& action : actions) batch.add(action);
  return batch.run();
}

}  // namespace table
