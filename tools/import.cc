#include "tools/import.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "tools/command.h"
#include "tools/figures.h"
#include "tools/host_files.h"
#include "tools/host_xattrs.h"
#include "tools/progress.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;

constexpr std::size_t kChunkBytes = 1024 * 1024;
// A mount of the same file waits for us at most so long.
constexpr std::chrono::milliseconds kCommitEvery{1000};

struct Args {
  ImportOptions what;
  std::string location;
  std::string drive = "home";
};

// A file of the host: an open folder, the name in it, and the path for messages.
struct HostName {
  int folder;
  std::string name;
  std::string path;
};

class Import {
 public:
  Import(const ImportOptions& options, DriveSession& session, Io& io)
      : options_(options),
        session_(session),
        drive_(session.drive()),
        io_(io),
        progress_(io),
        root_(::geteuid() == 0),
        chunk_(kChunkBytes) {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      struct stat status {};
      if (::stat((session.file() + suffix).c_str(), &status) == 0) {
        table_files_.emplace(status.st_dev, status.st_ino);
      }
    }
  }

  ExitStatus run(const Path& to) {
    raise_open_files();
    const HostName source{AT_FDCWD, options_.source, options_.source};
    const std::string name = own_name(options_.source);
    Result<Located> there = drive_.resolve(to);
    if (there && there->node.is_folder()) {
      if (name.empty()) {
        merge_into(source, *std::move(there));  // what has no name of its own gives its content
      } else {
        put(source, there->ref, name);
      }
    } else {
      const Located folder = session_.locate(to.parent());
      put(source, folder.ref, std::string(to.name()));
    }
    while (!folders_.empty()) step();
    progress_.wipe();
    session_.store().sync();
    return status_;
  }

 private:
  struct Folder {
    FileDescriptor fd;
    std::string path;  // on the host
    struct stat status;
    NodeRef ref;
    std::vector<std::string> names;
    std::size_t next = 0;
    bool made = false;  // by us: its mode and owner are right
  };

  void fail(const std::string& what, std::string_view why) {
    progress_.wipe();
    complain(io_, what, why);
    status_ = ExitStatus::failed;
  }
  void fail(const std::string& what, std::errc why) { fail(what, why_text(why)); }
  void fail_errno(const std::string& what) { fail(what, why_text(errno)); }

  // The next name of the innermost folder, or the end of that folder.
  void step() {
    Folder& folder = folders_.back();
    if (folder.next < folder.names.size()) {
      const std::string name = std::move(folder.names[folder.next++]);
      const std::string slash = folder.path.ends_with('/') ? "" : "/";
      put({folder.fd.get(), name, folder.path + slash + name}, folder.ref, name);
      return;
    }
    // Last of all: each child that was made has moved the times.
    set_attributes(folder.path, folder.ref, folder.status, !folder.made);
    folders_.pop_back();
  }

  void commit_if_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - committed_ < kCommitEvery) return;
    session_.store().commit();
    committed_ = std::chrono::steady_clock::now();
  }

  void put(const HostName& source, const NodeRef& dir, const std::string& name) {
    commit_if_due();
    struct stat status {};
    if (::fstatat(source.folder, source.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return fail_errno(source.path);
    }
    // Not even opened: closing it would drop SQLite's locks on it.
    if (table_files_.contains({status.st_dev, status.st_ino})) {
      progress_.wipe();
      complain(io_, source.path, "left out, it is the table itself");
      return;
    }
    const auto first = linked_.find({status.st_dev, status.st_ino});
    if (first != linked_.end() && link(first->second, dir, name)) return;
    const auto kind = kind_of_mode(status.st_mode);
    if (!kind) return fail(source.path, "neither a file nor any other known kind");
    NewNode what{.kind = *kind,
                 .mode = mode_of(status),
                 .uid = root_ ? status.st_uid : ::geteuid(),
                 .gid = root_ ? status.st_gid : ::getegid(),
                 .rdev = *kind == Kind::character || *kind == Kind::block ? status.st_rdev : 0};
    if (*kind == Kind::symlink) {
      Result<std::string> target = read_link(source.folder, source.name);
      if (!target) return fail(source.path, target.error());
      what.target = *std::move(target);
    }
    if (auto xattrs = read_host_xattrs(path_in(source.folder, source.name), copied())) {
      what.xattrs = std::move(xattrs->plain);
      what.acls = acls_given(source, *xattrs);
    } else {
      fail(source.path, "extended attributes: " + std::string(why_text(xattrs.error())));
    }
    if (*kind == Kind::folder) return put_folder(source, dir, name, what, status);
    FileDescriptor content;
    if (*kind == Kind::file) {
      content = open_file(source, status);
      if (!content) return;
    }
    const Result<Node> made = create(dir, name, what);
    if (!made) return fail(session_.text(dir.path.child(name)), made.error());
    progress_.node();
    const NodeRef ref = child_ref(dir, name, *made);
    if (status.st_nlink > 1) linked_.emplace(FileId{status.st_dev, status.st_ino}, ref);
    std::uint64_t size = 0;
    if (content && !copy(content, source, ref, status, size)) return;
    set_attributes(source.path, ref, status, !as_asked(*made, what), size);
  }

  Acls acls_given(const HostName& source, const HostXattrs& xattrs) {
    auto acls = acls_of(xattrs, session_.accounts());
    if (acls) return *std::move(acls);
    fail(source.path, "ACL: " + std::string(why_text(acls.error())));
    return {};
  }

  // Another name for what was imported under one.  false: it takes no more.
  bool link(NodeRef& node, const NodeRef& dir, const std::string& name) {
    const Result<Node> linked =
        in_place_of(dir, name, [&] { return drive_.link(node, dir, name); });
    if (linked) {
      node.shared = true;
      progress_.node();
    } else if (linked.error() == std::errc::too_many_links) {
      return false;
    } else {
      fail(session_.text(dir.path.child(name)), linked.error());
    }
    return true;
  }

  XattrsCopied copied() const { return root_ ? XattrsCopied::all : XattrsCopied::user; }

  // As cp does: without the right to keep the owner, nothing runs as somebody else.
  std::uint32_t mode_of(const struct stat& status) const {
    const std::uint32_t mode = status.st_mode & 07777;
    const bool ours = root_ || (status.st_uid == ::geteuid() && status.st_gid == ::getegid());
    return ours ? mode : mode & ~static_cast<std::uint32_t>(S_ISUID | S_ISGID);
  }

  FileDescriptor open_file(const HostName& source, const struct stat& seen) {
    // Not blocking, should a fifo have taken the place of the file.
    FileDescriptor fd(::openat(source.folder, source.name.c_str(),
                               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) {
      fail_errno(source.path);
      return {};
    }
    if (status.st_ino != seen.st_ino || status.st_dev != seen.st_dev) {
      fail(source.path, "replaced while it was read");
      return {};
    }
    return fd;
  }

  // false: what was made follows the set-group-ID bit of its folder, and not the source.
  bool as_asked(const Node& made, const NewNode& what) {
    return made.mode == what.mode && made.group == session_.accounts().group_name(what.gid);
  }

  Result<Node> create(const NodeRef& dir, const std::string& name, const NewNode& what) {
    return in_place_of(dir, name, [&] { return drive_.create(dir, name, what); });
  }

  // With --force a file makes way for what is not a folder.
  template <class Make>
  Result<Node> in_place_of(const NodeRef& dir, const std::string& name, Make make) {
    Result<Node> made = make();
    if (made || made.error() != std::errc::file_exists || !options_.force) return made;
    const Result<Removed> removed = drive_.unlink(dir, name, nobody_holds);
    if (!removed) return removed.error();
    return make();
  }

  void put_folder(const HostName& source, const NodeRef& dir, const std::string& name,
                  const NewNode& what, const struct stat& status) {
    Result<Node> node = drive_.create(dir, name, what);
    const bool made = static_cast<bool>(node);
    if (!made && node.error() == std::errc::file_exists) {
      node = drive_.lookup(dir, name);
      if (node && !node->is_folder()) node = std::errc::file_exists;
    }
    if (!node) return fail(session_.text(dir.path.child(name)), node.error());
    progress_.node();
    if (!made) give(child_ref(dir, name, *node), *node, what.xattrs, *what.acls);
    enter(source, child_ref(dir, name, *node), status, made && as_asked(*node, what));
  }

  // To a folder that was there already.
  void give(const NodeRef& ref, const Node& node, const table::Item& xattrs, const Acls& acls) {
    const auto set = [&](std::string_view name, const std::string& value) {
      const auto done = drive_.setxattr(ref, name, value);
      if (!done) fail(session_.text(ref.path), done.error());
    };
    for (const std::string& name : xattr_names(xattrs)) set(name, *find_xattr(xattrs, name));
    if (acls.access != node.acls.access) {
      const bool none = acls.access.empty();
      set(kAccessAclXattr,
          none ? "" : acl_to_xattr(whole_acl(node.mode, acls.access), session_.accounts()));
    }
    if (acls.default_acl != node.acls.default_acl) {
      const bool none = acls.default_acl.empty();
      set(kDefaultAclXattr, none ? "" : acl_to_xattr(acls.default_acl, session_.accounts()));
    }
  }

  void merge_into(const HostName& source, Located folder) {
    struct stat status {};
    if (::fstatat(source.folder, source.name.c_str(), &status, 0) != 0) {
      return fail_errno(source.path);
    }
    const auto xattrs = read_host_xattrs(path_in(source.folder, source.name + "/."), copied());
    if (!xattrs) return fail(source.path, xattrs.error());
    give(folder.ref, folder.node, xattrs->plain, acls_given(source, *xattrs));
    enter(source, std::move(folder.ref), status, false);
  }

  void enter(const HostName& source, NodeRef ref, const struct stat& status, bool made) {
    FileDescriptor fd(::openat(source.folder, source.name.c_str(),
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) return fail_errno(source.path);
    Result<std::vector<std::string>> names = names_in(fd);
    if (!names) return fail(source.path, names.error());
    folders_.push_back(
        {std::move(fd), source.path, status, std::move(ref), *std::move(names), 0, made});
  }

  bool copy(const FileDescriptor& fd, const HostName& source, const NodeRef& ref,
            const struct stat& status, std::uint64_t& size) {
    const bool sparse = static_cast<std::uint64_t>(status.st_blocks) * 512 <
                        static_cast<std::uint64_t>(status.st_size);
    off_t offset = 0;
    while (true) {
      if (sparse) {
        const off_t data = ::lseek(fd.get(), offset, SEEK_DATA);
        if (data < 0 && errno == ENXIO) break;  // a hole up to the end
        if (data >= 0) offset = data;
      }
      const ssize_t got = ::pread(fd.get(), chunk_.data(), chunk_of(fd, offset, sparse), offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        fail_errno(source.path);
        return false;
      }
      if (got == 0) break;
      const auto bytes = static_cast<std::size_t>(got);
      const Result<Written> written =
          drive_.write(ref, static_cast<std::uint64_t>(offset), std::span(chunk_).first(bytes),
                       {.keep_times = true});
      if (!written) {
        fail(session_.text(ref.path), written.error());
        return false;
      }
      offset += got;
      progress_.bytes(bytes);
      commit_if_due();
    }
    if (sparse) offset = std::max(offset, ::lseek(fd.get(), 0, SEEK_END));
    size = static_cast<std::uint64_t>(offset);
    return true;
  }

  // How much to read at once: no further than the next hole.
  std::size_t chunk_of(const FileDescriptor& fd, off_t offset, bool sparse) const {
    if (!sparse) return chunk_.size();
    const off_t hole = ::lseek(fd.get(), offset, SEEK_HOLE);
    if (hole <= offset) return chunk_.size();
    return std::min(chunk_.size(), static_cast<std::size_t>(hole - offset));
  }

  void set_attributes(const std::string& what, const NodeRef& ref, const struct stat& status,
                      bool owner_too, std::optional<std::uint64_t> size = std::nullopt) {
    const auto time = [](const timespec& spec) {
      return Time{spec.tv_sec, static_cast<std::int32_t>(spec.tv_nsec)};
    };
    AttrChange change{.atime = time(status.st_atim), .mtime = time(status.st_mtim)};
    if (S_ISREG(status.st_mode)) change.size = size;
    if (owner_too) {
      change.mode = mode_of(status);
      if (root_) change.uid = status.st_uid;
      if (root_) change.gid = status.st_gid;
    }
    const Result<Node> changed = drive_.setattr(ref, change);
    if (!changed) fail(what, changed.error());
  }

  const ImportOptions& options_;
  DriveSession& session_;
  Drive& drive_;
  Io& io_;
  Progress progress_;
  const bool root_;
  std::vector<std::byte> chunk_;
  std::vector<Folder> folders_;  // those we are in, outermost first
  using FileId = std::pair<dev_t, ino_t>;
  std::set<FileId> table_files_;
  std::map<FileId, NodeRef> linked_;  // files with several names, by the first one's node
  std::chrono::steady_clock::time_point committed_ = std::chrono::steady_clock::now();
  ExitStatus status_ = ExitStatus::ok;
};

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::write);
  return import_tree(args.what, session, io, location.path);
}

}  // namespace

ExitStatus import_tree(const ImportOptions& options, DriveSession& session, Io& io,
                       const Path& to) {
  return Import(options, session, io).run(to);
}

void add_import(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "import",
      .usage = "[--force] [--drive NAME] SRC FILE:/PATH",
      .what = "Copy a file or a folder with all below it into a drive",
      .more =
          "If FILE:/PATH is a folder, SRC lands inside it under its own name (\".\" gives its\n"
          "content); if it does not exist, SRC becomes it.  Folders are merged.  A file that is\n"
          "there already is kept and reported, unless --force replaces it.\n\n"
          "Kinds, modes, ACLs, times to the nanosecond, holes and the extended attributes user.*\n"
          "are kept; owners, trusted.* and security.* if you are root.\n"
          "Symlinks stay symlinks, SRC itself too but for a trailing slash.  Names of one file\n"
          "(hard links) that lie below SRC are names of one node.",
      .example = "prefixfs import ~/photos home.db:/photos",
  });
  command.positional(args->what.source, "SRC");
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.flag("--force", args->what.force, "Replace files that are there already");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
