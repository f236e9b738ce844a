#include "fs/control_files.h"

#include <utility>

#include "fs/cost_json.h"

namespace prefixfs {
namespace {

constexpr std::size_t kRenamesKept = 1000;

}  // namespace

ControlFiles::ControlFiles(table::Ledger& ledger, table::Store& store, Mounted mounted)
    : ledger_(ledger), store_(store), mounted_(std::move(mounted)) {}

Node ControlFiles::folder() const {
  Node node;
  node.id = folder_id();
  node.kind = Kind::folder;
  node.mode = 0555;
  node.owner = mounted_.owner;
  node.group = mounted_.group;
  node.mtime = node.ctime = node.atime = node.btime = mounted_.since;
  return node;
}

Node ControlFiles::node(NodeId id, const Snapshot& snapshot) const {
  Node node = folder();
  node.id = id;
  node.kind = Kind::file;
  node.mode = snapshot.cost ? 0644 : 0444;
  node.size = snapshot.text.size();
  return node;
}

std::string ControlFiles::cost_text() const {
  CostReport report{.operations = ledger_.accounts(),
                    .commits = store_.commit_work(),
                    .prices = mounted_.prices,
                    .rate = rate_};
  {
    std::lock_guard lock(mutex_);
    report.commits.commits -= commits_before_.commits;
    report.commits.work -= commits_before_.work;
  }
  return to_json(report) + "\n";
}

Result<Node> ControlFiles::lookup(std::string_view name) {
  Snapshot snapshot{.cost = name == "cost"};
  if (snapshot.cost) {
    snapshot.text = cost_text();
  } else if (name != "renames") {
    return std::errc::no_such_file_or_directory;
  }
  std::lock_guard lock(mutex_);
  if (!snapshot.cost) {
    for (const std::string& line : renames_) snapshot.text += line + "\n";
  }
  const NodeId id{next_++};
  return node(id, snapshots_.emplace(id, std::move(snapshot)).first->second);
}

Result<Node> ControlFiles::getattr(NodeId id) const {
  if (id == folder_id()) return folder();
  std::lock_guard lock(mutex_);
  const auto it = snapshots_.find(id);
  if (it == snapshots_.end()) return std::errc(ESTALE);
  return node(id, it->second);
}

Result<std::string> ControlFiles::content(NodeId id) const {
  std::lock_guard lock(mutex_);
  const auto it = snapshots_.find(id);
  if (it == snapshots_.end()) return std::errc(ESTALE);
  return it->second.text;
}

Result<void> ControlFiles::truncate(NodeId id) {
  const table::CommitWork commits = store_.commit_work();
  std::lock_guard lock(mutex_);
  const auto it = snapshots_.find(id);
  if (it == snapshots_.end()) return std::errc(ESTALE);
  if (!it->second.cost) return std::errc::permission_denied;
  ledger_.reset();
  commits_before_ = commits;
  it->second.text.clear();
  return {};
}

void ControlFiles::forget(NodeId id) {
  std::lock_guard lock(mutex_);
  snapshots_.erase(id);
}

void ControlFiles::add(const RenameCost& cost) {
  std::string line = to_json(cost, mounted_.prices, rate_);
  std::lock_guard lock(mutex_);
  renames_.push_back(std::move(line));
  if (renames_.size() > kRenamesKept) renames_.pop_front();
}

}  // namespace prefixfs
