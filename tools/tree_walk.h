// TreeWalk visits all that lies below a folder, depth first, the children of each folder in the
// order of their names' bytes.
//
// Key order alone is not that: "a!" sorts between "a" and "a/x".  Holds one page of entries per
// level and no recursion, so depth costs no stack.  For one thread.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fs/drive.h"

namespace prefixfs {

class TreeWalk {
 public:
  struct Step {
    enum class What {
      enter,   // a node; the children of a folder follow, unless skip() is called
      leave,   // a folder whose children are all behind us
      failed,  // the folder cannot be listed; its leave follows
    } what;
    std::size_t depth;  // a child of the top is 1, the top itself 0
    NodeRef ref;
    Entry entry;           // enter: as found; leave, failed: as it was entered
    bool last = false;     // enter: of its folder
    std::errc error = {};  // failed
  };

  // `top` is a folder; it is not entered itself, but left at the end.
  TreeWalk(Drive& drive, NodeRef top, Entry entry);

  // nullopt: that was all.
  std::optional<Step> next();
  // Passes over the children of the folder just entered.  Its leave is passed over too.
  void skip();

 private:
  struct Folder {
    NodeRef ref;
    Entry entry;
    ListPage page{};
    std::size_t next = 0;  // index into page.entries
    bool started = false;
    std::optional<std::errc> error{};  // not yet told
  };

  void refill(Folder& folder);

  Drive& drive_;
  std::vector<Folder> folders_;
};

}  // namespace prefixfs
