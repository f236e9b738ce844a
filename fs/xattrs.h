// Extended attributes as xattr(7) has them, spelt as the map `xattrs` of a node's item: the full
// name ("user.colour") with an S, or a B where the value is not plain UTF-8 text.
//
// Values of other types, which only other tools write, are shown by their text if they are numbers,
// and are otherwise kept without being shown.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/node.h"
#include "fs/result.h"

namespace prefixfs {

inline constexpr std::size_t kMaxXattrName = 255;          // bytes, as XATTR_NAME_MAX
inline constexpr std::size_t kMaxXattrValue = 64 * 1024;   // bytes, as XATTR_SIZE_MAX
inline constexpr std::size_t kMaxXattrNames = 64 * 1024;   // of one node, as XATTR_LIST_MAX
inline constexpr std::size_t kMaxXattrBytes = 256 * 1024;  // of one node: leaves its item room
inline constexpr std::string_view kCapabilityXattr = "security.capability";

enum class XattrMode { set, create, replace };

// EOPNOTSUPP: not in user., trusted. or security.; EINVAL: nothing after the dot, or not UTF-8;
// ERANGE: too long.
Result<void> check_xattr_name(std::string_view name);

std::optional<std::string> find_xattr(const table::Item& xattrs, std::string_view name);
std::vector<std::string> xattr_names(const table::Item& xattrs);

// EEXIST (create), ENODATA (replace), E2BIG: the value; ENOSPC: all values or names together.
// REQUIRES: check_xattr_name(name)
Result<void> set_xattr(table::Item& xattrs, std::string_view name, std::string_view value,
                       XattrMode mode);
Result<void> remove_xattr(table::Item& xattrs, std::string_view name);  // ENODATA

}  // namespace prefixfs
