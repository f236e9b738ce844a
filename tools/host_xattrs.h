// Extended attributes of the host's files, ACLs among them, for import and export.

#pragma once

#include <string>

#include "fs/acl.h"
#include "fs/node.h"
#include "fs/result.h"
#include "fs/xattrs.h"
#include "table/file_descriptor.h"

namespace prefixfs {

// Which of them are copied: all that a drive keeps, or those that need no privileges.
enum class XattrsCopied { all, user };

// A path of the file `name` in an open folder, which is followed by nobody.
std::string path_in(int folder, const std::string& name);

struct HostXattrs {
  table::Item plain;  // those of them that are copied
  // Values of the attributes that ACLs are to the kernel; empty: none.
  std::string access_acl, default_acl;
};

// Those of the file itself, also if it is a symlink; none where the file system has none.
Result<HostXattrs> read_host_xattrs(const std::string& path, XattrsCopied which);
// Errors of acl_from_xattr().
Result<Acls> acls_of(const HostXattrs& xattrs, Accounts& accounts);

// Of the file itself, which may have others besides.
Result<void> write_host_xattrs(const std::string& path, const table::Item& xattrs,
                               XattrsCopied which);
Result<void> write_host_xattrs(const table::FileDescriptor& file, const table::Item& xattrs,
                               XattrsCopied which);

// The node's ACLs and no others: what the file inherited goes.  A file's and a folder's mode
// is to be set after that.
Result<void> write_host_acls(const std::string& path, const Node& node, Accounts& accounts);
Result<void> write_host_acls(const table::FileDescriptor& file, const Node& node,
                             Accounts& accounts);

}  // namespace prefixfs
