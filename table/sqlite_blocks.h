// SqliteBlocks keeps content in the table block(id INTEGER PRIMARY KEY, data BLOB) of schema.h.
//
// Parts of a block are read and written through incremental blob I/O, which reaches any byte of a
// large value without loading the rest.  The handle moves from row to row; README.md says why it
// may not stay open.

#pragma once

#include <array>
#include <vector>

#include "table/block_store.h"
#include "table/sqlite.h"
#include "table/sqlite_store.h"

namespace table {

class SqliteBlocks final : public BlockStore {
 public:
  explicit SqliteBlocks(SqliteStore& store);

  void read(std::uint64_t content, std::uint64_t offset, std::span<std::byte> out) override;
  std::uint64_t write(std::uint64_t content, std::uint64_t offset,
                      std::span<const std::byte> data) override;
  std::uint64_t truncate(std::uint64_t content, std::uint64_t length) override;
  std::uint64_t punch(std::uint64_t content, std::uint64_t offset, std::uint64_t length) override;
  std::int64_t copy(std::uint64_t content, std::uint64_t offset, std::uint64_t to,
                    std::uint64_t to_offset, std::uint64_t length) override;
  std::optional<std::uint64_t> next_block(std::uint64_t content, std::uint64_t from) override;
  std::uint64_t next_hole(std::uint64_t content, std::uint64_t from) override;
  std::uint64_t drop(std::uint64_t content, std::uint64_t max_rows) override;

  // Lets go of the read snapshot, and of what keeps commits and savepoints from running.
  void close_cursor() { blob_.close(); }

 private:
  // One block's share of a range of bytes.
  struct Piece {
    std::int64_t id;
    std::size_t begin, end;  // within the block
    std::size_t size() const { return end - begin; }
  };

  // The bytes a row holds; 0 for an absent row, and for an empty one.
  struct Length {
    std::size_t bytes = 0;
    bool present = false;
  };
  Length length_of(std::int64_t id);
  void write_piece(const Piece& piece, Length length, std::span<const std::byte> data);
  void shorten(std::int64_t id, std::size_t length);
  void put(std::int64_t id, std::span<const std::byte> data);
  std::uint64_t erase(std::int64_t first, std::int64_t last);

  SqliteStore& store_;
  Blob blob_;
  Statement put_, lengths_, erase_, next_, rows_, nth_;
  std::vector<std::byte> scratch_;  // one block
};

}  // namespace table
