// Extended attributes of the host's files, for import and export.

#pragma once

#include <string>

#include "fs/result.h"
#include "fs/xattrs.h"
#include "table/file_descriptor.h"

namespace prefixfs {

// Which of them are copied: all that a drive keeps, or those that need no privileges.
enum class XattrsCopied { all, user };

// A path of the file `name` in an open folder, which is followed by nobody.
std::string path_in(int folder, const std::string& name);

// Those of the file itself, also if it is a symlink; none where the file system has none.
Result<table::Item> read_host_xattrs(const std::string& path, XattrsCopied which);

// Of the file itself, which may have others besides.
Result<void> write_host_xattrs(const std::string& path, const table::Item& xattrs,
                               XattrsCopied which);
Result<void> write_host_xattrs(const table::FileDescriptor& file, const table::Item& xattrs,
                               XattrsCopied which);

}  // namespace prefixfs
