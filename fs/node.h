// Node is one file, folder, symlink, ... of a drive; NodeRef is where to find it.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/acl.h"
#include "fs/path.h"
#include "table/value.h"

namespace prefixfs {

// The inode number.  Never reused, so it stands for one node for ever.  0: not yet given.
enum class NodeId : std::uint64_t {};
inline constexpr NodeId kNoId{0};
inline constexpr NodeId kRootId{1};

constexpr std::uint64_t number(NodeId id) { return static_cast<std::uint64_t>(id); }

enum class Kind : std::uint8_t { file, folder, symlink, fifo, socket, character, block };

struct Time {
  std::int64_t sec = 0;
  std::int32_t nsec = 0;  // 0 .. 999,999,999, also before 1970
  auto operator<=>(const Time&) const = default;
};
using Clock = std::function<Time()>;
Time system_time();

struct Node {
  NodeId id = kNoId;
  Kind kind = Kind::file;
  std::uint64_t size = 0;   // bytes; symlinks: of the target
  std::uint64_t holes = 0;  // blocks of 64 KiB within size that have no row
  std::string owner = "root";
  std::string group = "root";
  std::uint32_t mode = 0;  // permission bits, 07777
  Time mtime, ctime, atime, btime;
  std::string target;         // symlinks
  std::uint64_t rdev = 0;     // devices
  std::uint32_t links = 1;    // names; 0: it has lost the last
  bool shared = false;        // names lead to a row with the attributes (fs/node_rows.h)
  std::uint64_t folders = 0;  // child folders of a folder
  table::Item xattrs;
  Acls acls;
  table::Item extra;  // attributes this program does not know; kept as they are

  bool is_folder() const { return kind == Kind::folder; }
  bool is_file() const { return kind == Kind::file; }
};

// Names a node both ways, so that no layout has to translate: each reads the half it is keyed on.
struct NodeRef {
  NodeId id = kNoId;
  NodeId parent = kNoId;
  Path path{};
  bool shared = false;  // it has or had several names: the attributes are to be found by the id
};
inline NodeRef root_ref() { return {kRootId, kRootId, Path()}; }
// REQUIRES: check_name(name)
inline NodeRef child_ref(const NodeRef& dir, std::string_view name, const Node& node) {
  return {node.id, dir.id, dir.path.child(name), node.shared || node.links > 1};
}

struct Entry {
  std::string name;
  Node node;
};

// Attributes to write over those stored, leaving the others alone.
struct NodeChange {
  std::vector<std::pair<std::string, table::Value>> set;
  std::vector<std::pair<std::string, table::Number>> add;
  std::vector<std::string> remove;
  // Refused (WriteStatus::condition_failed) where another node's row is there; kNoId: not asked.
  NodeId only_of = kNoId;
};

}  // namespace prefixfs
