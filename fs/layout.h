// Layout decides which rows hold a node, and nothing else.
//
// Reads go to the table; writes are appended to a Batch that Drive applies in one place.  POSIX
// rules (ENOTEMPTY, EISDIR, times, permissions) belong to Drive: a rule found in a Layout would
// have to be found in each of them.  Stateless and immutable, so thread-safe.
//
// An item that cannot be a node is passed over by list() and branch() and is EIO for get().

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/node.h"
#include "fs/result.h"
#include "table/table.h"

namespace prefixfs {

struct Located {
  NodeRef ref;
  Node node;
};

// Children of one folder, in order of their keys.
struct ListPage {
  std::vector<Entry> entries;
  bool more = false;  // continue after `last`
  std::string last;   // name of the last child seen
  std::size_t hops = 0;
};

// Part of all that lies below a folder.  `below` is the path from that folder: "b/c.txt".
struct BranchEntry {
  std::string below;
  Node node;
  NodeId parent = kNoId;  // where the layout's keys need it
};
struct BranchPage {
  std::vector<BranchEntry> entries;  // parents before children
  bool more = false;
  std::string last;  // ordered layouts: the path below of the last key read
};

// Reads all that lies below a folder, page by page.  For one thread.
class BranchReader {
 public:
  BranchReader() = default;
  BranchReader(const BranchReader&) = delete;
  BranchReader& operator=(const BranchReader&) = delete;
  virtual ~BranchReader() = default;

  // At most `limit` nodes; 0: as many as a page of the table holds.  Nodes already returned may be
  // removed between two calls.
  virtual BranchPage next(table::Table& t, std::size_t limit = 0) = 0;
};

// A node goes from (from.parent, from.path) to a name in another folder, with all below it.
struct Move {
  NodeRef from;
  Node node;  // as it is to be stored
  NodeRef to_dir;
  std::string to_name;
  const Located* target = nullptr;  // what has that name now, as it is to be stored or links 0
  bool exchange = false;            // target takes the place of the node; else it is replaced
};

// Of the rows of a node that may have several names.
enum class Rows {
  all,
  name,        // that of the name alone: the node has others
  attributes,  // that of the attributes, where it is another: no name leads to them any more
};

enum class Detail {
  names,  // of a node what the row with its name holds, its id at the least
  nodes,
};

class Layout {
 public:
  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  virtual ~Layout() = default;

  virtual std::string_view name() const = 0;  // as mkfs takes it and the drive remembers it

  // ENOENT from any of these means the rows are not there.
  virtual Result<Node> get(table::Table& t, const NodeRef& ref) const = 0;
  virtual Result<Node> lookup(table::Table& t, const NodeRef& dir, std::string_view name) const = 0;
  virtual Result<Located> resolve(table::Table& t, const Path& path) const = 0;
  virtual ListPage list(table::Table& t, const NodeRef& dir, std::string_view after,
                        std::size_t limit, Detail detail = Detail::nodes) const = 0;
  // Whether nothing at all is stored below `dir`.
  virtual bool empty(table::Table& t, const NodeRef& dir) const = 0;
  // All below `dir`; in an ordered layout what comes after the key `after` below it.
  // REQUIRES: after is empty or ordered()
  virtual std::unique_ptr<BranchReader> branch(const NodeRef& dir,
                                               std::string_view after) const = 0;
  // Whether the keys are the tree: all below a folder "b" is one run of keys that begin with "b/",
  // and a walk may be served from it.
  virtual bool ordered() const = 0;
  // Whether the row of a node's only name holds its attributes.  With several names they are in a
  // row of their own (Node::shared); in other layouts they always are.
  virtual bool attributes_with_name() const = 0;

  // An empty name is the root, which is in no folder.  REQUIRES: rows is all or name
  virtual void add(table::Batch& b, const NodeRef& dir, std::string_view name, const Node& node,
                   Rows rows = Rows::all) const = 0;
  virtual void update(table::Batch& b, const NodeRef& ref, const NodeChange& change) const = 0;
  virtual void remove(table::Batch& b, const NodeRef& ref, Rows rows = Rows::all) const = 0;
  virtual void move(table::Batch& b, const Move& move) const = 0;
};

// The layouts there are, the default first.
inline constexpr std::string_view kLayoutNames[] = {"path", "node", "adjacency"};

// nullptr: no layout of that name.  REQUIRES: valid_drive_name(drive)
std::unique_ptr<Layout> make_layout(std::string_view layout, std::string_view drive);

std::unique_ptr<Layout> make_path_layout(std::string_view drive);
std::unique_ptr<Layout> make_node_layout(std::string_view drive);
std::unique_ptr<Layout> make_adjacency_layout(std::string_view drive);

}  // namespace prefixfs
