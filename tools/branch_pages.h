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
  std::string after;
  for (bool more = true; more;) {
    const Result<BranchPage> page = session.drive().branch(folder, after, 0);
    if (!page) throw Failure(session.text(folder.path), page.error());
    for (const BranchEntry& entry : page->entries) visit(entry);
    more = page->more;
    after = page->last;
  }
}

}  // namespace prefixfs
