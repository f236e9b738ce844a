// SqliteTable: the verbs that read.

#include <algorithm>
#include <cassert>
#include <utility>

#include "table/explain.h"
#include "table/item_json.h"
#include "table/sqlite_table.h"

namespace table {
namespace {

// A row as it is stored: copied out under the lock, decoded after it.
struct RawRow {
  Key key;
  std::string attrs;
};

Row decoded(RawRow&& raw) {
  Row row{std::move(raw.key), {}, false};
  if (auto item = decode_item(raw.attrs)) {
    row.item = *std::move(item);
  } else {
    row.damaged = true;
  }
  return row;
}

// Collects one page of a Query or Scan: as many items as fit 1 MB, or `limit`.
class Page {
 public:
  Page(std::size_t limit, Consistency consistency, Limits limits)
      : limit_(limit), bounded_(limits == Limits::dynamo), meter_(consistency) {}

  // false: the page ended before this item.
  bool add(std::string_view pk, std::string_view sk, std::string_view attrs) {
    const std::size_t bytes = billed_bytes_of_json(pk, sk, attrs);
    if (full() || (bounded_ && !rows_.empty() && bytes_ + bytes > kMaxPageBytes)) {
      ended_early_ = true;
      return false;
    }
    bytes_ += bytes;
    meter_.evaluated(bytes);
    rows_.push_back({{std::string(pk), std::string(sk)}, std::string(attrs)});
    // As DynamoDB has it: a limit that was reached ends the page, whether more follows or not.
    if (full()) ended_early_ = true;
    return true;
  }
  void took(const EngineWork& work) { work_ = work; }
  bool full() const { return limit_ != 0 && rows_.size() == limit_; }

  QueryResult finish(const Condition& filter) && {
    QueryResult result;
    result.charge.requests = 1;
    result.work = work_;
    result.scanned = rows_.size();
    meter_.finish(result.charge);
    if (ended_early_) result.last = rows_.back().key;
    result.rows.reserve(filter.is_always() ? rows_.size() : 0);
    for (RawRow& raw : rows_) {
      Row row = decoded(std::move(raw));
      if (filter.is_always() || holds(filter, row.key.pk, row.key.sk, &row.item)) {
        result.rows.push_back(std::move(row));
      }
    }
    return result;
  }

 private:
  std::size_t limit_;
  bool bounded_;  // to 1 MB
  PageMeter meter_;
  std::size_t bytes_ = 0;
  bool ended_early_ = false;
  EngineWork work_;
  std::vector<RawRow> rows_;
};

}  // namespace

GetResult SqliteTable::get(const Key& key, Consistency consistency) {
  GetResult result;
  std::optional<std::string> attrs;
  {
    const SqliteStore::Gauge gauge(store_);
    attrs = stored(key);
    result.work = gauge.work();
  }
  result.charge.requests = 1;
  result.charge.gets = 1;
  std::size_t bytes = 0;
  if (attrs) {
    result.item = decode_item(*attrs);
    bytes = result.item ? billed_bytes(key.pk, key.sk, *result.item)
                        : billed_bytes_of_json(key.pk, key.sk, *attrs);
    if (!result.item) {
      result.item.emplace();
      result.damaged = true;
    }
  }
  result.charge.read_units = read_units(bytes, consistency);
  return result;
}

BatchGetResult SqliteTable::batch_get(std::span<const Key> keys, Consistency consistency) {
  const bool limited = store_.limits() == Limits::dynamo;
  assert(!limited || keys.size() <= kMaxBatchGetItems);
  std::vector<RawRow> found;
  BatchGetResult result;
  result.charge.requests = 1;
  std::size_t sum = 0;
  {
    const SqliteStore::Gauge gauge(store_);
    // A cursor that stays open keeps what it sees: all items are then of one moment, whatever
    // other processes write meanwhile.
    std::optional<Statement::Run> moment;
    if (consistency == Consistency::transactional) {
      moment.emplace(scan_, std::string_view(), std::string_view());
      moment->step();
    }
    for (const Key& key : keys) {
      auto attrs = stored(key);
      const std::size_t bytes = attrs ? billed_bytes_of_json(key.pk, key.sk, *attrs) : 0;
      sum += bytes;
      if (limited && sum > kMaxBatchBytes) break;
      ++result.charge.gets;
      result.charge.read_units += read_units(bytes, consistency);
      if (attrs) found.push_back({key, *std::move(attrs)});
    }
    result.work = gauge.work();
  }
  const std::span<const Key> left = keys.subspan(result.charge.gets);
  result.unprocessed.assign(left.begin(), left.end());
  for (RawRow& raw : found) result.rows.push_back(decoded(std::move(raw)));
  return result;
}

QueryResult SqliteTable::query(const Query& query) {
  const KeyRange range = range_of(query);
  Page page(query.limit, query.consistency, store_.limits());
  {
    const SqliteStore::Gauge gauge(store_);
    Statement& statement = query.direction == Direction::forward ? forward_ : backward_;
    Statement::Run run(statement, std::string_view(query.pk), std::string_view(range.low),
                       range.high);
    while (!page.full() && run.step() && page.add(query.pk, run.text(0), run.text(1))) continue;
    page.took(gauge.work());
  }
  return std::move(page).finish(query.filter);
}

QueryResult SqliteTable::scan(const Scan& scan) {
  const Key start = start_of(scan);
  Page page(scan.limit, scan.consistency, store_.limits());
  {
    const SqliteStore::Gauge gauge(store_);
    Statement::Run run(scan_, std::string_view(start.pk), std::string_view(start.sk));
    while (!page.full() && run.step() && page.add(run.text(0), run.text(1), run.text(2))) continue;
    page.took(gauge.work());
  }
  return std::move(page).finish(scan.filter);
}

ListResult SqliteTable::list(const ListChildren& list) {
  assert(list.prefix.ends_with('/'));
  ListResult result;
  std::vector<RawRow> children;
  PageMeter meter(list.consistency);
  {
    const SqliteStore::Gauge gauge(store_);
    const std::string_view pk = list.pk;
    KeyRange range = after(below(list.prefix), list.prefix + list.after, Direction::forward);
    Statement::Run run(forward_, pk, std::string_view(range.low), range.high);
    std::string inside;       // the prefix of the child whose descendants are being read
    std::size_t through = 0;  // how many of them so far
    while (run.step()) {
      const std::string_view sk = run.text(0);
      const std::string_view attrs = run.text(1);
      meter.evaluated(billed_bytes_of_json(pk, sk, attrs));
      const std::size_t slash = sk.find('/', list.prefix.size());
      if (slash == std::string_view::npos) {
        children.push_back({{list.pk, std::string(sk)}, std::string(attrs)});
        if (list.limit != 0 && children.size() == list.limit) {
          result.more = true;
          break;
        }
        continue;
      }
      const std::string_view branch = sk.substr(0, slash + 1);
      if (branch != inside) {
        inside = branch;
        through = 0;
      }
      if (++through < list.through) continue;
      range.low = *below(inside).high;
      meter.finish(result.charge);
      ++result.hops;
      run.restart(pk, std::string_view(range.low), range.high);
    }
    result.work = gauge.work();
  }
  meter.finish(result.charge);
  result.charge.requests = result.charge.pages;
  result.rows.reserve(children.size());
  for (RawRow& raw : children) result.rows.push_back(decoded(std::move(raw)));
  return result;
}

CountResult SqliteTable::count(const Count& count) {
  CountResult result;
  PageMeter meter(Consistency::eventual);
  KeyRange range = below(count.prefix);
  // The lock is let go between pages: others need not wait for the whole of a large branch.
  constexpr std::size_t kRowsPerPage = 10'000;
  for (bool more = true; more;) {
    const SqliteStore::Gauge gauge(store_);
    Statement::Run run(forward_, std::string_view(count.pk), std::string_view(range.low),
                       range.high);
    std::size_t rows = 0;
    while ((more = run.step())) {
      const std::string_view sk = run.text(0);
      const std::size_t bytes = billed_bytes_of_json(count.pk, sk, run.text(1));
      meter.evaluated(bytes);
      ++result.items;
      result.billed_bytes += bytes;
      result.write_units += static_cast<std::uint64_t>(write_units(bytes));
      result.longest_sk = std::max<std::uint64_t>(result.longest_sk, sk.size());
      const auto grown = [&](std::size_t size) {
        return static_cast<std::size_t>(static_cast<std::int64_t>(size) + count.growth);
      };
      result.grown_write_units += static_cast<std::uint64_t>(write_units(grown(bytes)));
      if (grown(sk.size()) > kMaxSkBytes) {
        if (++result.sks_over_limit <= 10) result.some_over_limit.emplace_back(sk);
      }
      if (++rows == kRowsPerPage) {
        range.low = successor(sk);
        break;
      }
    }
    result.work += gauge.work();
  }
  meter.finish(result.charge);
  result.charge.requests = result.charge.pages;
  return result;
}

}  // namespace table
