// Extended attributes.

#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fs/fuse_reply.h"

namespace prefixfs {
namespace {

// A caller with no room asks for the size.
void reply_bytes(fuse_req_t req, const std::string& bytes, std::size_t room) {
  if (room == 0) {
    fuse_reply_xattr(req, bytes.size());
  } else if (bytes.size() > room) {
    fuse_reply_err(req, ERANGE);
  } else {
    fuse_reply_buf(req, bytes.data(), bytes.size());
  }
}

// The kernel does not say whether the caller is in the file's group, which an access ACL depends
// on: its threads' groups are read from /proc.  None, where it is gone or of another namespace.
std::vector<std::uint32_t> groups_of_caller(fuse_req_t req) {
  std::vector<gid_t> groups(64);
  while (true) {
    const int count = fuse_req_getgroups(req, static_cast<int>(groups.size()), groups.data());
    const auto size = static_cast<std::size_t>(count < 0 ? 0 : count);
    const bool whole = size <= groups.size();
    groups.resize(size);
    if (whole) break;
  }
  groups.push_back(fuse_req_ctx(req)->gid);
  return groups;
}

SetBy set_by(fuse_req_t req, std::string_view name) {
  SetBy by{.uid = fuse_req_ctx(req)->uid};
  if (name == kAccessAclXattr && by.uid != 0) by.groups = groups_of_caller(req);
  return by;
}

}  // namespace

void op_getxattr(fuse_req_t req, fuse_ino_t ino, const char* name, size_t size) {
  answer(
      req, "getxattr", [&](Mount& m) { return m.getxattr(node_id(ino), name); },
      [&](fuse_req_t r, const std::string& value) { reply_bytes(r, value, size); });
}

void op_listxattr(fuse_req_t req, fuse_ino_t ino, size_t size) {
  const bool root = fuse_req_ctx(req)->uid == 0;
  answer(
      req, "listxattr", [&](Mount& m) { return m.listxattr(node_id(ino)); },
      [&](fuse_req_t r, const std::vector<std::string>& names) {
        std::string list;
        for (const std::string& name : names) {
          // The kernel refuses these to others, and leaves them in a listing.
          if (root || !name.starts_with("trusted.")) list.append(name).push_back('\0');
        }
        reply_bytes(r, list, size);
      });
}

void op_setxattr(fuse_req_t req, fuse_ino_t ino, const char* name, const char* value, size_t size,
                 int flags) {
  const XattrMode mode = (flags & XATTR_CREATE) != 0    ? XattrMode::create
                         : (flags & XATTR_REPLACE) != 0 ? XattrMode::replace
                                                        : XattrMode::set;
  answer(
      req, "setxattr",
      [&](Mount& m) {
        return m.setxattr(node_id(ino), name, {value, size}, mode, set_by(req, name));
      },
      reply_ok);
}

void op_removexattr(fuse_req_t req, fuse_ino_t ino, const char* name) {
  answer(
      req, "removexattr", [&](Mount& m) { return m.removexattr(node_id(ino), name); }, reply_ok);
}

}  // namespace prefixfs
