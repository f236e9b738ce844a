// FolderBranch reads all below a folder where each folder is a partition of its own: one folder
// after the other, each with a Query, the names of a folder before what lies in them.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "fs/layout.h"

namespace prefixfs {

class FolderBranch final : public BranchReader {
 public:
  // `list` returns children of a folder, as Layout::list does.
  using List = std::function<ListPage(table::Table&, const NodeRef& dir, std::string_view after,
                                      std::size_t limit)>;
  FolderBranch(const NodeRef& top, List list);

  BranchPage next(table::Table& t, std::size_t limit) override;

 private:
  struct Folder {
    NodeRef ref;
    std::string below;  // path from the top, with a '/' at its end; "" for the top
  };
  const List list_;
  std::vector<Folder> pending_;  // the next one last
  std::string after_;            // where in it to go on
  // A folder met twice is not a tree's: damaged items must not lead round in circles.
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace prefixfs
