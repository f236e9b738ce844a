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

Result<table::Item> read_host_xattrs(const std::string& path, XattrsCopied which) {
  table::Item xattrs;
  const auto names =
      whole([&](char* bytes, std::size_t room) { return ::llistxattr(path.c_str(), bytes, room); });
  if (!names && names.error() == std::errc::operation_not_supported) return xattrs;
  if (!names) return names.error();
  for (std::string_view rest = *names; !rest.empty();) {
    const std::string name(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(name.size() + 1);
    if (!is_copied(name, which)) continue;
    const auto value = whole([&](char* bytes, std::size_t room) {
      return ::lgetxattr(path.c_str(), name.c_str(), bytes, room);
    });
    if (!value && value.error() == std::errc(ENODATA)) continue;  // gone meanwhile
    if (!value) return value.error();
    if (auto ok = set_xattr(xattrs, name, *value, XattrMode::set); !ok) return ok.error();
  }
  return xattrs;
}

Result<void> write_host_xattrs(const std::string& path, const table::Item& xattrs,
                               XattrsCopied which) {
  return for_each_copied(xattrs, which, [&](const std::string& name, const std::string& value) {
    return ::lsetxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0);
  });
}

Result<void> write_host_xattrs(const table::FileDescriptor& file, const table::Item& xattrs,
                               XattrsCopied which) {
  return for_each_copied(xattrs, which, [&](const std::string& name, const std::string& value) {
    return ::fsetxattr(file.get(), name.c_str(), value.data(), value.size(), 0);
  });
}

}  // namespace prefixfs
