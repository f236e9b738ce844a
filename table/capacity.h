// What an operation consumes: the arithmetic of COST.md.
//
// Pure functions and a sum; no I/O, no state.  Units are DynamoDB's read and write units.  A miss
// and a failed condition consume too, so every answer carries a Charge whatever its outcome.

#pragma once

#include <cstddef>
#include <cstdint>

namespace table {

inline constexpr std::size_t kReadUnitBytes = 4096;
inline constexpr std::size_t kWriteUnitBytes = 1024;

enum class Consistency { eventual, strong, transactional };

// Units for one item (get), or for the evaluated bytes of one page (query, scan): 4 KiB steps, at
// least one, times 0.5 / 1 / 2.
double read_units(std::size_t bytes, Consistency consistency);

// Units to put, update or delete one item; `bytes` is the larger of before and after, 0 for an
// absent item.  1 KiB steps, at least one.  A transaction costs exactly twice this.
double write_units(std::size_t bytes);

// What was asked of a table, added up.
struct Charge {
  std::uint64_t requests = 0;    // a client of DynamoDB would send, batch_requests() for apply()
  std::uint64_t gets = 0;        // items asked for by key
  std::uint64_t queries = 0;     // Query or Scan conditions started; a hop is one
  std::uint64_t pages = 0;       // pages those took
  std::uint64_t items_read = 0;  // items evaluated by queries and scans
  std::uint64_t puts = 0;
  std::uint64_t updates = 0;
  std::uint64_t deletes = 0;
  double read_units = 0;
  double write_units = 0;

  Charge& operator+=(const Charge& other);
  Charge& operator-=(const Charge& earlier);  // what came since
  bool operator==(const Charge&) const = default;
};

// BatchWriteItem and BatchGetItem take so many items.
inline constexpr std::size_t kMaxBatchWriteItems = 25;
inline constexpr std::size_t kMaxBatchGetItems = 100;

// The requests that do what `charge` holds, at least one: a page each, an update each, puts and
// deletes in batches of 25.  Conditions, which a batch has none of, are left out of account.
std::uint64_t batch_requests(const Charge& charge);

// Adds up a Query or Scan, page by page.  A page holds at most 1 MB of evaluated items: the item
// that would pass the limit opens the next page.  Each page is rounded up by itself, so a branch
// of many pages costs a little more than its bytes rounded once (a million items of 100 bytes:
// 12,208 units instead of 12,207.5).
class PageMeter {
 public:
  explicit PageMeter(Consistency consistency) : consistency_(consistency) {}
  void evaluated(std::size_t bytes);  // one item, billed bytes
  // Ends the last page (an empty query has one too).  Adds queries, pages, items_read, read_units.
  // The meter starts anew.
  void finish(Charge& charge);

 private:
  void end_page();

  Consistency consistency_;
  std::uint64_t items_ = 0;
  std::uint64_t pages_ = 0;
  std::size_t page_bytes_ = 0;
  double units_ = 0;
};

}  // namespace table
