// The operations on ranges of a file's bytes.

#include <fcntl.h>
#include <linux/falloc.h>

#include <optional>

#include "fs/fuse_reply.h"
#include "fs/fuse_seek.h"

namespace prefixfs {
namespace {

std::optional<Allocate> allocate_of(int mode) {
  switch (mode) {
    case 0:
      return Allocate::extend;
    case FALLOC_FL_KEEP_SIZE:
      return Allocate::keep_size;
    case FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE:
      return Allocate::punch;
    case FALLOC_FL_ZERO_RANGE:
      return Allocate::zero;
    case FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE:
      return Allocate::zero_keep_size;
    default:
      return std::nullopt;
  }
}

WriteBy by_caller(fuse_req_t req) {
  const std::uint32_t uid = fuse_req_ctx(req)->uid;
  return {.uid = uid, .drop_set_id = uid != 0};
}

}  // namespace

void op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t offset, off_t length,
                  fuse_file_info*) {
  answer(
      req, "allocate",
      [&](Mount& m) -> Result<Written> {
        const auto how = allocate_of(mode);
        if (!how) return std::errc::operation_not_supported;
        return m.allocate(node_id(ino), *how, static_cast<std::uint64_t>(offset),
                          static_cast<std::uint64_t>(length), by_caller(req));
      },
      [ino](fuse_req_t r, const Written& written) {
        tell_of_mode(r, ino, written);
        reply_ok(r);
      });
}

void op_lseek(fuse_req_t req, fuse_ino_t ino, off_t off, int whence, fuse_file_info*) {
  const FuseContext& context = context_of(req);
  if (context.cache.writeback && context.seeks != nullptr) {
    context.seeks->add(req, ino, off, whence);
  } else {
    answer_seek(req, ino, off, whence);
  }
}

void op_copy_file_range(fuse_req_t req, fuse_ino_t from, off_t offset, fuse_file_info*,
                        fuse_ino_t to, off_t to_offset, fuse_file_info*, size_t length, int) {
  answer(
      req, "copy",
      [&](Mount& m) {
        return m.copy(node_id(from), static_cast<std::uint64_t>(offset), node_id(to),
                      static_cast<std::uint64_t>(to_offset), length, by_caller(req));
      },
      [to](fuse_req_t r, const Written& written) {
        tell_of_mode(r, to, written);
        fuse_reply_write(r, written.bytes);
      });
}

}  // namespace prefixfs
