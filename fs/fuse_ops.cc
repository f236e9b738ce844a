#include "fs/fuse_ops.h"

#include <sys/statvfs.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "fs/fuse_reply.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1U << 0)
#define RENAME_EXCHANGE (1U << 1)
#endif

namespace prefixfs {
namespace {

constexpr unsigned kRequestBytes = 1024 * 1024;  // the largest libfuse can take
constexpr unsigned kBackground = 64;             // read-ahead and write-back requests at a time

void ask_for(fuse_conn_info* conn, unsigned capability, bool wanted) {
  if (wanted) {
    conn->want |= conn->capable & capability;
  } else {
    conn->want &= ~capability;
  }
}

void op_init(void* userdata, fuse_conn_info* conn) {
  FuseContext& context = *static_cast<FuseContext*>(userdata);
  const KernelCache& cache = context.cache;
  const bool keeps = cache.entry_seconds > 0;
  context.kernel_opens_folders = keeps && (conn->capable & FUSE_CAP_NO_OPENDIR_SUPPORT) != 0;
  conn->max_write = kRequestBytes;
  conn->max_readahead = kRequestBytes;
  conn->max_background = kBackground;
  conn->time_gran = 1;
  ask_for(conn, FUSE_CAP_WRITEBACK_CACHE, cache.writeback);
  ask_for(conn, FUSE_CAP_CACHE_SYMLINKS, keeps);
  // The kernel's pages go when we say so; where it asks us about everything anyway, let it compare
  // times and sizes by itself.
  ask_for(conn, FUSE_CAP_EXPLICIT_INVAL_DATA, keeps);
  ask_for(conn, FUSE_CAP_AUTO_INVAL_DATA, !keeps && !cache.writeback);
  // The attributes are at hand, so every listing brings them.
  ask_for(conn, FUSE_CAP_READDIRPLUS, true);
  ask_for(conn, FUSE_CAP_READDIRPLUS_AUTO, false);
  ask_for(conn, FUSE_CAP_PARALLEL_DIROPS, true);
  ask_for(conn, FUSE_CAP_ASYNC_DIO, true);
  // Without OPEN there is nothing that could truncate along with it: a SETATTR has to come.
  ask_for(conn, FUSE_CAP_ATOMIC_O_TRUNC, false);
  ask_for(conn, FUSE_CAP_EXPORT_SUPPORT, false);
  // The kernel checks ACLs; what a new node gets of them, and else of its mode, is ours.
  const bool acls = context.mount.keeps_acls();
  ask_for(conn, FUSE_CAP_POSIX_ACL, acls);
  ask_for(conn, FUSE_CAP_DONT_MASK, acls);
}

void op_lookup(fuse_req_t req, fuse_ino_t parent, const char* name) {
  FuseContext& context = context_of(req);
  const std::uint64_t seen = context.foreign_changes;
  const auto keep = [&context, seen] {
    return context.foreign_changes == seen ? Keep::yes : Keep::no;
  };
  struct Found {
    std::optional<Stat> stat;
    bool remembered = false;  // of an absent name: it can be taken back
  };
  answer(
      req, "lookup",
      [&](Mount& m) -> Result<Found> {
        auto stat = m.lookup(node_id(parent), name);
        if (stat) return Found{*stat};
        if (stat.error() != std::errc::no_such_file_or_directory) return stat.error();
        if (context.cache.negative_seconds <= 0) return Found{};
        // In this order: whoever invalidates either finds the name or has been seen to come.
        return Found{std::nullopt, context.absent.add(node_id(parent), name)};
      },
      [&](fuse_req_t r, const Found& found) {
        if (found.stat) {
          reply_entry(r, *found.stat, keep());
        } else {
          reply_absent(r, found.remembered ? keep() : Keep::no);
        }
      });
}

void forget(FuseContext& context, fuse_ino_t ino, std::uint64_t lookups) {
  const NodeId id = node_id(ino);
  guarded("forget", [&] {
    context.mount.forget(id, lookups);
    if (context.absent.any_below(id) && !context.mount.inodes().holds(id)) {
      context.absent.forget(id);
    }
  });
}

void op_forget(fuse_req_t req, fuse_ino_t ino, std::uint64_t lookups) {
  forget(context_of(req), ino, lookups);
  fuse_reply_none(req);
}

void op_forget_multi(fuse_req_t req, size_t count, fuse_forget_data* forgets) {
  for (const fuse_forget_data& each : std::span(forgets, count)) {
    forget(context_of(req), each.ino, each.nlookup);
  }
  fuse_reply_none(req);
}

void op_getattr(fuse_req_t req, fuse_ino_t ino, fuse_file_info*) {
  answer(
      req, "getattr", [&](Mount& m) { return m.getattr(node_id(ino)); }, reply_attr);
}

void op_setattr(fuse_req_t req, fuse_ino_t ino, struct stat* attr, int to_set, fuse_file_info*) {
  answer(
      req, "setattr",
      [&](Mount& m) {
        AttrChange change = change_of(*attr, to_set, context_of(req).clock);
        change.drop_set_id = change.size && fuse_req_ctx(req)->uid != 0;
        return m.setattr(node_id(ino), change);
      },
      reply_attr);
}

void op_readlink(fuse_req_t req, fuse_ino_t ino) {
  answer(
      req, "readlink", [&](Mount& m) { return m.readlink(node_id(ino)); },
      [](fuse_req_t r, const std::string& target) { fuse_reply_readlink(r, target.c_str()); });
}

void create(fuse_req_t req, const char* operation, fuse_ino_t parent, const char* name,
            NewNode what) {
  what.uid = fuse_req_ctx(req)->uid;
  what.gid = fuse_req_ctx(req)->gid;
  what.umask = fuse_req_ctx(req)->umask;
  answer(
      req, operation, [&](Mount& m) { return m.create(node_id(parent), name, what); },
      [](fuse_req_t r, const Stat& stat) { reply_entry(r, stat, Keep::yes); });
}

void op_mknod(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, dev_t rdev) {
  create(req, "mknod", parent, name, {.kind = kind_of(mode), .mode = mode & 07777, .rdev = rdev});
}

void op_mkdir(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode) {
  create(req, "mkdir", parent, name, {.kind = Kind::folder, .mode = mode & 07777});
}

void op_symlink(fuse_req_t req, const char* target, fuse_ino_t parent, const char* name) {
  create(req, "symlink", parent, name, {.kind = Kind::symlink, .mode = 0777, .target = target});
}

void op_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t new_parent, const char* new_name) {
  answer(
      req, "link", [&](Mount& m) { return m.link(node_id(ino), node_id(new_parent), new_name); },
      [](fuse_req_t r, const Stat& stat) { reply_entry(r, stat, Keep::yes); });
}

void op_unlink(fuse_req_t req, fuse_ino_t parent, const char* name) {
  answer(
      req, "unlink", [&](Mount& m) { return m.unlink(node_id(parent), name); }, reply_ok);
}

void op_rmdir(fuse_req_t req, fuse_ino_t parent, const char* name) {
  answer(
      req, "rmdir", [&](Mount& m) { return m.rmdir(node_id(parent), name); }, reply_ok);
}

void op_rename(fuse_req_t req, fuse_ino_t parent, const char* name, fuse_ino_t new_parent,
               const char* new_name, unsigned flags) {
  answer(
      req, "rename",
      [&](Mount& m) -> Result<void> {
        RenameMode mode = RenameMode::replace;
        if (flags == RENAME_NOREPLACE) {
          mode = RenameMode::no_replace;
        } else if (flags == RENAME_EXCHANGE) {
          mode = RenameMode::exchange;
        } else if (flags != 0) {
          return std::errc::invalid_argument;
        }
        return m.rename(node_id(parent), name, node_id(new_parent), new_name, mode);
      },
      reply_ok);
}

// Answered ENOSYS once where it does not matter who has a file open: the kernel then opens files by
// itself and sends neither OPEN nor RELEASE.
void op_open(fuse_req_t req, fuse_ino_t ino, fuse_file_info* fi) {
  Mount& mount = context_of(req).mount;
  if (!mount.counts_opens()) {
    fuse_reply_err(req, ENOSYS);
    return;
  }
  mount.opened(node_id(ino));
  if (fuse_reply_open(req, fi) == -ENOENT) mount.closed(node_id(ino));
}

void op_release(fuse_req_t req, fuse_ino_t ino, fuse_file_info*) {
  guarded("release", [&] { context_of(req).mount.closed(node_id(ino)); });
  fuse_reply_err(req, 0);
}

void op_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, fuse_file_info*) {
  std::unique_ptr<std::byte[]> bytes;
  answer(
      req, "read",
      [&](Mount& m) {
        bytes = std::make_unique_for_overwrite<std::byte[]>(size);
        return m.read(node_id(ino), static_cast<std::uint64_t>(off), {bytes.get(), size});
      },
      [&](fuse_req_t r, std::size_t got) {
        fuse_reply_buf(r, reinterpret_cast<const char*>(bytes.get()), got);
      });
}

void op_write(fuse_req_t req, fuse_ino_t ino, const char* bytes, size_t size, off_t off,
              fuse_file_info* fi) {
  // What comes from the write-back cache has its times in a setattr of its own, and is of files
  // without set-ID bits.
  const bool cached = fi->writepage != 0;
  const std::uint32_t uid = fuse_req_ctx(req)->uid;
  const WriteBy by{.uid = uid, .keep_times = cached, .drop_set_id = !cached && uid != 0};
  answer(
      req, "write",
      [&](Mount& m) {
        return m.write(node_id(ino), static_cast<std::uint64_t>(off),
                       std::as_bytes(std::span(bytes, size)), by);
      },
      [&](fuse_req_t r, const Written& written) {
        tell_of_mode(r, ino, written);
        fuse_reply_write(r, written.bytes);
      });
}

// Answered ENOSYS once where nothing waits for it: the kernel then writes its pages back and asks
// no more.
void op_flush(fuse_req_t req, fuse_ino_t ino, fuse_file_info*) {
  if (!context_of(req).mount.counts_opens()) {
    fuse_reply_err(req, ENOSYS);
    return;
  }
  answer(
      req, "flush", [&](Mount& m) { return m.flush(node_id(ino), fuse_req_ctx(req)->uid); },
      reply_ok);
}

void sync(fuse_req_t req, const char* operation, fuse_ino_t ino) {
  answer(
      req, operation,
      [&](Mount& m) -> Result<void> {
        if (m.counts_opens()) {
          if (auto ok = m.flush(node_id(ino), fuse_req_ctx(req)->uid); !ok) return ok;
        }
        m.sync();
        return {};
      },
      reply_ok);
}

void op_fsync(fuse_req_t req, fuse_ino_t ino, int, fuse_file_info*) { sync(req, "fsync", ino); }

void op_fsyncdir(fuse_req_t req, fuse_ino_t ino, int, fuse_file_info*) {
  sync(req, "fsyncdir", ino);
}

void op_statfs(fuse_req_t req, fuse_ino_t) {
  answer(
      req, "statfs", [](Mount& m) { return m.statfs(); },
      [](fuse_req_t r, const Space& space) {
        struct statvfs out {};  // files 0: there is no limit to their number
        out.f_bsize = out.f_frsize = space.block_bytes;
        out.f_blocks = space.blocks;
        out.f_bfree = space.free;
        out.f_bavail = space.available;
        out.f_namemax = kMaxNameBytes;
        fuse_reply_statfs(r, &out);
      });
}

void op_ioctl(fuse_req_t req, fuse_ino_t ino, unsigned command, void*, fuse_file_info*, unsigned,
              const void*, size_t, size_t room) {
  answer(
      req, "ioctl",
      [&](Mount& m) -> Result<std::uint64_t> {
        if (command != static_cast<unsigned>(kCountCalls) || room < sizeof(std::uint64_t)) {
          return std::errc::inappropriate_io_control_operation;
        }
        return m.count_calls(node_id(ino));
      },
      [](fuse_req_t r, std::uint64_t calls) { fuse_reply_ioctl(r, 0, &calls, sizeof calls); });
}

}  // namespace

const fuse_lowlevel_ops& fuse_ops() {
  static const fuse_lowlevel_ops ops = [] {
    fuse_lowlevel_ops o{};
    o.init = op_init;
    o.lookup = op_lookup;
    o.forget = op_forget;
    o.forget_multi = op_forget_multi;
    o.getattr = op_getattr;
    o.setattr = op_setattr;
    o.readlink = op_readlink;
    o.mknod = op_mknod;
    o.mkdir = op_mkdir;
    o.symlink = op_symlink;
    o.link = op_link;
    o.unlink = op_unlink;
    o.rmdir = op_rmdir;
    o.rename = op_rename;
    o.open = op_open;
    o.release = op_release;
    o.read = op_read;
    o.write = op_write;
    o.flush = op_flush;
    o.fsync = op_fsync;
    o.fsyncdir = op_fsyncdir;
    o.opendir = op_opendir;
    o.readdir = op_readdir;
    o.readdirplus = op_readdirplus;
    o.fallocate = op_fallocate;
    o.lseek = op_lseek;
    o.copy_file_range = op_copy_file_range;
    o.statfs = op_statfs;
    o.ioctl = op_ioctl;
    o.getxattr = op_getxattr;
    o.listxattr = op_listxattr;
    o.setxattr = op_setxattr;
    o.removexattr = op_removexattr;
    return o;
  }();
  return ops;
}

}  // namespace prefixfs
