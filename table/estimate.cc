#include "table/estimate.h"

#include <algorithm>
#include <cassert>

namespace table {
namespace {

std::size_t stored_bytes(Table& table, const Key& key) {
  const GetResult got = table.get(key);
  return got.item ? billed_bytes(key.pk, key.sk, *got.item) : 0;
}

class Estimator {
 public:
  Estimator(Table& table, Estimate& estimate) : table_(table), sum_(estimate) {}

  void operator()(const Put& put) {
    const std::size_t before = stored_bytes(table_, put.key);
    const std::size_t after = billed_bytes(put.key.pk, put.key.sk, put.item);
    ++sum_.charge.puts;
    sum_.charge.write_units += write_units(std::max(before, after));
    sum_.replaced_bytes += before;
    if (put.key.sk.size() > kMaxSkBytes) ++sum_.sks_over_limit;
  }
  void operator()(const Delete& del) {
    const std::size_t before = stored_bytes(table_, del.key);
    ++sum_.charge.deletes;
    sum_.charge.write_units += write_units(before);
    sum_.deleted_bytes += before;
  }
  void operator()(const MoveRange& move) {
    const auto growth =
        static_cast<std::int64_t>(move.to.size()) - static_cast<std::int64_t>(move.from.size());
    const CountResult range = table_.count({.pk = move.pk, .prefix = move.from, .growth = growth});
    sum_.moved += range.items;
    sum_.moved_bytes += range.billed_bytes;
    sum_.charge.puts += range.items;
    sum_.charge.deletes += range.items;
    sum_.charge.write_units += static_cast<double>(range.write_units + range.grown_write_units);
    read(range.charge);
    sum_.sks_over_limit += range.sks_over_limit;
    sum_.some_over_limit.insert(sum_.some_over_limit.end(), range.some_over_limit.begin(),
                                range.some_over_limit.end());
  }
  void operator()(const EraseRange& erase) {
    const CountResult range = table_.count({.pk = erase.pk, .prefix = erase.prefix});
    sum_.charge.deletes += range.items;
    sum_.charge.write_units += static_cast<double>(range.write_units);
    read(range.charge);
  }
  void operator()(const Check& check) {
    sum_.charge.write_units += write_units(stored_bytes(table_, check.key));
  }
  void operator()(const Update& update) {
    GetResult got = table_.get(update.key);
    Item item = got.item.value_or(Item{});
    const std::size_t before =
        got.item ? billed_bytes(update.key.pk, update.key.sk, item) : std::size_t{0};
    apply(update, item, got.item ? Stored::yes : Stored::no);
    const std::size_t after =
        got.item || !only_removes(update) ? billed_bytes(update.key.pk, update.key.sk, item) : 0;
    ++sum_.charge.updates;
    sum_.charge.write_units += write_units(std::max(before, after));
  }
  void operator()(const SwapRange&) { assert(false); }

 private:
  // Moving reads what it moves, as counting does.
  void read(const Charge& pages) {
    sum_.charge.queries += pages.queries;
    sum_.charge.pages += pages.pages;
    sum_.charge.items_read += pages.items_read;
    sum_.charge.read_units += pages.read_units;
  }

  Table& table_;
  Estimate& sum_;
};

}  // namespace

Estimate estimate(Table& table, std::span<const Action> actions) {
  Estimate sum;
  for (const Action& action : actions) std::visit(Estimator(table, sum), action);
  sum.charge.requests = batch_requests(sum.charge);
  return sum;
}

}  // namespace table
