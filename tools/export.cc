#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tools/command.h"
#include "tools/host_files.h"
#include "tools/host_xattrs.h"
#include "tools/progress.h"
#include "tools/session.h"
#include "tools/tree_walk.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;
using table::kBlockBytes;

constexpr std::size_t kChunkBytes = 1024 * 1024;

struct Args {
  std::string location;
  std::string to;
  std::string drive = "home";
  bool force = false;
};

mode_t type_bits(Kind kind) {
  switch (kind) {
    case Kind::fifo:
      return S_IFIFO;
    case Kind::socket:
      return S_IFSOCK;
    case Kind::character:
      return S_IFCHR;
    case Kind::block:
      return S_IFBLK;
    default:
      return S_IFREG;
  }
}

// Files get exactly the mode they are made with.
class NoUmask {
 public:
  NoUmask() : before_(::umask(0)) {}
  NoUmask(const NoUmask&) = delete;
  NoUmask& operator=(const NoUmask&) = delete;
  ~NoUmask() { ::umask(before_); }

 private:
  const mode_t before_;
};

// Everything is made relative to the open folder it goes into and never through a symlink, so that
// nothing lands outside the destination, whoever changes it meanwhile.
class Export {
 public:
  Export(const Args& args, DriveSession& session, Io& io)
      : args_(args),
        session_(session),
        io_(io),
        progress_(io),
        root_(::geteuid() == 0),
        chunk_(kChunkBytes) {}

  ExitStatus run(Located top) {
    raise_open_files();
    struct stat status {};
    std::string name(top.ref.path.name());
    if (::stat(args_.to.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      base_ = args_.to;
    } else {
      base_ = folder_of(args_.to);
      name = own_name(args_.to);
      if (name.empty()) throw Failure(args_.to, std::errc::no_such_file_or_directory);
    }
    FileDescriptor folder(::open(base_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder) throw Failure(base_, why_text(errno));

    if (!top.node.is_folder()) {
      put(folder, name, top.ref, top.node, base_ + "/" + name, "");
    } else if (name.empty()) {
      export_folder(std::move(top), std::move(folder));  // the root gives its content
    } else if (FileDescriptor made = enter(folder, name, base_ + "/" + name)) {
      base_ += "/" + name;
      export_folder(std::move(top), std::move(made));
    }
    return status_;
  }

 private:
  // A file made here that has several names in the drive.
  struct Made {
    std::string inside;
    dev_t device = 0;
    ino_t inode = 0;
  };

  void fail(const std::string& what, std::string_view why) {
    progress_.wipe();
    complain(io_, what, why);
    status_ = ExitStatus::failed;
  }
  void fail_errno(const std::string& what) { fail(what, why_text(errno)); }

  void export_folder(Located top, FileDescriptor fd) {
    const std::size_t top_length = top.ref.path.with_slash().size();
    top_ = fd.get();
    std::vector<FileDescriptor> folders;  // by depth
    folders.push_back(std::move(fd));
    TreeWalk walk(session_.drive(), top.ref, {"", top.node});
    while (const auto step = walk.next()) {
      const std::string inside = step->depth == 0 ? "" : step->ref.path.text().substr(top_length);
      const std::string shown = base_ + (inside.empty() ? "" : "/" + inside);
      switch (step->what) {
        case TreeWalk::Step::What::failed:
          fail(session_.text(step->ref.path), why_text(step->error));
          break;
        case TreeWalk::Step::What::leave:
          // Last of all: what was made inside has moved the times, and the mode may lock us out.
          set_attributes(folders.back(), step->entry.node, shown);
          folders.pop_back();
          break;
        case TreeWalk::Step::What::enter:
          if (!step->entry.node.is_folder()) {
            put(folders.back(), step->entry.name, step->ref, step->entry.node, shown, inside);
          } else if (FileDescriptor made = enter(folders.back(), step->entry.name, shown)) {
            folders.push_back(std::move(made));
          } else {
            walk.skip();
          }
          break;
      }
    }
  }

  bool valid(const std::string& name, const std::string& shown) {
    if (check_name(name)) return true;
    fail(shown, "not a name that can be written");
    return false;
  }

  // An open folder of that name, made if there is none.
  FileDescriptor enter(const FileDescriptor& folder, const std::string& name,
                       const std::string& shown) {
    if (!valid(name, shown)) return {};
    if (::mkdirat(folder.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
      fail_errno(shown);
      return {};
    }
    FileDescriptor fd(
        ::openat(folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd && (errno == ENOTDIR || errno == ELOOP)) errno = EEXIST;
    if (!fd) {
      fail_errno(shown);
    } else {
      progress_.node();
    }
    return fd;
  }

  // Calls make() to make the file; with --force a file that is in the way goes first.
  template <class Make>
  int make_new(const FileDescriptor& folder, const std::string& name, Make make) {
    const int made = make();
    if (made >= 0 || errno != EEXIST || !args_.force) return made;
    if (::unlinkat(folder.get(), name.c_str(), 0) != 0) return -1;
    return make();
  }

  // `inside`: the path below the top.
  void put(const FileDescriptor& folder, const std::string& name, const NodeRef& ref,
           const Node& node, const std::string& shown, const std::string& inside) {
    if (!valid(name, shown)) return;
    if (node.links > 1 && top_ >= 0) {
      if (const auto first = linked_.find(node.id); first != linked_.end()) {
        return link(first->second, folder, name, shown);
      }
    }
    if (!(node.is_file() ? put_file(folder, name, ref, node, shown)
                         : put_other(folder, name, node, shown))) {
      return;
    }
    struct stat status {};
    if (node.links > 1 &&
        ::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      linked_[node.id] = {inside, status.st_dev, status.st_ino};
    }
  }

  // Another name for a file that was made under the path `first.inside`.
  void link(const Made& first, const FileDescriptor& folder, const std::string& name,
            const std::string& shown) {
    FileDescriptor above;
    std::string_view rest = first.inside;
    for (std::size_t slash; (slash = rest.find('/')) != rest.npos; rest.remove_prefix(slash + 1)) {
      above = FileDescriptor(::openat(above ? above.get() : top_,
                                      std::string(rest.substr(0, slash)).c_str(),
                                      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!above) return fail_errno(shown);
    }
    const int in = above ? above.get() : top_;
    const std::string source(rest);
    struct stat status {};
    if (::fstatat(in, source.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return fail_errno(shown);
    if (status.st_dev != first.device || status.st_ino != first.inode) {
      return fail(shown, "its other name " + first.inside + " was replaced meanwhile");
    }
    const int linked = make_new(
        folder, name, [&] { return ::linkat(in, source.c_str(), folder.get(), name.c_str(), 0); });
    if (linked != 0) return fail_errno(shown);
    progress_.node();
  }

  bool put_other(const FileDescriptor& folder, const std::string& name, const Node& node,
                 const std::string& shown) {
    const int made = make_new(folder, name, [&] {
      if (node.kind == Kind::symlink) {
        return ::symlinkat(node.target.c_str(), folder.get(), name.c_str());
      }
      return ::mknodat(folder.get(), name.c_str(), type_bits(node.kind) | mode_of(node), node.rdev);
    });
    if (made != 0) {
      fail_errno(shown);
      return false;
    }
    progress_.node();
    if (root_ &&
        ::fchownat(folder.get(), name.c_str(), uid(node), gid(node), AT_SYMLINK_NOFOLLOW) != 0) {
      fail_errno(shown);
      return true;
    }
    give_acls(path_in(folder.get(), name), node, shown);
    give_xattrs(path_in(folder.get(), name), node, shown);
    if (::utimensat(folder.get(), name.c_str(), host_times(node).times, AT_SYMLINK_NOFOLLOW) != 0) {
      fail_errno(shown);
    }
    return true;
  }

  // false: there is no file.
  bool put_file(const FileDescriptor& folder, const std::string& name, const NodeRef& ref,
                const Node& node, const std::string& shown) {
    const FileDescriptor fd(make_new(folder, name, [&] {
      return ::openat(folder.get(), name.c_str(),
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }));
    if (!fd) {
      fail_errno(shown);
      return false;
    }
    progress_.node();
    if (copy(fd, ref, node, shown)) set_attributes(fd, node, shown);
    return true;
  }

  bool copy(const FileDescriptor& fd, const NodeRef& ref, const Node& node,
            const std::string& shown) {
    std::uint64_t offset = 0;
    while (offset < node.size) {
      std::size_t amount = chunk_.size();
      if (node.holes > 0) {
        const auto block =
            session_.store().blocks().next_block(number(node.id), offset / kBlockBytes);
        if (!block || *block * kBlockBytes >= node.size) break;
        offset = std::max(offset, *block * kBlockBytes);
        amount = kBlockBytes;  // the next one may be a hole
      }
      const Result<std::size_t> got =
          session_.drive().read(ref, offset, std::span(chunk_).first(amount));
      if (!got) {
        fail(session_.text(ref.path), why_text(got.error()));
        return false;
      }
      if (*got == 0) break;
      if (!write_all(fd, offset, *got)) {
        fail_errno(shown);
        return false;
      }
      offset += *got;
      progress_.bytes(*got);
    }
    // A hole at the end.
    if (offset < node.size && ::ftruncate(fd.get(), static_cast<off_t>(node.size)) != 0) {
      fail_errno(shown);
      return false;
    }
    return true;
  }

  bool write_all(const FileDescriptor& fd, std::uint64_t offset, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t written =
          ::pwrite(fd.get(), chunk_.data() + done, size - done, static_cast<off_t>(offset + done));
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) done += static_cast<std::size_t>(written);
    }
    return true;
  }

  template <class File>
  void give_xattrs(const File& file, const Node& node, const std::string& shown) {
    const auto which = root_ ? XattrsCopied::all : XattrsCopied::user;
    if (auto given = write_host_xattrs(file, node.xattrs, which); !given) {
      fail(shown, "extended attributes: " + std::string(why_text(given.error())));
    }
  }

  template <class File>
  void give_acls(const File& file, const Node& node, const std::string& shown) {
    if (auto given = write_host_acls(file, node, session_.accounts()); !given) {
      fail(shown, "ACL: " + std::string(why_text(given.error())));
    }
  }

  // Owner first: changing it takes set-user-ID bits and capabilities away.
  void set_attributes(const FileDescriptor& fd, const Node& node, const std::string& shown) {
    const bool owned = !root_ || ::fchown(fd.get(), uid(node), gid(node)) == 0;
    give_xattrs(fd, node, shown);
    give_acls(fd, node, shown);
    const bool all = owned && ::fchmod(fd.get(), mode_of(node)) == 0 &&
                     ::futimens(fd.get(), host_times(node).times) == 0;
    if (!all) fail_errno(shown);
  }

  uid_t uid(const Node& node) { return session_.accounts().user_id(node.owner); }
  gid_t gid(const Node& node) { return session_.accounts().group_id(node.group); }

  // As cp does: without the right to keep the owner, nothing runs as somebody else.
  mode_t mode_of(const Node& node) {
    const bool ours = root_ || (uid(node) == ::geteuid() && gid(node) == ::getegid());
    return ours ? node.mode : node.mode & ~static_cast<mode_t>(S_ISUID | S_ISGID);
  }

  const Args& args_;
  DriveSession& session_;
  Io& io_;
  Progress progress_;
  const bool root_;
  // A device or fifo cannot be given its mode later without following a symlink in its place.
  const NoUmask no_umask_;
  std::vector<std::byte> chunk_;
  std::string base_;  // where the top lands, for messages
  int top_ = -1;      // the open folder that is the top, where it is one
  std::unordered_map<NodeId, Made> linked_;
  ExitStatus status_ = ExitStatus::ok;
};

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  return Export(args, session, io).run(session.locate(location.path));
}

}  // namespace

void add_export(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "export",
      .usage = "[--force] [--drive NAME] FILE:/PATH DST",
      .what = "Copy a file or a folder with all below it out of a drive",
      .more =
          "If DST is a folder, the node lands inside it under its own name (the root gives its\n"
          "content); if it does not exist, the node becomes it.  Folders are merged.  A file that\n"
          "is there already is kept and reported, unless --force replaces it.\n\n"
          "Kinds, modes, ACLs, times to the nanosecond, holes and the extended attributes user.*\n"
          "are kept; owners, trusted.* and security.* if you are root.\n"
          "Names of one file (hard links) stay that, as far as they lie below PATH.\n"
          "Nothing is written outside DST: no symlink below it is followed.",
      .example = "prefixfs export home.db:/photos /backup/photos",
  });
  command.positional(args->location, "FILE:/PATH");
  command.positional(args->to, "DST");
  command.option_drive(args->drive);
  command.flag("--force", args->force, "Replace files that are there already");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
