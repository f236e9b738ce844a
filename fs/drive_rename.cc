// rename(2) for Drive: replacing, not replacing, exchanging; and what it costs.

#include <spdlog/spdlog.h>

#include <chrono>
#include <utility>

#include "fs/drive.h"
#include "fs/keys.h"
#include "table/estimate.h"
#include "table/metered_table.h"

namespace prefixfs {

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

Result<Drive::PlannedRename> Drive::plan_rename(Table& t, const NodeRef& from_dir,
                                                std::string_view from, const NodeRef& to_dir,
                                                std::string_view to, RenameMode mode) {
  if (auto ok = check_name(from); !ok) return ok.error();
  if (auto ok = check_name(to); !ok) return ok.error();
  if (is_detached(to_dir.id)) return std::errc::no_such_file_or_directory;
  const bool exchange = mode == RenameMode::exchange;

  auto node = child(t, from_dir, from);
  if (!node) return node.error();
  PlannedRename plan{
      .source = child_ref(from_dir, from, *node), .node = *node, .to = to_dir.path.child(to)};
  if (auto there = child(t, to_dir, to)) {
    NodeRef ref = child_ref(to_dir, to, *there);
    plan.target = Located{std::move(ref), *std::move(there)};
  } else if (there.error() != std::errc::no_such_file_or_directory) {
    return there.error();
  }
  Located* target = plan.target ? &*plan.target : nullptr;

  if (!target && exchange) return std::errc::no_such_file_or_directory;
  if (target && mode == RenameMode::no_replace) return std::errc::file_exists;
  if (target && target->node.id == plan.node.id) {
    plan.nothing = true;
    return plan;
  }
  const bool folder = plan.node.is_folder();
  const bool target_folder = target && target->node.is_folder();
  if (folder && plan.source.path.contains(to_dir.path)) return std::errc::invalid_argument;
  if (target_folder && plan.to.contains(from_dir.path)) {
    return exchange ? std::errc::invalid_argument : std::errc::directory_not_empty;
  }
  if (target && !exchange) {
    if (auto ok = check_target(t, plan.node, *target); !ok) return ok.error();
  }

  const Time now = clock_();
  plan.node.ctime = now;
  if (target) target->node.ctime = now;
  if (target && !exchange) --target->node.links;
  // The row of an only name is written anew in any case: it takes the attributes back.
  if (plan.node.links == 1) plan.node.shared = false;
  if (target && exchange && target->node.links == 1) target->node.shared = false;
  layout_->move(plan.move, {.from = plan.source,
                            .node = plan.node,
                            .to_dir = to_dir,
                            .to_name = std::string(to),
                            .target = target,
                            .exchange = exchange});
  // Child folders that the two parents win and lose.
  const int leaves = folder ? 1 : 0;
  const int comes_back = target_folder ? 1 : 0;
  if (from_dir.id == to_dir.id && from_dir.path == to_dir.path) {
    touch(plan.parents, from_dir, now, exchange ? 0 : -comes_back);
  } else {
    touch(plan.parents, from_dir, now, (exchange ? comes_back : 0) - leaves);
    touch(plan.parents, to_dir, now, leaves - comes_back);
  }
  return plan;
}

Result<void> Drive::check_rename_limit(const PlannedRename& plan) {
  if (!rename_limit_) return {};
  MeteredTable t(store_.table(), ledger_, "rename_limit");
  std::uint64_t below = 0;
  const auto count = [&](const std::string& pk, const std::string& prefix) {
    below += t.count({.pk = pk, .prefix = prefix}).items;
  };
  for (const table::Action& action : plan.move) {
    if (const auto* move = std::get_if<table::MoveRange>(&action)) count(move->pk, move->from);
    if (const auto* swap = std::get_if<table::SwapRange>(&action)) {
      count(swap->pk, swap->a);
      count(swap->pk, swap->b);
    }
  }
  if (below <= *rename_limit_) return {};
  spdlog::warn(
      "rename {} to {} refused: {} nodes below would move, more than rename-limit={}; mount with a "
      "larger -o rename-limit or without one",
      plan.source.path.text(), plan.to.text(), below, *rename_limit_);
  return std::errc::argument_list_too_long;
}

Result<Renamed> Drive::rename(const NodeRef& from_dir, std::string_view from, const NodeRef& to_dir,
                              std::string_view to, RenameMode mode, const Held& held) {
  const auto start = std::chrono::steady_clock::now();
  RenameCost cost;
  Renamed renamed;
  {
    MeteredTable t(store_.table(), ledger_, "rename", [&] {
      return from_dir.path.with_slash() + std::string(from) + " " + to_dir.path.with_slash() +
             std::string(to);
    });
    Store::Step step(store_);
    auto plan = plan_rename(t, from_dir, from, to_dir, to, mode);
    if (!plan) return plan.error();
    const auto shared = [](const Node& node) { return node.shared || node.links > 1; };
    renamed.moved = plan->node.id;
    renamed.moved_shared = shared(plan->node);
    if (plan->target) {
      renamed.target = plan->target->node.id;
      renamed.target_shared = shared(plan->target->node);
      renamed.target_links = plan->target->node.links;
    }
    if (plan->nothing) return renamed;
    if (auto ok = check_rename_limit(*plan); !ok) return ok.error();

    for (table::Action& action : plan->move) {
      if (auto* range = std::get_if<table::MoveRange>(&action)) range->so_far = on_rename_progress_;
    }
    const auto moved = t.apply(plan->move);
    cost.charge = t.charge();
    const auto touched = moved.ok() ? t.apply(plan->parents) : table::WriteResult{};
    const auto& last = moved.ok() ? touched : moved;
    if (!last.ok()) {
      // The source or a parent went, or the target came, by another process's hand.
      return last.status == table::WriteStatus::condition_failed ? std::errc(ESTALE)
                                                                 : std::errc::io_error;
    }
    const bool exchange = mode == RenameMode::exchange;
    if (plan->target && plan->target->node.links == 0) {
      finish(step, plan->target->node, held);
    } else {
      step.done();
    }

    const bool target_folder = plan->target && plan->target->node.is_folder();
    if (!plan->node.is_folder() && !target_folder) {
      walk_.changed(from_dir.id);
      walk_.changed(to_dir.id);
      walk_.changed(from_dir.parent);
      walk_.changed(to_dir.parent);
      changed(plan->source, plan->node);
      if (plan->target) changed(plan->target->ref, plan->target->node);
      return renamed;
    }
    walk_.clear();
    cost.from = plan->source.path.text();
    cost.to = plan->to.text();
    cost.layout = layout_->name();
    cost.items = moved.moved + (exchange ? 2 : 1);
    cost.bytes = moved.moved_bytes + moved.deleted_bytes + (exchange ? moved.replaced_bytes : 0);
    cost.parents = touched.charge;
  }
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (on_rename_) on_rename_(cost);
  return renamed;
}

Result<RenameCost> Drive::predict_rename(const NodeRef& from_dir, std::string_view from,
                                         const NodeRef& to_dir, std::string_view to,
                                         RenameMode mode) {
  if (mode == RenameMode::exchange) return std::errc::not_supported;
  RenameCost cost;
  table::Ledger apart;  // what predicting reads is no part of what renaming costs
  MeteredTable t(store_.table(), apart, "rename");
  const auto plan = plan_rename(t, from_dir, from, to_dir, to, mode);
  if (!plan) return plan.error();
  cost.charge = t.charge();
  cost.from = plan->source.path.text();
  cost.to = plan->to.text();
  cost.layout = layout_->name();
  if (plan->nothing) return cost;

  const table::Estimate estimate = table::estimate(store_.table(), plan->move);
  cost.charge += estimate.charge;
  cost.items = estimate.moved + 1;
  cost.bytes = estimate.moved_bytes + estimate.deleted_bytes;
  cost.keys_over_limit = estimate.sks_over_limit;
  for (const std::string& sk : estimate.some_over_limit) {
    const auto path = path_of_sk(sk);
    cost.some_over_limit.push_back(path ? path->text() : sk);
  }
  cost.parents = table::estimate(store_.table(), plan->parents).charge;
  return cost;
}

}  // namespace prefixfs
