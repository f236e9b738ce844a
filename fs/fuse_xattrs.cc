// Extended attributes.

#include <sys/xattr.h>
#include <unistd.h>

#include <string>
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
  const std::uint32_t uid = fuse_req_ctx(req)->uid;
  answer(
      req, "setxattr",
      [&](Mount& m) {
        return m.setxattr(node_id(ino), name, {value, size}, mode, uid);
      },
      reply_ok);
}

void op_removexattr(fuse_req_t req, fuse_ino_t ino, const char* name) {
  answer(
      req, "removexattr", [&](Mount& m) { return m.removexattr(node_id(ino), name); }, reply_ok);
}

}  // namespace prefixfs
