// Table is a single table of items ordered by (pk, sk): the narrow waist of the project.
//
// Everything above is portable to a distributed engine, and everything that moves through it is
// counted: each answer carries its Charge, and what the engine did for it.  Keys compare as
// unsigned bytes.  Implementations are safe for concurrent use; a failure of the store itself
// throws TableError.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "table/capacity.h"
#include "table/condition.h"
#include "table/engine_work.h"
#include "table/update_expression.h"
#include "table/value.h"

namespace table {

// COST.md, "Limits".
enum class Limits {
  dynamo,  // those below
  none,    // those of the engine alone; what is asked is billed as if DynamoDB took it
};
inline constexpr std::size_t kMaxItemBytes = 400 * 1024;
inline constexpr std::size_t kMaxPkBytes = 2048;
inline constexpr std::size_t kMaxSkBytes = 1024;
inline constexpr std::size_t kMaxPageBytes = 1024 * 1024;
inline constexpr std::size_t kMaxTransactActions = 100;
inline constexpr std::size_t kMaxTransactBytes = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxBatchBytes = 16 * 1024 * 1024;

struct Key {
  std::string pk;
  std::string sk;
  auto operator<=>(const Key&) const = default;
};

struct Row {
  Key key;
  Item item;
  bool damaged = false;  // the stored attributes do not decode; `item` is empty
};

// ---- Reads ----

struct GetResult {
  std::optional<Item> item;
  bool damaged = false;  // stored, but the attributes do not decode; `item` holds an empty Item
  Charge charge;
  EngineWork work{};
};

struct BatchGetResult {
  std::vector<Row> rows;  // those found, in the order asked
  // Those left for another request, since with them the answer would be over 16 MB.
  std::vector<Key> unprocessed{};
  Charge charge;
  EngineWork work{};
};

// A range of sort keys, as DynamoDB's key conditions spell it.
struct SkAll {};
struct SkBeginsWith {
  std::string prefix;
};
struct SkCompare {
  Compare op;  // not ne
  std::string sk;
};
struct SkBetween {
  std::string low, high;  // both included
};
using SkCondition = std::variant<SkAll, SkBeginsWith, SkCompare, SkBetween>;

enum class Direction { forward, backward };

struct Query {
  std::string pk;
  SkCondition sk = SkAll{};
  Direction direction = Direction::forward;
  std::size_t limit = 0;                         // items evaluated; 0: as many as a page holds
  std::optional<std::string> exclusive_start{};  // sk of the last item of the page before
  Consistency consistency = Consistency::eventual;
  Condition filter{};  // applied to what was evaluated; reduces nothing that is billed
};

// One page.
struct QueryResult {
  std::vector<Row> rows;      // those that passed the filter
  std::size_t scanned = 0;    // those evaluated
  std::optional<Key> last{};  // LastEvaluatedKey: the page ended early, continue after it
  Charge charge;
  EngineWork work{};
};

struct Scan {
  std::size_t limit = 0;
  std::optional<Key> exclusive_start{};
  Consistency consistency = Consistency::eventual;
  Condition filter{};
};

// The direct children below a prefix that ends in the separator '/', found by hopping: at the first
// key below a child ("<prefix>b/...") the next seek is "<prefix>b0", so what lies below a child
// costs at most `through` items.  Each seek is a Query of its own and is billed as one.  An item
// whose key is the prefix itself is not a child (the root's key "PATH#/" is such a one).
struct ListChildren {
  std::string pk;
  std::string prefix;        // "PATH#/docs/"
  std::string after = {};    // the name to continue after; empty: from the start
  std::size_t limit = 1000;  // children returned
  std::size_t through = 16;  // items read below one child before a hop is cheaper
  Consistency consistency = Consistency::eventual;
};
struct ListResult {
  std::vector<Row> rows;   // in key order; a child is a key with no '/' after the prefix
  bool more = false;       // continue after rows.back()
  std::uint64_t hops = 0;  // seeks beyond the first
  Charge charge;
  EngineWork work{};
};

// All below a prefix, in sizes.  `growth` asks what the items would be with sort keys longer by so
// many bytes (shorter, if negative), as after a move.
struct Count {
  std::string pk;
  std::string prefix;
  std::int64_t growth = 0;
};
struct CountResult {
  std::uint64_t items = 0;
  std::uint64_t billed_bytes = 0;            // sum over the items
  std::uint64_t write_units = 0;             // sum over the items of their size in 1 KiB steps
  std::uint64_t longest_sk = 0;              // bytes
  std::uint64_t grown_write_units = 0;       // write_units with the growth
  std::uint64_t sks_over_limit = 0;          // sort keys over kMaxSkBytes with the growth
  std::vector<std::string> some_over_limit;  // the first ten of them, as they are now
  Charge charge;                             // that of the pages of a Query over the range
  EngineWork work{};
};

// ---- Writes ----

struct Put {
  Key key;
  Item item;
  Condition condition{};
};
// set, then add, then remove, then what was written as an expression.  Creates the item if absent,
// as UpdateItem does, unless it only_removes().
struct Update {
  Key key;
  std::vector<std::pair<std::string, Value>> set{};
  std::vector<std::pair<std::string, Number>> add{};  // absent counts as 0
  std::vector<std::string> remove{};
  UpdateExpression expression{};
  Condition condition{};
};
struct Delete {
  Key key;
  Condition condition{};
};
struct Check {
  Key key;
  Condition condition;
};

// Rewrites the key of every item of `pk` whose sk begins with `from`: a put and a delete each.
// REQUIRES: neither prefix is a prefix of the other; nothing stored below `to`.
struct MoveRange {
  std::string pk;
  std::string from, to;
  std::function<void(std::uint64_t)> so_far{};  // told now and then how many items moved
};
// Exchanges what lies below two prefixes.  An item present on both sides is two puts, one present
// on one side a put and a delete.  REQUIRES: as MoveRange, but both may hold items.
struct SwapRange {
  std::string pk;
  std::string a, b;
};
struct EraseRange {
  std::string pk;
  std::string prefix;
};

using Write = std::variant<Put, Update, Delete>;
using Action = std::variant<Put, Update, Delete, Check, MoveRange, SwapRange, EraseRange>;
using Batch = std::vector<Action>;

enum class WriteStatus {
  ok,
  condition_failed,
  item_too_large,  // over 400 KB
  key_too_long,    // pk or sk over DynamoDB's limit (transact and batch verbs only)
  empty_key,
  wrong_type,         // an update's operand that is no number, list or set, or a sum out of range
  missing_attribute,  // an update reads an attribute that is not there
  bad_path,           // an update's path leads through what is not there
  too_deep,           // an update nests lists and maps more than 32 deep
  too_many_actions,   // transact, batch verbs
  duplicate_key,      // two actions of a transaction, or two writes of a batch, on one item
  too_large,          // the request as a whole
};
std::string_view status_name(WriteStatus status);

struct [[nodiscard]] WriteResult {
  WriteStatus status = WriteStatus::ok;
  // transact(), apply(): the reason of every action, in order, empty when all is well.
  std::vector<WriteStatus> reasons{};
  std::optional<Item> old{};         // write(): the item before
  std::optional<Item> updated{};     // write() of an Update: the item after
  std::uint64_t moved = 0;           // apply(): items whose key a MoveRange or SwapRange rewrote
  std::uint64_t moved_bytes = 0;     // their billed bytes under the old keys
  std::uint64_t replaced_bytes = 0;  // billed bytes of the items that Puts replaced
  std::uint64_t deleted_bytes = 0;   // billed bytes of the items that Deletes removed
  Charge charge;
  EngineWork work{};

  bool ok() const { return status == WriteStatus::ok; }
};

// What `update` makes of `item`: ok, wrong_type, missing_attribute, bad_path, too_deep.  Its
// condition is not looked at.  Of an item that is not stored yet, an operand cannot read the key.
enum class Stored { no, yes };
WriteStatus apply(const Update& update, Item& item, Stored stored);

// An update that takes away and adds nothing makes no item where there is none.
bool only_removes(const Update& update);

class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  virtual GetResult get(const Key& key, Consistency consistency = Consistency::eventual) = 0;
  // At most 100 keys, each once.  REQUIRES: that.
  virtual BatchGetResult batch_get(std::span<const Key> keys,
                                   Consistency consistency = Consistency::eventual) = 0;
  virtual QueryResult query(const Query& query) = 0;
  virtual QueryResult scan(const Scan& scan) = 0;
  virtual ListResult list(const ListChildren& list) = 0;
  virtual CountResult count(const Count& count) = 0;

  virtual WriteResult write(const Write& write) = 0;
  // At most 25 puts and deletes without conditions, not atomic on a distributed engine.
  virtual WriteResult batch_write(std::span<const Write> writes) = 0;
  // TransactWriteItems: at most 100 actions on distinct items, no ranges, all or none, doubled
  // units.  All conditions are judged before the first write.
  virtual WriteResult transact(std::span<const Action> actions) = 0;
  // The file system's write: any number of actions, ranges included, all or none here; billed item
  // by item without the doubling, since no distributed engine could do it in one transaction.
  // Conditions are judged before the first write, in order, against the state before the batch.
  virtual WriteResult apply(std::span<const Action> actions) = 0;
};

}  // namespace table
