#include "table/sqlite_blocks.h"

#include <sqlite3.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace table {
namespace {

std::int64_t block_id(std::uint64_t content, std::uint64_t index) {
  assert(content <= kMaxContentId && index < std::uint64_t{1} << kBlockIndexBits);
  return static_cast<std::int64_t>(content << kBlockIndexBits | index);
}

std::int64_t last_id(std::uint64_t content) {
  return block_id(content, (std::uint64_t{1} << kBlockIndexBits) - 1);
}

constexpr std::size_t kGrowthStep = 4096;

// How long a row becomes that must hold `needed` bytes and held `held`: small appends then copy
// each byte twice at most, instead of once per append.
std::size_t grown(std::size_t held, std::size_t needed) {
  if (held == 0) return needed;
  const std::size_t doubled = (2 * held + kGrowthStep - 1) / kGrowthStep * kGrowthStep;
  return std::min<std::size_t>(kBlockBytes, std::max(needed, doubled));
}

}  // namespace

SqliteBlocks::SqliteBlocks(SqliteStore& store)
    : store_(store),
      blob_(store.database(), "block", "data"),
      put_(store.database().prepare("INSERT OR REPLACE INTO block(id, data) VALUES(?1, ?2)",
                                    "write a block")),
      // length() of a blob is answered from the row's header.
      lengths_(store.database().prepare(
          "SELECT id, length(data) FROM block WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
          "look up blocks")),
      erase_(store.database().prepare("DELETE FROM block WHERE id BETWEEN ?1 AND ?2",
                                      "remove blocks")),
      next_(store.database().prepare(
          "SELECT id FROM block WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1", "find a block")),
      rows_(store.database().prepare("SELECT id FROM block WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
                                     "find a hole")),
      nth_(store.database().prepare(
          "SELECT id FROM block WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1 OFFSET ?3",
          "find blocks to remove")),
      scratch_(kBlockBytes) {}

void SqliteBlocks::read(std::uint64_t content, std::uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return;
  const SqliteStore::Gauge gauge(store_);
  std::size_t done = 0;
  std::int64_t holes_before = 0;  // no row is between the last one read and this id
  while (done < out.size()) {
    const std::uint64_t at = offset + done;
    const std::size_t begin = at % kBlockBytes;
    const std::size_t size = std::min<std::size_t>(kBlockBytes - begin, out.size() - done);
    const std::int64_t id = block_id(content, at / kBlockBytes);
    const std::span<std::byte> part = out.subspan(done, size);
    std::size_t present = 0;
    if (id >= holes_before) {
      if (blob_.seek(id, Blob::Mode::read)) {
        const std::size_t held = std::min<std::size_t>(blob_.size(), kBlockBytes);
        if (held > begin) {
          present = std::min(size, held - begin);
          blob_.read(begin, part.first(present));
        }
      } else {
        // Opening the handle anew for each block of a long hole would be slow.
        const std::int64_t last = last_id(content);
        Statement::Run run(next_, id, last);
        holes_before = run.step() ? run.integer(0) : last + 1;
        if (holes_before == id) {
          throw TableError(Fault::damaged,
                           store_.database().file() + ": a block of content is not a blob");
        }
      }
    }
    std::fill(part.begin() + static_cast<std::ptrdiff_t>(present), part.end(), std::byte{0});
    done += size;
  }
  // Outside of a transaction an open handle would keep this connection on an old snapshot.
  if (!store_.in_transaction()) close_cursor();
}

std::uint64_t SqliteBlocks::write(std::uint64_t content, std::uint64_t offset,
                                  std::span<const std::byte> data) {
  assert(offset + data.size() <= kMaxFileBytes);
  if (data.empty()) return 0;
  const std::uint64_t first = offset / kBlockBytes;
  const std::uint64_t last = (offset + data.size() - 1) / kBlockBytes;
  const SqliteStore::Gauge gauge(store_);
  Store::Step step(store_);
  store_.need_room(data.size());
  store_.begin_write(first == last ? SqliteStore::Undo::statement : SqliteStore::Undo::step);

  std::vector<Length> lengths(last - first + 1);
  {
    Statement::Run run(lengths_, block_id(content, first), block_id(content, last));
    while (run.step()) {
      const std::int64_t index = run.integer(0) - block_id(content, first);
      lengths[static_cast<std::size_t>(index)] = {static_cast<std::size_t>(run.integer(1)), true};
    }
  }
  std::uint64_t added = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::uint64_t end =
        i + 1 == lengths.size() ? (offset + data.size() - 1) % kBlockBytes + 1 : kBlockBytes;
    if (end > lengths[i].bytes) added += grown(lengths[i].bytes, end) - lengths[i].bytes;
  }
  store_.need_quota(added);
  std::uint64_t created = 0;
  std::size_t done = 0;
  for (const Length length : lengths) {
    const std::uint64_t at = offset + done;
    const std::size_t begin = at % kBlockBytes;
    const std::size_t size = std::min<std::size_t>(kBlockBytes - begin, data.size() - done);
    const Piece piece{block_id(content, at / kBlockBytes), begin, begin + size};
    write_piece(piece, length, data.subspan(done, size));
    if (!length.present) ++created;
    done += size;
  }
  close_cursor();
  store_.wrote(data.size(), lengths.size());
  step.done();
  return created;
}

void SqliteBlocks::write_piece(const Piece& piece, Length length, std::span<const std::byte> data) {
  if (piece.end <= length.bytes) {
    if (!blob_.seek(piece.id, Blob::Mode::write)) {
      throw TableError(Fault::damaged,
                       store_.database().file() + ": a block of content is not a blob");
    }
    blob_.write(piece.begin, data);
    return;
  }
  if (piece.begin == 0) {
    // All that the row holds is replaced.
    const std::size_t size = grown(length.bytes, piece.end);
    if (size == data.size()) {
      put(piece.id, data);
      return;
    }
  }
  const std::size_t size = grown(length.bytes, piece.end);
  const std::size_t kept = std::min(length.bytes, piece.begin);
  const std::span<std::byte> row = std::span(scratch_).first(size);
  if (kept > 0) {
    if (!blob_.seek(piece.id, Blob::Mode::read)) {
      throw TableError(Fault::damaged,
                       store_.database().file() + ": a block of content is not a blob");
    }
    blob_.read(0, row.first(kept));
  }
  const auto at = [&row](std::size_t offset) {
    return row.begin() + static_cast<std::ptrdiff_t>(offset);
  };
  std::fill(at(kept), at(piece.begin), std::byte{0});
  std::copy(data.begin(), data.end(), at(piece.begin));
  std::fill(at(piece.end), row.end(), std::byte{0});
  put(piece.id, row);
}

std::uint64_t SqliteBlocks::truncate(std::uint64_t content, std::uint64_t length) {
  const SqliteStore::Gauge gauge(store_);
  Store::Step step(store_);
  store_.begin_write(SqliteStore::Undo::step);
  std::uint64_t first = length / kBlockBytes;
  const std::size_t tail = length % kBlockBytes;
  std::uint64_t removed = 0;
  if (tail > 0) {
    const std::int64_t id = block_id(content, first);
    if (length_of(id).bytes > tail) shorten(id, tail);
    ++first;
  }
  if (first < std::uint64_t{1} << kBlockIndexBits) {
    removed = erase(block_id(content, first), last_id(content));
  }
  step.done();
  return removed;
}

std::uint64_t SqliteBlocks::punch(std::uint64_t content, std::uint64_t offset,
                                  std::uint64_t length) {
  length = std::min(length, kMaxFileBytes - std::min(offset, kMaxFileBytes));
  if (length == 0) return 0;
  const SqliteStore::Gauge gauge(store_);
  Store::Step step(store_);
  store_.begin_write(SqliteStore::Undo::step);
  std::uint64_t removed = 0;
  const std::uint64_t end = offset + length;

  const auto zero = [&](std::uint64_t index, std::size_t from, std::size_t to) {
    const std::int64_t id = block_id(content, index);
    const Length row = length_of(id);
    if (!row.present || row.bytes <= from) return;
    if (from == 0 && row.bytes <= to) {
      removed += erase(id, id);
    } else if (row.bytes <= to) {
      shorten(id, from);
    } else {
      std::fill_n(scratch_.begin(), to - from, std::byte{0});
      write_piece({id, from, to}, row, std::span(scratch_).first(to - from));
      store_.wrote(to - from);
    }
  };
  std::uint64_t first = offset / kBlockBytes;
  const std::uint64_t last = end / kBlockBytes;  // the block that the range ends within
  if (first == last) {
    zero(first, offset % kBlockBytes, end % kBlockBytes);
  } else {
    if (offset % kBlockBytes != 0) zero(first++, offset % kBlockBytes, kBlockBytes);
    if (first < last) removed += erase(block_id(content, first), block_id(content, last - 1));
    if (end % kBlockBytes != 0) zero(last, 0, end % kBlockBytes);
  }
  close_cursor();
  step.done();
  return removed;
}

std::optional<std::uint64_t> SqliteBlocks::next_block(std::uint64_t content, std::uint64_t from) {
  if (from >= std::uint64_t{1} << kBlockIndexBits) return std::nullopt;
  const SqliteStore::Gauge gauge(store_);
  Statement::Run run(next_, block_id(content, from), last_id(content));
  if (!run.step()) return std::nullopt;
  return static_cast<std::uint64_t>(run.integer(0) - block_id(content, 0));
}

std::uint64_t SqliteBlocks::next_hole(std::uint64_t content, std::uint64_t from) {
  constexpr std::uint64_t kIndexes = std::uint64_t{1} << kBlockIndexBits;
  if (from >= kIndexes) return from;
  const SqliteStore::Gauge gauge(store_);
  Statement::Run run(rows_, block_id(content, from), last_id(content));
  while (from < kIndexes && run.step() && run.integer(0) == block_id(content, from)) ++from;
  return from;
}

// A block at a time, so that a hole of the one is a hole of the other.
std::int64_t SqliteBlocks::copy(std::uint64_t content, std::uint64_t offset, std::uint64_t to,
                                std::uint64_t to_offset, std::uint64_t length) {
  assert(length <= kMaxFileBytes && offset <= kMaxFileBytes - length &&
         to_offset <= kMaxFileBytes - length);
  const SqliteStore::Gauge gauge(store_);
  Store::Step step(store_);
  std::int64_t more = 0;
  std::vector<std::byte> bytes;
  for (std::uint64_t done = 0; done < length;) {
    const std::uint64_t from = offset + done;
    const std::uint64_t next = next_block(content, from / kBlockBytes).value_or(UINT64_MAX);
    if (next > from / kBlockBytes) {
      const std::uint64_t data = next == UINT64_MAX ? kMaxFileBytes : next * kBlockBytes;
      const std::uint64_t size = std::min(length - done, data - from);
      more -= static_cast<std::int64_t>(punch(to, to_offset + done, size));
      done += size;
      continue;
    }
    const std::uint64_t size = std::min(length - done, kBlockBytes - from % kBlockBytes);
    bytes.resize(size);
    read(content, from, bytes);
    more += static_cast<std::int64_t>(write(to, to_offset + done, bytes));
    done += size;
  }
  step.done();
  return more;
}

std::uint64_t SqliteBlocks::drop(std::uint64_t content, std::uint64_t max_rows) {
  if (max_rows == 0) return 0;
  max_rows = std::min(max_rows, std::uint64_t{1} << kBlockIndexBits);
  const SqliteStore::Gauge gauge(store_);
  Store::Step step(store_);
  store_.begin_write(SqliteStore::Undo::statement);
  std::int64_t last = last_id(content);
  {
    Statement::Run run(nth_, block_id(content, 0), last, static_cast<std::int64_t>(max_rows - 1));
    if (run.step()) last = run.integer(0);
  }
  const std::uint64_t removed = erase(block_id(content, 0), last);
  step.done();
  return removed;
}

SqliteBlocks::Length SqliteBlocks::length_of(std::int64_t id) {
  Statement::Run run(lengths_, id, id);
  if (!run.step()) return {};
  return {static_cast<std::size_t>(run.integer(1)), true};
}

void SqliteBlocks::shorten(std::int64_t id, std::size_t length) {
  const std::span<std::byte> row = std::span(scratch_).first(length);
  if (!blob_.seek(id, Blob::Mode::read)) {
    throw TableError(Fault::damaged,
                     store_.database().file() + ": a block of content is not a blob");
  }
  blob_.read(0, row);
  put(id, row);
  store_.wrote(length);
}

void SqliteBlocks::put(std::int64_t id, std::span<const std::byte> data) {
  execute(put_, id, data);
}

std::uint64_t SqliteBlocks::erase(std::int64_t first, std::int64_t last) {
  execute(erase_, first, last);
  const auto removed = static_cast<std::uint64_t>(sqlite3_changes64(store_.database().handle()));
  store_.wrote(removed * 1024, removed);
  return removed;
}

}  // namespace table
