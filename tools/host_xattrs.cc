#include "tools/host_xattrs.h"

#include <fcntl.h>
#include <sys/xattr.h>

#include <cerrno>
#include <string_view>

namespace prefixfs {
namespace {

bool is_copied(std::string_view name, XattrsCopied which) {
  return check_xattr_name(name) && (which == XattrsCopied::all || name.starts_with("user."));
}

// Calls get(bytes, size), which fails with ERANGE while there is too little room.
template <class Get>
Result<std::string> whole(Get get) {
  for (std::size_t room = 1024;; room *= 4) {
    std::string bytes(room, '\0');
    const ssize_t size = get(bytes.data(), bytes.size());
    if (size < 0 && errno == ERANGE && room <= 2 * kMaxXattrValue) continue;
    if (size < 0) return std::errc(errno);
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
  }
}

// A file as the calls on extended attributes take it, by path or open.
struct ByPath {
  const std::string& path;
  bool has(const std::string& name) const {
    return ::lgetxattr(path.c_str(), name.c_str(), nullptr, 0) >= 0;
  }
  int set(const std::string& name, const std::string& value) const {
    return ::lsetxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0);
  }
  int remove(const std::string& name) const { return ::lremovexattr(path.c_str(), name.c_str()); }
};
struct ByDescriptor {
  const table::FileDescriptor& file;
  bool has(const std::string& name) const {
    return ::fgetxattr(file.get(), name.c_str(), nullptr, 0) >= 0;
  }
  int set(const std::string& name, const std::string& value) const {
    return ::fsetxattr(file.get(), name.c_str(), value.data(), value.size(), 0);
  }
  int remove(const std::string& name) const { return ::fremovexattr(file.get(), name.c_str()); }
};

template <class File>
Result<void> write_acls(const File& file, const Node& node, Accounts& accounts) {
  const auto outcome = [](int done) { return done == 0 ? Result<void>() : std::errc(errno); };
  const std::string access(kAccessAclXattr), default_acl(kDefaultAclXattr);
  if (node.kind == Kind::symlink) return {};
  // What is no more than a mode takes an inherited ACL away.  It is also the one way to give fifos
  // and devices their mode without following a symlink in their place.
  const bool plain = node.acls.access.empty();
  if (!plain || (!node.is_file() && !node.is_folder()) || file.has(access)) {
    const Acl whole = whole_acl(node.mode, node.acls.access);
    const auto set = outcome(file.set(access, acl_to_xattr(whole, accounts)));
    if (!set && !(plain && set.error() == std::errc::operation_not_supported)) return set;
  }
  if (!node.acls.default_acl.empty()) {
    return outcome(file.set(default_acl, acl_to_xattr(node.acls.default_acl, accounts)));
  }
  return node.is_folder() && file.has(default_acl) ? outcome(file.remove(default_acl))
                                                   : Result<void>();
}

template <class Set>
Result<void> for_each_copied(const table::Item& xattrs, XattrsCopied which, Set set) {
  for (const std::string& name : xattr_names(xattrs)) {
    if (is_copied(name, which) && set(name, *find_xattr(xattrs, name)) != 0) {
      return std::errc(errno);
    }
  }
  return {};
}

}  // namespace

std::string path_in(int folder, const std::string& name) {
  if (folder == AT_FDCWD) return name;
  return "/proc/self/fd/" + std::to_string(folder) + "/" + name;
}

Result<HostXattrs> read_host_xattrs(const std::string& path, XattrsCopied which) {
  HostXattrs xattrs;
  const auto names =
      whole([&](char* bytes, std::size_t room) { return ::llistxattr(path.c_str(), bytes, room); });
  if (!names && names.error() == std::errc::operation_not_supported) return xattrs;
  if (!names) return names.error();
  for (std::string_view rest = *names; !rest.empty();) {
    const std::string name(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(name.size() + 1);
    if (!is_copied(name, which) && !is_acl_xattr(name)) continue;
    const auto value = whole([&](char* bytes, std::size_t room) {
      return ::lgetxattr(path.c_str(), name.c_str(), bytes, room);
    });
    if (!value && value.error() == std::errc(ENODATA)) continue;  // gone meanwhile
    if (!value) return value.error();
    if (name == kAccessAclXattr) {
      xattrs.access_acl = *value;
    } else if (name == kDefaultAclXattr) {
      xattrs.default_acl = *value;
    } else if (auto ok = set_xattr(xattrs.plain, name, *value, XattrMode::set); !ok) {
      return ok.error();
    }
  }
  return xattrs;
}

Result<Acls> acls_of(const HostXattrs& xattrs, Accounts& accounts) {
  auto access = acl_from_xattr(xattrs.access_acl, accounts);
  if (!access) return access.error();
  auto default_acl = acl_from_xattr(xattrs.default_acl, accounts);
  if (!default_acl) return default_acl.error();
  Acls acls{.default_acl = *std::move(default_acl)};
  std::uint32_t mode = 0;  // the host's mode says the same
  if (!access->empty()) acls.access = split_acl(*std::move(access), mode);
  return acls;
}

Result<void> write_host_xattrs(const std::string& path, const table::Item& xattrs,
                               XattrsCopied which) {
  return for_each_copied(xattrs, which, [&](const std::string& name, const std::string& value) {
    return ByPath{path}.set(name, value);
  });
}

Result<void> write_host_xattrs(const table::FileDescriptor& file, const table::Item& xattrs,
                               XattrsCopied which) {
  return for_each_copied(xattrs, which, [&](const std::string& name, const std::string& value) {
    return ByDescriptor{file}.set(name, value);
  });
}

Result<void> write_host_acls(const std::string& path, const Node& node, Accounts& accounts) {
  return write_acls(ByPath{path}, node, accounts);
}

Result<void> write_host_acls(const table::FileDescriptor& file, const Node& node,
                             Accounts& accounts) {
  return write_acls(ByDescriptor{file}, node, accounts);
}

}  // namespace prefixfs
