// The bytes of files, and what becomes of nodes without a name.

#include <algorithm>
#include <utility>
#include <vector>

#include "fs/drive.h"
#include "fs/keys.h"
#include "fs/node_item.h"
#include "table/metered_table.h"

namespace prefixfs {
namespace {

using table::kBlockBytes;
using table::MeteredTable;
using table::Store;

// Rows dropped in one step: what one transaction of a huge file's removal may hold.
constexpr std::uint64_t kDropRows = 1024;

std::uint64_t blocks_of(std::uint64_t size) { return (size + kBlockBytes - 1) / kBlockBytes; }

// Readonly stand-ins for ids (Drive::adopt) have no content.
bool has_content(NodeId id) { return number(id) <= table::kMaxContentId; }

std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

void note(NodeChange& change, const char* name, std::uint64_t before, std::uint64_t after) {
  if (before == after) return;
  if (after == 0 && std::string_view(name) == "holes") {
    change.remove.emplace_back(name);
  } else {
    change.set.emplace_back(name, after);
  }
}

}  // namespace

Result<std::string> Drive::readlink(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "readlink", [&] { return ref.path.text(); });
  auto node = stored(t, ref);
  if (!node) return node.error();
  if (node->kind != Kind::symlink) return std::errc::invalid_argument;
  return std::move(node->target);
}

Result<std::size_t> Drive::read(const NodeRef& ref, std::uint64_t offset,
                                std::span<std::byte> out) {
  MeteredTable t(store_.table(), ledger_, "read", [&] { return ref.path.text(); });
  const auto node = file_at(t, ref);
  if (!node) return node.error();
  if (offset >= node->size) return std::size_t{0};
  out =
      out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), node->size - offset)));
  if (has_content(node->id)) {
    Store::Step step(store_);
    const table::ContentWork work(store_, t);
    store_.blocks().read(number(node->id), offset, out);
    step.done();
  } else {
    std::fill(out.begin(), out.end(), std::byte{0});
  }
  return out.size();
}

Result<Written> Drive::write(const NodeRef& ref, std::uint64_t offset,
                             std::span<const std::byte> data, WriteBy by) {
  if (offset > table::kMaxFileBytes || data.size() > table::kMaxFileBytes - offset) {
    return std::errc::file_too_large;
  }
  MeteredTable t(store_.table(), ledger_, "write", [&] { return ref.path.text(); });
  Store::Step step(store_);
  auto node = file_at(t, ref);
  if (!node) return node.error();
  if (data.empty()) return Written{};

  const std::uint64_t created = [&] {
    const table::ContentWork work(store_, t);
    return store_.blocks().write(number(node->id), offset, data);
  }();
  NodeChange change;
  reshape(*node, std::max(node->size, offset + data.size()), static_cast<std::int64_t>(created),
          change);
  if (!by.keep_times) stamp(*node, change);
  const bool dropped = by.drop_set_id && drop_set_id(*node, change);
  if (auto ok = save(t, ref, *node, change); !ok) return ok.error();
  step.done();
  changed(ref, *node);
  return Written{.bytes = data.size(), .set_id_dropped = dropped};
}

// Inside a step.
void Drive::resize(Node& node, std::uint64_t size, NodeChange& change) {
  std::int64_t rows = 0;
  if (size < node.size) {
    rows = -static_cast<std::int64_t>(store_.blocks().truncate(number(node.id), size));
  }
  reshape(node, size, rows, change);
}

Result<Node> Drive::file_at(table::Table& t, const NodeRef& ref) {
  auto node = stored(t, ref);
  if (!node) return node;
  if (node->is_folder()) return std::errc::is_a_directory;
  if (!node->is_file()) return std::errc::invalid_argument;
  return node;
}

void Drive::reshape(Node& node, std::uint64_t size, std::int64_t more_rows, NodeChange& change) {
  const std::uint64_t rows =
      less(blocks_of(node.size), node.holes) + static_cast<std::uint64_t>(more_rows);
  const std::uint64_t holes = less(blocks_of(size), rows);
  note(change, "sizeBytes", node.size, size);
  note(change, "holes", node.holes, holes);
  node.size = size;
  node.holes = holes;
}

void Drive::stamp(Node& node, NodeChange& change) {
  node.mtime = node.ctime = clock_();
  change.set.emplace_back("mtime", encode_time(node.mtime));
  change.set.emplace_back("ctime", encode_time(node.ctime));
}

// ---- Nodes without a name ----

std::optional<Node> Drive::detached(NodeId id) const {
  if (detached_count_.load(std::memory_order_acquire) == 0) return std::nullopt;
  std::lock_guard lock(detached_mutex_);
  const auto it = detached_.find(id);
  return it == detached_.end() ? std::nullopt : std::optional(it->second.node);
}

bool Drive::is_detached(NodeId id) const {
  if (detached_count_.load(std::memory_order_acquire) == 0) return false;
  std::lock_guard lock(detached_mutex_);
  return detached_.contains(id);
}

void Drive::finish(Store::Step& step, const Node& node, const Held& held) {
  if (!held(node.id)) {
    if (node.is_file()) drop_content(node.id);
    step.done();
    return;
  }
  // Inside the step, so that a commit right after it parks the node with the removal of its name.
  {
    std::lock_guard lock(detached_mutex_);
    Detached& kept = detached_[node.id];
    kept.node = node;
    kept.node.links = 0;
    kept.node.ctime = clock_();
    detached_count_.store(detached_.size(), std::memory_order_release);
  }
  try {
    step.done();
  } catch (...) {
    forget_detached(node.id);
    throw;
  }
}

void Drive::forget_detached(NodeId id) {
  std::lock_guard lock(detached_mutex_);
  detached_.erase(id);
  detached_count_.store(detached_.size(), std::memory_order_release);
}

// Before a commit: what is held without a name is written down, so that it is found after a crash.
void Drive::park_detached() {
  if (detached_count_.load(std::memory_order_acquire) == 0) return;
  std::lock_guard lock(detached_mutex_);
  table::Batch batch;
  std::vector<Detached*> parked;
  for (auto& [id, kept] : detached_) {
    if (kept.parked || !kept.node.is_file()) continue;
    batch.push_back(
        table::Put{orphan_key(name_, id),
                   {{"kind", kind_name(kept.node.kind)}, {"sizeBytes", kept.node.size}}});
    parked.push_back(&kept);
  }
  if (batch.empty()) return;
  MeteredTable t(store_.table(), ledger_, "park");
  if (t.apply(batch).ok()) {
    for (Detached* kept : parked) kept->parked = true;
  }
}

void Drive::drop_content(NodeId id) {
  if (!has_content(id)) return;
  while (store_.blocks().drop(number(id), kDropRows) == kDropRows) {
  }
}

void Drive::release(NodeId id) {
  bool parked = false;
  bool small = true;
  {
    std::lock_guard lock(detached_mutex_);
    const auto it = detached_.find(id);
    if (it == detached_.end()) return;
    if (!it->second.node.is_file() || it->second.node.size == 0) {
      parked = it->second.parked;
      if (!parked) {
        detached_.erase(it);
        detached_count_.store(detached_.size(), std::memory_order_release);
        return;
      }
    }
    parked = it->second.parked;
    small = it->second.node.size <= kDropRows * kBlockBytes;
  }
  // A huge file goes in steps of their own; its row stays until the last, so that a crash in
  // between leaves nothing that is not found again.
  if (!small && !parked) store_.commit();
  while (true) {
    Store::Step step(store_);
    const bool last = store_.blocks().drop(number(id), kDropRows) < kDropRows;
    if (last) {
      {
        std::lock_guard lock(detached_mutex_);
        const auto it = detached_.find(id);
        parked = it != detached_.end() && it->second.parked;
      }
      if (parked) {
        MeteredTable t(store_.table(), ledger_, "reap");
        const table::Batch batch = {table::Delete{orphan_key(name_, id)}};
        static_cast<void>(t.apply(batch));
      }
      // Inside the step: a commit right after it must not park the node again.
      forget_detached(id);
    }
    step.done();
    if (last) return;
  }
}

std::uint64_t Drive::reap_orphans() {
  MeteredTable t(store_.table(), ledger_, "reap");
  std::uint64_t reaped = 0;
  while (true) {
    const auto page = t.query({.pk = orphan_pk(name_), .limit = 100});
    if (page.rows.empty()) return reaped;
    for (const table::Row& row : page.rows) {
      if (const auto id = id_of_orphan_sk(row.key.sk)) {
        while (true) {
          Store::Step step(store_);
          const bool last =
              !has_content(*id) || store_.blocks().drop(number(*id), kDropRows) < kDropRows;
          step.done();
          if (last) break;
        }
      }
      const table::Batch batch = {table::Delete{row.key}};
      static_cast<void>(t.apply(batch));
      ++reaped;
    }
  }
}

}  // namespace prefixfs
