#include "fs/fuse_init_reply.h"

#include <linux/fuse.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fs/fuse_api.h"
#include "fs/fuse_ops.h"

namespace prefixfs {
namespace {

#ifdef FUSE_HANDLE_KILLPRIV_V2
constexpr std::uint32_t kWanted = FUSE_HANDLE_KILLPRIV_V2;
#else
constexpr std::uint32_t kWanted = 0;
#endif

// INIT is the first request, and nothing else is under way until it is answered.
ssize_t read_request(int fd, void* buffer, size_t size, void* userdata) {
  const ssize_t got = ::read(fd, buffer, size);
  FuseContext& context = *static_cast<FuseContext*>(userdata);
  if (context.init != FuseContext::Init::awaited) return got;
  fuse_in_header header{};
  fuse_init_in init{};
  if (got < static_cast<ssize_t>(sizeof header + offsetof(fuse_init_in, flags) + sizeof init.flags))
    return got;
  std::memcpy(&header, buffer, sizeof header);
  if (header.opcode != FUSE_INIT) return got;
  std::memcpy(&init.flags,
              static_cast<char*>(buffer) + sizeof header + offsetof(fuse_init_in, flags),
              sizeof init.flags);
  context.init_flags = init.flags & kWanted;
  context.init = FuseContext::Init::read;
  return got;
}

ssize_t write_reply(int fd, iovec* parts, int count, void* userdata) {
  FuseContext& context = *static_cast<FuseContext*>(userdata);
  if (context.init == FuseContext::Init::read) {
    // A reply without these is one that asks the kernel to come again with an older version.
    constexpr std::size_t kFlags = offsetof(fuse_init_out, flags);
    if (count == 2 && parts[1].iov_len >= kFlags + sizeof context.init_flags) {
      char* const at = static_cast<char*>(parts[1].iov_base) + kFlags;
      std::uint32_t flags = 0;
      std::memcpy(&flags, at, sizeof flags);
      flags |= context.init_flags;
      std::memcpy(at, &flags, sizeof flags);
      context.init = FuseContext::Init::answered;
    } else {
      context.init = FuseContext::Init::awaited;
    }
  }
  return ::writev(fd, parts, count);
}

}  // namespace

bool complete_init_reply(fuse_session* session) {
  fuse_custom_io io{};
  io.read = read_request;
  io.writev = write_reply;
  return fuse_session_custom_io(session, &io, fuse_session_fd(session)) == 0;
}

}  // namespace prefixfs
