// Reads a whole branch page by page: everything below a folder in one Query where keys are paths.

#pragma once

#include <string>

#include "fs/drive.h"
#include "tools/failure.h"
#include "tools/session.h"

namespace prefixfs {

// Calls visit(const BranchEntry&) for each node below `folder`, parents first.  Throws Failure.
template <class Visit>
void for_each_below(DriveSession& session, const NodeRef& folder, Visit visit) {
  const auto branch = session.drive().branch(folder);
  for (bool more = true; more;) {
    const BranchPage page = session.drive().next_page(*branch);
    for (const BranchEntry& entry : page.entries) visit(entry);
    more = page.more;
  }
}

}  // namespace prefixfs
