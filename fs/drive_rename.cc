// rename(2) for Drive: replacing, not replacing, exchanging.

#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "fs/drive.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::Batch;
using table::MeteredTable;
using table::Store;
using table::Table;

// Whether `target` may give its place to `node`.
Result<void> Drive::check_target(Table& t, const Node& node, const Located& target) {
  if (!node.is_folder()) {
    if (target.node.is_folder()) return std::errc::is_a_directory;
    return {};
  }
  if (!target.node.is_folder()) return std::errc::not_a_directory;
  if (!layout_->empty(t, target.ref)) return std::errc::directory_not_empty;
  return {};
}

Result<Renamed> Drive::rename(const NodeRef& from_dir, std::string_view from, const NodeRef& to_dir,
                              std::string_view to, RenameMode mode, const Held& held) {
  if (auto ok = check_name(from); !ok) return ok.error();
  if (auto ok = check_name(to); !ok) return ok.error();
  if (is_detached(to_dir.id)) return std::errc::no_such_file_or_directory;

  const auto start = std::chrono::steady_clock::now();
  RenameCost cost;
  Renamed renamed;
  {
    MeteredTable t(store_.table(), ledger_, "rename");
    Store::Step step(store_);
    auto node = child(t, from_dir, from);
    if (!node) return node.error();
    renamed.moved = node->id;
    const NodeRef source{node->id, from_dir.id, from_dir.path.child(from)};

    std::optional<Located> target;
    if (auto there = child(t, to_dir, to)) {
      const NodeId id = there->id;
      target = Located{{id, to_dir.id, to_dir.path.child(to)}, *std::move(there)};
    } else if (there.error() != std::errc::no_such_file_or_directory) {
      return there.error();
    }
    if (!target && mode == RenameMode::exchange) return std::errc::no_such_file_or_directory;
    if (target && mode == RenameMode::no_replace) return std::errc::file_exists;
    if (target && target->node.id == node->id) return renamed;  // two names of one node

    if (node->is_folder() && source.path.contains(to_dir.path)) return std::errc::invalid_argument;
    if (target && target->node.is_folder() && target->ref.path.contains(from_dir.path)) {
      return mode == RenameMode::exchange ? std::errc::invalid_argument
                                          : std::errc::directory_not_empty;
    }
    if (target && mode != RenameMode::exchange) {
      if (auto ok = check_target(t, *node, *target); !ok) return ok.error();
    }

    const Time now = clock_();
    node->ctime = now;
    if (target && mode == RenameMode::exchange) target->node.ctime = now;
    Batch batch;
    layout_->move(batch, {.from = source,
                          .node = *node,
                          .to_dir = to_dir,
                          .to_name = std::string(to),
                          .target = target ? &*target : nullptr,
                          .exchange = mode == RenameMode::exchange});

    // Child folders that the two parents win and lose.
    const int leaves = node->is_folder() ? 1 : 0;
    const int comes_back = target && target->node.is_folder() ? 1 : 0;
    const bool exchange = mode == RenameMode::exchange;
    if (from_dir.id == to_dir.id) {
      touch(batch, from_dir, now, exchange ? 0 : -comes_back);
    } else {
      touch(batch, from_dir, now, (exchange ? comes_back : 0) - leaves);
      touch(batch, to_dir, now, leaves - comes_back);
    }

    const auto written = t.apply(batch);
    if (!written.ok()) {
      // The source or a parent went, or the target came, by another process's hand.
      return written.status == table::WriteStatus::condition_failed ? std::errc(ESTALE)
                                                                    : std::errc::io_error;
    }
    if (target) renamed.target = target->node.id;
    if (target && !exchange) {
      finish(step, target->node, held);
    } else {
      step.done();
    }

    cost.from = source.path.text();
    cost.to = to_dir.path.child(to).text();
    cost.items = written.moved + 1 + (exchange ? 1 : 0);
    cost.bytes = written.moved_bytes;
    cost.charge = t.charge();
    const bool folders = node->is_folder() || comes_back != 0;
    if (!folders) {
      walk_.changed(from_dir.id);
      walk_.changed(to_dir.id);
      walk_.changed(from_dir.parent);
      walk_.changed(to_dir.parent);
      return renamed;
    }
    walk_.clear();
  }
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (on_rename_) on_rename_(cost);
  return renamed;
}

}  // namespace prefixfs
