// What libfuse 3.14 cannot ask the kernel for, asked for in its reply to INIT on the way out.
//
// FUSE_HANDLE_KILLPRIV_V2: the kernel asks for `security.capability` once per inode and not before
// each write.  In return set-user-ID and set-group-ID bits are ours to clear: op_write and
// op_setattr see to it.

#pragma once

struct fuse_session;

namespace prefixfs {

// Where neither this kernel nor its headers know it, everything is as libfuse has it.  false: out
// of memory.  REQUIRES: the session is mounted, its userdata a FuseContext*, and nothing is served
// yet
bool complete_init_reply(fuse_session* session);

}  // namespace prefixfs
