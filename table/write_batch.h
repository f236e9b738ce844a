// WriteBatch is one call of a write verb of SqliteTable: judged as a whole, then written in order.

#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "table/sqlite_table.h"
#include "table/table.h"

namespace table {

class WriteBatch {
 public:
  enum class Rules {
    file_system,  // apply(), write(): keys of any length, any number of actions
    batch,        // batch_write()
    transaction,  // transact()
  };

  WriteBatch(SqliteTable& table, Rules rules) : table_(table), rules_(rules) {}

  // What is added must outlive this.
  void add(const Action& action);
  void add(const Write& write);

  // Takes effect entirely or not at all.  Without reasons where there is a single action.
  WriteResult run();

  // After run(), of a batch with one action: the stored form of the item before and after.
  const std::optional<std::string>& old() const { return slots_.front().stored; }
  const std::optional<std::string>& updated() const { return slots_.front().offered; }

 private:
  using ActionRef = std::variant<const Put*, const Update*, const Delete*, const Check*,
                                 const MoveRange*, const SwapRange*, const EraseRange*>;
  struct Slot {
    ActionRef action;
    const Key* key = nullptr;  // of an action on one item
    const Condition* condition = nullptr;
    WriteStatus status = WriteStatus::ok;
    bool read = false;                     // `stored` holds the item before the batch
    std::optional<std::string> stored{};   // attrs
    std::optional<std::string> offered{};  // attrs to be written
    std::size_t offered_bytes = 0;         // billed
  };

  void check_request();
  void judge(Slot& slot);
  void write(Slot& slot, WriteResult& result);
  // Computes what an Update makes of the stored item.
  void evaluate(const Update& update, Slot& slot) const;
  void book(const Slot& slot, Charge& charge) const;
  void book_cancelled(Charge& charge);
  bool refused() const;
  WriteResult& close(WriteResult& result) const;
  void read(Slot& slot);

  SqliteTable& table_;
  Rules rules_;
  std::vector<Slot> slots_;
  std::set<std::pair<std::string_view, std::string_view>> written_;
  bool ranges_written_ = false;
};

}  // namespace table
