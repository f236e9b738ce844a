#include "fs/xattrs.h"

#include <algorithm>

namespace prefixfs {
namespace {

using table::Binary;
using table::Item;
using table::Value;

constexpr std::errc kNoData{ENODATA};

// NUL is text to UTF-8 and to nobody who looks at it.
Value spelt(std::string_view value) {
  const bool text = table::is_utf8(value) && value.find('\0') == value.npos;
  return text ? Value(value) : Value(Binary{std::string(value)});
}

std::optional<std::string> bytes_of(const Value& value) {
  if (const std::string* s = value.if_string()) return *s;
  if (const Binary* b = value.if_binary()) return b->bytes;
  if (const table::Number* n = value.if_number()) return n->text();
  return std::nullopt;
}

}  // namespace

Result<void> check_xattr_name(std::string_view name) {
  for (const std::string_view space : {"user.", "trusted.", "security."}) {
    if (!name.starts_with(space)) continue;
    if (name.size() > kMaxXattrName) return std::errc::result_out_of_range;
    if (name.size() == space.size() || !table::is_utf8(name)) return std::errc::invalid_argument;
    return {};
  }
  return std::errc::operation_not_supported;
}

std::optional<std::string> find_xattr(const Item& xattrs, std::string_view name) {
  const Value* value = xattrs.find(name);
  return value ? bytes_of(*value) : std::nullopt;
}

std::vector<std::string> xattr_names(const Item& xattrs) {
  std::vector<std::string> names;
  for (const auto& [name, value] : xattrs.entries()) {
    if (bytes_of(value) && check_xattr_name(name)) names.push_back(name);
  }
  return names;
}

Result<void> set_xattr(Item& xattrs, std::string_view name, std::string_view value,
                       XattrMode mode) {
  if (value.size() > kMaxXattrValue) return std::errc::argument_list_too_long;
  const bool there = find_xattr(xattrs, name).has_value();
  if (there && mode == XattrMode::create) return std::errc::file_exists;
  if (!there && mode == XattrMode::replace) return kNoData;
  std::size_t names = name.size() + 1;
  std::size_t bytes = name.size() + value.size();
  for (const auto& [other, other_value] : xattrs.entries()) {
    if (other == name) continue;
    names += other.size() + 1;
    bytes += other.size() + table::billed_bytes(other_value);
  }
  if (names > kMaxXattrNames || bytes > kMaxXattrBytes) return std::errc::no_space_on_device;
  xattrs.set(name, spelt(value));
  return {};
}

Result<void> remove_xattr(Item& xattrs, std::string_view name) {
  if (!find_xattr(xattrs, name)) return kNoData;
  xattrs.erase(name);
  return {};
}

}  // namespace prefixfs
