// Copying files of the host into a drive.

#pragma once

#include <string>

#include "fs/path.h"
#include "tools/failure.h"
#include "tools/io.h"
#include "tools/session.h"

namespace prefixfs {

struct ImportOptions {
  std::string source;  // on the host
  bool force = false;  // files that are there already make way
};

// What `prefixfs import` does: `to` becomes the source or, where it is a folder, receives it.  What
// cannot be copied is complained of, and the status says so; ends in sync().  Throws Failure where
// `to` can be neither.
ExitStatus import_tree(const ImportOptions& options, DriveSession& session, Io& io, const Path& to);

}  // namespace prefixfs
