// A drive of its own in a temporary file that nobody else sees and nothing has to remove.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tools/session.h"

namespace prefixfs {

// The drive "d" of the given layout, empty, in a file under TMPDIR (or /tmp) that has lost its name
// by the time it can be used: it goes with the process, however that ends.
// Throws Failure, TableError.
std::unique_ptr<DriveSession> make_scratch_drive(std::string_view layout);

}  // namespace prefixfs
