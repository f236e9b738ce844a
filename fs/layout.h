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
};
struct BranchPage {
  std::vector<BranchEntry> entries;  // parents before children
  bool more = false;                 // continue after `last`
  std::string last;                  // the cursor
};

// A node goes from (from.parent, from.path) to a name in another folder, with all below it.
struct Move {
  NodeRef from;
  Node node;  // as it is to be stored
  NodeRef to_dir;
  std::string to_name;
  const Located* target = nullptr;  // what has that name now
  bool exchange = false;            // target takes the place of the node; else it is replaced
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
                        std::size_t limit) const = 0;
  // Whether nothing at all is stored below `dir`.
  virtual bool empty(table::Table& t, const NodeRef& dir) const = 0;
  // One page of at most `limit` nodes (0: what a page holds).  `after` is a cursor: "" starts.
  // Where the keys are the tree ("b/" starts with what lies below b, and everything below a folder
  // comes in one run), `ordered()` is true and a walk may be served from it.
  virtual BranchPage branch(table::Table& t, const NodeRef& dir, std::string_view after,
                            std::size_t limit) const = 0;
  virtual bool ordered() const = 0;

  virtual void add(table::Batch& b, const NodeRef& dir, std::string_view name,
                   const Node& node) const = 0;
  virtual void update(table::Batch& b, const NodeRef& ref, const NodeChange& change) const = 0;
  virtual void remove(table::Batch& b, const NodeRef& ref) const = 0;
  virtual void move(table::Batch& b, const Move& move) const = 0;
};

// nullptr: no layout of that name.  `drive` must be a valid name.
std::unique_ptr<Layout> make_layout(std::string_view layout, std::string_view drive);
std::unique_ptr<Layout> make_path_layout(std::string_view drive);

}  // namespace prefixfs
