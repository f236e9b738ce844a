// Between Mount's values and libfuse's.  answer() is the only place where a failure of the store
// becomes an errno, and the only catch around a FUSE operation.

#pragma once

#include <cerrno>
#include <optional>
#include <type_traits>
#include <utility>

#include "fs/fuse_api.h"
#include "fs/fuse_ops.h"
#include "fs/mount.h"
#include "fs/result.h"

namespace prefixfs {

inline FuseContext& context_of(fuse_req_t req) {
  return *static_cast<FuseContext*>(fuse_req_userdata(req));
}
inline NodeId node_id(fuse_ino_t ino) { return NodeId{ino}; }

struct stat stat_of(const Stat& from);
Kind kind_of(mode_t mode);
AttrChange change_of(const struct stat& attr, int to_set, const Clock& clock);

// The errno for the exception being handled, told to the log where it is no caller's doing.
// REQUIRES: called in a catch block
int errno_of_exception(const char* operation) noexcept;

// Runs `body`; returns 0, or the errno for what it threw.
template <class Body>
int guarded(const char* operation, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return 0;
  } catch (...) {
    return errno_of_exception(operation);
  }
}

// Calls `call(mount)` for a Result and answers `req` once: with its error, or through
// `reply(req, value)`, or through `reply(req)` where there is no value.
template <class Call, class Reply>
void answer(fuse_req_t req, const char* operation, Call&& call, Reply&& reply) noexcept {
  using Answer = std::invoke_result_t<Call, Mount&>;
  std::optional<Answer> result;
  int error = guarded(operation, [&] { result.emplace(call(context_of(req).mount)); });
  if (error == 0 && !*result) error = static_cast<int>(result->error());
  if (error != 0) {
    fuse_reply_err(req, error);
  } else if constexpr (std::is_same_v<Answer, Result<void>>) {
    reply(req);
  } else {
    reply(req, **result);
  }
}

void reply_ok(fuse_req_t req);
// Of a mode that changes with a write the kernel hears nothing otherwise.  No page is given up with
// it, so nothing is waited for.
void tell_of_mode(fuse_req_t req, fuse_ino_t ino, const Written& written);
void reply_attr(fuse_req_t req, const Stat& stat);

// An entry as the kernel takes it.  `keep`: it may trust the name and the attributes for as long
// as the mount's options say.
enum class Keep { yes, no };
fuse_entry_param entry_of(const FuseContext& context, const Stat& stat, Keep keep);
// The lookup that Mount counted is taken back if the kernel does not get the reply.
void reply_entry(fuse_req_t req, const Stat& stat, Keep keep);
void reply_absent(fuse_req_t req, Keep keep);
void take_back(FuseContext& context, NodeId id) noexcept;

// The operations on folders and on extended attributes, in their own files.
void op_opendir(fuse_req_t req, fuse_ino_t ino, fuse_file_info* fi);
void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, fuse_file_info* fi);
void op_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, fuse_file_info* fi);
void op_getxattr(fuse_req_t req, fuse_ino_t ino, const char* name, size_t size);
void op_listxattr(fuse_req_t req, fuse_ino_t ino, size_t size);
void op_setxattr(fuse_req_t req, fuse_ino_t ino, const char* name, const char* value, size_t size,
                 int flags);
void op_removexattr(fuse_req_t req, fuse_ino_t ino, const char* name);

// Those on ranges of a file's bytes, too.
void op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t offset, off_t length,
                  fuse_file_info* fi);
void op_lseek(fuse_req_t req, fuse_ino_t ino, off_t off, int whence, fuse_file_info* fi);
void op_copy_file_range(fuse_req_t req, fuse_ino_t from, off_t offset, fuse_file_info*,
                        fuse_ino_t to, off_t to_offset, fuse_file_info*, size_t length, int flags);

}  // namespace prefixfs
