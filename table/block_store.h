// BlockStore holds the bytes of files beside the items: sparse sequences of blocks, keyed by an
// immutable content id, so that no rename touches a byte of content.
//
// A block has 64 KiB of address space; its row holds only the bytes up to the last one written,
// and a hole has no row.  Bytes past the end of a row read as zeros.  The length of a file is kept
// by the file system, not here.  Same locking, transaction and errors as the Store it belongs to.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace table {

inline constexpr std::uint64_t kBlockBytes = 64 * 1024;
// Ids are content << 24 | index in a signed 64-bit rowid.
inline constexpr int kBlockIndexBits = 24;
inline constexpr std::uint64_t kMaxFileBytes = kBlockBytes << kBlockIndexBits;  // 1 TiB
inline constexpr std::uint64_t kMaxContentId = (std::uint64_t{1} << (63 - kBlockIndexBits)) - 1;

class BlockStore {
 public:
  BlockStore() = default;
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;
  virtual ~BlockStore() = default;

  // Fills all of `out` with the bytes from `offset`; holes are zeros.
  virtual void read(std::uint64_t content, std::uint64_t offset, std::span<std::byte> out) = 0;

  // Returns how many block rows it created (holes it filled).
  // REQUIRES: offset + data.size() <= kMaxFileBytes
  virtual std::uint64_t write(std::uint64_t content, std::uint64_t offset,
                              std::span<const std::byte> data) = 0;

  // Forgets every byte from `length` on: a later growth reads zeros there.  Returns how many rows
  // it removed.
  virtual std::uint64_t truncate(std::uint64_t content, std::uint64_t length) = 0;

  // Zeros [offset, offset + length), removing the rows of whole blocks.  Returns rows removed.
  virtual std::uint64_t punch(std::uint64_t content, std::uint64_t offset,
                              std::uint64_t length) = 0;

  // Makes [to_offset, to_offset + length) of `to` read as [offset, offset + length) of `content`
  // did; holes stay holes as far as whole blocks are.  Returns how many rows of `to` there are
  // more, below zero where there are fewer.
  // REQUIRES: both ranges end within kMaxFileBytes; ranges of one content do not overlap
  virtual std::int64_t copy(std::uint64_t content, std::uint64_t offset, std::uint64_t to,
                            std::uint64_t to_offset, std::uint64_t length) = 0;

  // First index >= `from` that has a row; nullopt: none.
  virtual std::optional<std::uint64_t> next_block(std::uint64_t content, std::uint64_t from) = 0;
  // First index >= `from` that has no row.  Linear in the rows before it.
  virtual std::uint64_t next_hole(std::uint64_t content, std::uint64_t from) = 0;

  // Every row of `content`.  Removes at most `max_rows` and returns how many went, so that a huge
  // file can be dropped in steps; done when it returns less than max_rows.
  virtual std::uint64_t drop(std::uint64_t content, std::uint64_t max_rows) = 0;
};

}  // namespace table
