#include "fs/control_files.h"

#include <utility>

#include "fs/cost_json.h"

namespace prefixfs {
namespace {

constexpr std::size_t kRenamesKept = 1000;

}  // namespace

ControlFiles::ControlFiles(table::Ledger& ledger, std::string owner, std::string group, Time now)
    : ledger_(ledger), owner_(std::move(owner)), group_(std::move(group)), began_(now) {}

Node ControlFiles::folder() const {
  Node node;
  node.id = folder_id();
  node.kind = Kind::folder;
  node.mode = 0555;
  node.owner = owner_;
  node.group = group_;
  node.mtime = node.ctime = node.atime = node.btime = began_;
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

Result<Node> ControlFiles::lookup(std::string_view name) {
  Snapshot snapshot{.cost = name == "cost"};
  if (snapshot.cost) {
    snapshot.text = to_json(ledger_.accounts(), prices_, rate_) + "\n";
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
  std::lock_guard lock(mutex_);
  const auto it = snapshots_.find(id);
  if (it == snapshots_.end()) return std::errc(ESTALE);
  if (!it->second.cost) return std::errc::permission_denied;
  ledger_.reset();
  it->second.text.clear();
  return {};
}

void ControlFiles::forget(NodeId id) {
  std::lock_guard lock(mutex_);
  snapshots_.erase(id);
}

void ControlFiles::add(const RenameCost& cost) {
  std::string line = to_json(cost, prices_, rate_);
  std::lock_guard lock(mutex_);
  renames_.push_back(std::move(line));
  if (renames_.size() > kRenamesKept) renames_.pop_front();
}

}  // namespace prefixfs
