// ControlFiles are the files under `.prefixfs` at a mount's root, which no listing of the root
// shows:
//
//   cost      what the file system's operations consumed so far, one JSON object; truncating it
//             starts the count anew
//   renames   one JSON object a line for each rename of a folder, newest last, the last 1,000
//
// A lookup makes a node of its own with the text as it is then, so that a reader sees one whole
// state and no size or page that the kernel keeps is ever wrong.
//
// ioctl(fd, kCountCalls, std::uint64_t*) on any of them tells how many operations were booked so
// far: cheap enough to ask before and after each system call of a command.  Thread-safe.

#pragma once

#include <sys/ioctl.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fs/node.h"
#include "fs/prices.h"
#include "fs/rename_cost.h"
#include "fs/result.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {

inline constexpr std::string_view kControlFolder = ".prefixfs";
inline constexpr unsigned long kCountCalls = _IOR('p', 1, std::uint64_t);

class ControlFiles {
 public:
  struct Mounted {
    std::string owner, group;  // of the files
    Time since;
    Prices prices{};
  };
  ControlFiles(table::Ledger& ledger, table::Store& store, Mounted mounted);

  // Ids of nodes here lie above all that a drive gives.
  static bool owns(NodeId id) { return number(id) >= kFirst; }
  static NodeId folder_id() { return NodeId{kFirst}; }

  Node folder() const;
  Result<Node> lookup(std::string_view name);  // ENOENT
  Result<Node> getattr(NodeId id) const;       // ESTALE
  Result<std::string> content(NodeId id) const;
  Result<void> truncate(NodeId id);  // EACCES: not the file `cost`
  void forget(NodeId id);
  std::uint64_t calls() const { return ledger_.total().calls; }

  void add(const RenameCost& cost);

 private:
  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 61;
  struct Snapshot {
    bool cost = false;
    std::string text;
  };
  Node node(NodeId id, const Snapshot& snapshot) const;
  std::string cost_text() const;

  table::Ledger& ledger_;
  table::Store& store_;
  const Mounted mounted_;
  const PartitionRate rate_;

  mutable std::mutex mutex_;          // guards all below
  table::CommitWork commits_before_;  // the count was started anew
  std::uint64_t next_ = kFirst + 1;
  std::unordered_map<NodeId, Snapshot> snapshots_;
  std::deque<std::string> renames_;
};

}  // namespace prefixfs
