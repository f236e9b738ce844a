// Ranges of a file's bytes: set aside, punched out, looked for, copied.

#include <algorithm>

#include "fs/drive.h"
#include "fs/node_item.h"
#include "table/metered_table.h"

namespace prefixfs {
namespace {

using table::kBlockBytes;
using table::kMaxFileBytes;
using table::MeteredTable;
using table::Store;

// Copied in one step: what one transaction holds, and how long all others wait.
constexpr std::uint64_t kCopyBytes = 16 * 1024 * 1024;

std::uint64_t up_to_block(std::uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

bool reaches_too_far(std::uint64_t offset, std::uint64_t length) {
  return offset > kMaxFileBytes || length > kMaxFileBytes - offset;
}

}  // namespace

Result<Written> Drive::allocate(const NodeRef& ref, Allocate how, std::uint64_t offset,
                                std::uint64_t length, WriteBy by) {
  if (length == 0) return std::errc::invalid_argument;
  if (reaches_too_far(offset, length)) return std::errc::file_too_large;
  MeteredTable t(store_.table(), ledger_, "allocate", [&] { return ref.path.text(); });
  Store::Step step(store_);
  auto node = file_at(t, ref);
  if (!node) return node.error();
  const std::uint64_t end = offset + length;
  const bool grows = how == Allocate::extend || how == Allocate::zero;
  const bool clears = how != Allocate::extend && how != Allocate::keep_size;

  std::int64_t rows = 0;
  if (clears) {
    const table::ContentWork work(store_, t);
    // A last block that holds nothing else goes as a whole.
    const std::uint64_t punched = end >= node->size ? std::max(end, up_to_block(node->size)) : end;
    rows = -static_cast<std::int64_t>(
        store_.blocks().punch(number(node->id), offset, punched - offset));
  }
  NodeChange change;
  reshape(*node, grows ? std::max(node->size, end) : node->size, rows, change);
  if (how != Allocate::punch) {
    const std::uint64_t beyond = up_to_block(std::max(end, node->size)) - up_to_block(node->size);
    const std::uint64_t missing = std::min(length, node->holes * kBlockBytes + beyond);
    if (missing > store_.room()) return std::errc::no_space_on_device;
  }
  stamp(*node, change);
  const bool dropped = by.drop_set_id && drop_set_id(*node, change);
  if (auto ok = save(t, ref, *node, change); !ok) return ok.error();
  step.done();
  changed(ref, *node);
  return Written{.set_id_dropped = dropped};
}

Result<std::uint64_t> Drive::seek(const NodeRef& ref, Seek what, std::uint64_t offset) {
  MeteredTable t(store_.table(), ledger_, "seek", [&] { return ref.path.text(); });
  Store::Step step(store_);
  const auto node = file_at(t, ref);
  if (!node) return node.error();
  if (offset >= node->size) return std::errc::no_such_device_or_address;
  if (node->holes == 0) return what == Seek::data ? offset : node->size;
  const table::ContentWork work(store_, t);
  const std::uint64_t block = offset / kBlockBytes;
  std::uint64_t found = 0;
  if (what == Seek::data) {
    const auto next = store_.blocks().next_block(number(node->id), block);
    if (!next || *next * kBlockBytes >= node->size) return std::errc::no_such_device_or_address;
    found = *next;
  } else {
    found = store_.blocks().next_hole(number(node->id), block);
  }
  step.done();
  return std::clamp(found * kBlockBytes, offset, node->size);
}

Result<Written> Drive::copy(const NodeRef& from, std::uint64_t offset, const NodeRef& to,
                            std::uint64_t to_offset, std::uint64_t length, WriteBy by) {
  MeteredTable t(store_.table(), ledger_, "copy",
                 [&] { return from.path.text() + " to " + to.path.text(); });
  Store::Step step(store_);
  const auto source = file_at(t, from);
  if (!source) return source.error();
  auto node = file_at(t, to);
  if (!node) return node.error();
  if (offset >= source->size) return Written{};
  length = std::min(length, source->size - offset);
  if (reaches_too_far(to_offset, length)) return std::errc::file_too_large;
  if (source->id == node->id && offset < to_offset + length && to_offset < offset + length) {
    return std::errc::invalid_argument;
  }
  length = std::min(length, kCopyBytes);
  const std::int64_t rows = [&] {
    const table::ContentWork work(store_, t);
    return store_.blocks().copy(number(source->id), offset, number(node->id), to_offset, length);
  }();
  NodeChange change;
  reshape(*node, std::max(node->size, to_offset + length), rows, change);
  stamp(*node, change);
  const bool dropped = by.drop_set_id && drop_set_id(*node, change);
  if (auto ok = save(t, to, *node, change); !ok) return ok.error();
  step.done();
  changed(to, *node);
  return Written{.bytes = static_cast<std::size_t>(length), .set_id_dropped = dropped};
}

}  // namespace prefixfs
