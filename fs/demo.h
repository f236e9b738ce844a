// The demo table (MODEL.md): a drive that shows what key order means, and feature flags.

#pragma once

#include <string>
#include <string_view>

#include "fs/result.h"
#include "table/store.h"

namespace prefixfs {

inline constexpr std::string_view kDemoDrive = "home";

// Makes the drive "home" and the flags of dev, staging and prod, all or nothing.  The same on every
// run, times and owners included.  EEXIST: there is such a drive, nothing was touched; EINVAL: no
// such layout.  `file` is the store's.
Result<void> make_demo(table::Store& store, const std::string& file, const std::string& layout);

}  // namespace prefixfs
