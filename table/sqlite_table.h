// SqliteTable is the Table on the rows of item(pk, sk, attrs) in a SqliteStore.
//
// Items are encoded before and decoded after the store's mutex is held wherever the verb allows it.
//
// What a cancelled transact() or apply() is charged: every action on one item as if it had been
// carried out alone, that is by the larger of the stored and the offered item and at least one
// unit, doubled in transact().  Its ranges are charged nothing.  A request that is refused as a
// whole before anything is read (too many actions, a key too long, an item too large) is counted
// as a request and consumes nothing.  A Check is charged as a write of the stored item and counted
// as neither put nor delete.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/key_range.h"
#include "table/sqlite.h"
#include "table/sqlite_store.h"
#include "table/table.h"

namespace table {

class SqliteTable final : public Table {
 public:
  explicit SqliteTable(SqliteStore& store);

  // sqlite_read.cc
  GetResult get(const Key& key, Consistency consistency) override;
  BatchGetResult batch_get(std::span<const Key> keys, Consistency consistency) override;
  QueryResult query(const Query& query) override;
  QueryResult scan(const Scan& scan) override;
  ListResult list(const ListChildren& list) override;
  CountResult count(const Count& count) override;

  // sqlite_write.cc
  WriteResult write(const Write& write) override;
  WriteResult batch_write(std::span<const Write> writes) override;
  WriteResult transact(std::span<const Action> actions) override;
  WriteResult apply(std::span<const Action> actions) override;

 private:
  friend class WriteBatch;

  // ---- Single rows, for the holder of the lock ----

  // nullopt: absent.
  std::optional<std::string> stored(const Key& key);
  void put_row(std::string_view pk, std::string_view sk, std::string_view attrs);
  void delete_row(std::string_view pk, std::string_view sk);

  // ---- sqlite_range.cc: whole ranges, in batches of bounded memory ----

  WriteStatus move_range(const MoveRange& move, WriteResult& result);
  WriteStatus swap_range(const SwapRange& swap, WriteResult& result);
  WriteStatus erase_range(const EraseRange& erase, WriteResult& result);
  class RangeBatch;
  // The next rows of `range` of `pk`, until the batch is full.
  void fill(RangeBatch& batch, std::string_view pk, const KeyRange& range);
  void delete_range(std::string_view pk, std::string_view low, std::string_view high);

  SqliteStore& store_;
  Statement get_, put_, delete_, forward_, backward_, scan_, erase_;
};

}  // namespace table
