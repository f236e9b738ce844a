// SqliteTable: writes on whole ranges of keys.
//
// A range may hold millions of rows, so each of these works through it in batches: read some rows,
// write what becomes of them, go on after the last.  Inside the step of the caller, so that it is
// all or nothing, and so that SQLite's cache, log and sub-journal, not memory, hold what is undone.

#include <algorithm>
#include <utility>

#include "table/item_json.h"
#include "table/sqlite_table.h"

namespace table {

// Some rows of a range, their texts in one piece of memory that is used again and again.
class SqliteTable::RangeBatch {
 public:
  // As many as pay for the two statements that a batch begins and ends with, no more than the
  // processor's cache holds.
  static constexpr std::size_t kRows = 1000;
  static constexpr std::size_t kBytes = 512 * 1024;

  void clear() {
    rows_.clear();
    text_.clear();
  }
  void add(std::string_view sk, std::string_view attrs) {
    rows_.push_back({text_.size(), sk.size(), attrs.size()});
    text_.append(sk).append(attrs);
  }
  bool full() const { return rows_.size() >= kRows || text_.size() >= kBytes; }
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }
  std::string_view sk(std::size_t i) const {
    return std::string_view(text_).substr(rows_[i].at, rows_[i].sk);
  }
  std::string_view attrs(std::size_t i) const {
    return std::string_view(text_).substr(rows_[i].at + rows_[i].sk, rows_[i].attrs);
  }
  std::string_view last_sk() const { return sk(rows_.size() - 1); }

 private:
  struct Extent {
    std::size_t at, sk, attrs;
  };
  std::vector<Extent> rows_;
  std::string text_;
};

void SqliteTable::fill(RangeBatch& batch, std::string_view pk, const KeyRange& range) {
  batch.clear();
  Statement::Run run(forward_, pk, std::string_view(range.low), range.high);
  while (!batch.full() && run.step()) batch.add(run.text(0), run.text(1));
}

void SqliteTable::delete_range(std::string_view pk, std::string_view low, std::string_view high) {
  execute(erase_, pk, low, high);
}

WriteStatus SqliteTable::move_range(const MoveRange& move, WriteResult& result) {
  const std::string_view pk = move.pk;
  PageMeter meter(Consistency::eventual);
  KeyRange range = below(move.from);
  RangeBatch batch;
  std::string sk = move.to;
  for (fill(batch, pk, range); !batch.empty(); fill(batch, pk, range)) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      sk.resize(move.to.size());
      sk.append(batch.sk(i).substr(move.from.size()));
      const std::size_t old_bytes = billed_bytes_of_json(pk, batch.sk(i), batch.attrs(i));
      const std::size_t new_bytes = old_bytes + sk.size() - batch.sk(i).size();
      if (new_bytes > kMaxItemBytes) return WriteStatus::item_too_large;
      put_row(pk, sk, batch.attrs(i));
      meter.evaluated(old_bytes);
      result.moved_bytes += old_bytes;
      result.charge.write_units += write_units(new_bytes) + write_units(old_bytes);
    }
    result.moved += batch.size();
    result.charge.puts += batch.size();
    result.charge.deletes += batch.size();
    std::string next = successor(batch.last_sk());
    delete_range(pk, range.low, next);
    range.low = std::move(next);
    if (move.so_far) move.so_far(result.moved);
  }
  meter.finish(result.charge);
  return WriteStatus::ok;
}

WriteStatus SqliteTable::swap_range(const SwapRange& swap, WriteResult& result) {
  const std::string_view pk = swap.pk;
  PageMeter meter_a(Consistency::eventual);
  PageMeter meter_b(Consistency::eventual);
  RangeBatch batch_a;
  RangeBatch batch_b;
  KeyRange range_a = below(swap.a);
  KeyRange range_b = below(swap.b);

  // Puts a row at the key it gets, of which `replaced` bytes are there already.
  const auto carry = [&](const RangeBatch& batch, std::size_t i, const std::string& to,
                         std::string_view suffix, std::size_t replaced) {
    const std::size_t old_bytes = billed_bytes_of_json(pk, batch.sk(i), batch.attrs(i));
    const std::size_t new_bytes = old_bytes + to.size() + suffix.size() - batch.sk(i).size();
    put_row(pk, to + std::string(suffix), batch.attrs(i));
    ++result.moved;
    result.moved_bytes += old_bytes;
    ++result.charge.puts;
    result.charge.write_units += write_units(std::max(new_bytes, replaced));
    return new_bytes <= kMaxItemBytes;
  };
  const auto remove = [&](const RangeBatch& batch, std::size_t i, std::size_t bytes) {
    delete_row(pk, batch.sk(i));
    ++result.charge.deletes;
    result.charge.write_units += write_units(bytes);
  };

  for (;;) {
    fill(batch_a, pk, range_a);
    fill(batch_b, pk, range_b);
    if (batch_a.empty() && batch_b.empty()) break;
    const auto suffix_a = [&](std::size_t i) { return batch_a.sk(i).substr(swap.a.size()); };
    const auto suffix_b = [&](std::size_t i) { return batch_b.sk(i).substr(swap.b.size()); };
    // Beyond the last suffix of a batch that was cut off, the other side cannot be judged yet.
    std::optional<std::string> end;
    if (batch_a.full()) end = std::string(batch_a.last_sk().substr(swap.a.size()));
    if (batch_b.full()) {
      std::string end_b(batch_b.last_sk().substr(swap.b.size()));
      if (!end || end_b < *end) end = std::move(end_b);
    }
    std::size_t i = 0;
    std::size_t j = 0;
    const auto more_a = [&] { return i < batch_a.size() && (!end || suffix_a(i) <= *end); };
    const auto more_b = [&] { return j < batch_b.size() && (!end || suffix_b(j) <= *end); };
    while (more_a() || more_b()) {
      const bool from_a = more_a() && (!more_b() || suffix_a(i) <= suffix_b(j));
      const bool from_b = more_b() && (!more_a() || suffix_b(j) <= suffix_a(i));
      const std::size_t bytes_a =
          from_a ? billed_bytes_of_json(pk, batch_a.sk(i), batch_a.attrs(i)) : 0;
      const std::size_t bytes_b =
          from_b ? billed_bytes_of_json(pk, batch_b.sk(j), batch_b.attrs(j)) : 0;
      bool fits = true;
      if (from_a) {
        fits &= carry(batch_a, i, swap.b, suffix_a(i), bytes_b);
        meter_a.evaluated(bytes_a);
        if (!from_b) remove(batch_a, i, bytes_a);
      }
      if (from_b) {
        fits &= carry(batch_b, j, swap.a, suffix_b(j), bytes_a);
        meter_b.evaluated(bytes_b);
        if (!from_a) remove(batch_b, j, bytes_b);
      }
      if (!fits) return WriteStatus::item_too_large;
      i += from_a ? 1 : 0;
      j += from_b ? 1 : 0;
    }
    if (!end) break;
    range_a.low = successor(swap.a + *end);
    range_b.low = successor(swap.b + *end);
  }
  meter_a.finish(result.charge);
  meter_b.finish(result.charge);
  return WriteStatus::ok;
}

WriteStatus SqliteTable::erase_range(const EraseRange& erase, WriteResult& result) {
  const std::string_view pk = erase.pk;
  PageMeter meter(Consistency::eventual);
  KeyRange range = below(erase.prefix);
  RangeBatch batch;
  for (fill(batch, pk, range); !batch.empty(); fill(batch, pk, range)) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t bytes = billed_bytes_of_json(pk, batch.sk(i), batch.attrs(i));
      meter.evaluated(bytes);
      result.charge.write_units += write_units(bytes);
    }
    result.charge.deletes += batch.size();
    std::string next = successor(batch.last_sk());
    delete_range(pk, range.low, next);
    store_.wrote(batch.size() * 64, batch.size());
    range.low = std::move(next);
  }
  meter.finish(result.charge);
  return WriteStatus::ok;
}

}  // namespace table
