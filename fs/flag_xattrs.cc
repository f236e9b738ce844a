// The type of a flag and who changed it last, as the extended attributes of its file.

#include "fs/flag_tree.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::MeteredTable;

namespace {

constexpr std::string_view kType = "user.type";
constexpr std::string_view kUpdatedBy = "user.updatedBy";
constexpr std::errc kNoData{ENODATA};

}  // namespace

Result<std::string> FlagTree::getxattr(const NodeRef& ref, std::string_view name) {
  if (auto ok = check_xattr_name(name); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "getxattr", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  const auto at = flag_name(ref);
  if (!at || detached_.contains(ref.id)) return kNoData;  // a folder has none
  const auto flag = stored(t, *at);
  if (!flag) return std::errc::no_such_file_or_directory;
  if (name == kType) return flag->type;
  if (name == kUpdatedBy && !flag->updated_by.empty()) return flag->updated_by;
  return kNoData;
}

Result<std::vector<std::string>> FlagTree::listxattr(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "listxattr", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  const auto at = flag_name(ref);
  if (!at || detached_.contains(ref.id)) return names;
  const auto flag = stored(t, *at);
  if (!flag) return std::errc::no_such_file_or_directory;
  names.emplace_back(kType);
  if (!flag->updated_by.empty()) names.emplace_back(kUpdatedBy);
  return names;
}

Result<void> FlagTree::setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                                XattrMode mode, const SetBy& by) {
  if (auto ok = check_xattr_name(name); !ok) return ok;
  if (name != kType) return std::errc::operation_not_permitted;
  MeteredTable t(store_.table(), ledger_, "setxattr", [&] { return ref.path.text(); });
  const std::lock_guard lock(mutex_);
  const auto at = flag_name(ref);
  if (!at || detached_.contains(ref.id)) return std::errc::operation_not_permitted;
  auto flag = stored(t, *at);
  if (!flag) return std::errc::no_such_file_or_directory;
  if (mode == XattrMode::create) return std::errc::file_exists;
  if (!is_flag_type(value) || flag_problem(value, flag->value)) return std::errc::invalid_argument;
  flag->type = value;
  flag->updated_by = accounts_.user_name(by.uid);
  if (auto ok = apply(t, {put_of(at->first, at->second, *flag)}); !ok) return ok;
  look_for_changes();
  remember(*at, *flag);
  return {};
}

Result<void> FlagTree::removexattr(const NodeRef& ref, std::string_view name) {
  const auto there = getxattr(ref, name);
  if (!there) return there.error();
  return std::errc::operation_not_permitted;  // a flag has a type
}

}  // namespace prefixfs
