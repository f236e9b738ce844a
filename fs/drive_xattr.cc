// Extended attributes of Drive's nodes, ACLs among them.

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "fs/drive.h"
#include "fs/node_item.h"
#include "fs/xattrs.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::MeteredTable;
using table::Store;

namespace {

constexpr std::errc kNoData{ENODATA};

}  // namespace

Result<std::string> Drive::getxattr(const NodeRef& ref, std::string_view name) {
  const bool acl = is_acl_xattr(name);
  if (auto ok = check_xattr_name(name); !acl && !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "getxattr", [&] { return ref.path.text(); });
  const auto node = stored(t, ref);
  if (!node) return node.error();
  if (acl) {
    const bool access = name == kAccessAclXattr;
    const Acl& kept = access ? node->acls.access : node->acls.default_acl;
    if (kept.empty()) return kNoData;
    return acl_to_xattr(access ? whole_acl(node->mode, kept) : kept, accounts_);
  }
  auto value = find_xattr(node->xattrs, name);
  if (!value) return kNoData;
  return *std::move(value);
}

Result<std::vector<std::string>> Drive::listxattr(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "listxattr", [&] { return ref.path.text(); });
  const auto node = stored(t, ref);
  if (!node) return node.error();
  std::vector<std::string> names = xattr_names(node->xattrs);
  if (!node->acls.access.empty()) names.emplace_back(kAccessAclXattr);
  if (!node->acls.default_acl.empty()) names.emplace_back(kDefaultAclXattr);
  return names;
}

template <class Change>
Result<void> Drive::change_xattrs(const char* operation, const NodeRef& ref, Change change) {
  MeteredTable t(store_.table(), ledger_, operation, [&] { return ref.path.text(); });
  Store::Step step(store_);
  auto node = stored(t, ref);
  if (!node) return node.error();
  if (auto ok = change(node->xattrs); !ok) return ok;
  node->ctime = clock_();
  NodeChange write{.set = {{"ctime", encode_time(node->ctime)}}};
  if (node->xattrs.empty()) {
    write.remove.emplace_back("xattrs");
  } else {
    write.set.emplace_back("xattrs", node->xattrs);
  }
  if (auto ok = save(t, ref, *node, write); !ok) return ok;
  step.done();
  changed(ref, *node);
  return {};
}

// An empty value removes it.
Result<void> Drive::set_acl(const char* operation, const NodeRef& ref, std::string_view name,
                            std::string_view value, const SetBy& by) {
  MeteredTable t(store_.table(), ledger_, operation, [&] { return ref.path.text(); });
  Store::Step step(store_);
  auto node = stored(t, ref);
  if (!node) return node.error();
  if (node->kind == Kind::symlink) return std::errc::operation_not_supported;
  const bool access = name == kAccessAclXattr;
  Acl& kept = access ? node->acls.access : node->acls.default_acl;
  auto acl = acl_from_xattr(value, accounts_, kept);
  if (!acl) return acl.error();
  if (!access && !node->is_folder() && !acl->empty()) return std::errc::permission_denied;

  const bool was_there = !kept.empty();
  const std::uint32_t mode_before = node->mode;
  if (access && !acl->empty()) {
    kept = split_acl(*std::move(acl), node->mode);
    // Who may not give the group's privileges to a program takes them away.
    const std::uint32_t group = accounts_.group_id(node->group);
    const bool member = by.uid == 0 || std::ranges::find(by.groups, group) != by.groups.end();
    if (!member) node->mode &= ~static_cast<std::uint32_t>(S_ISGID);
  } else {
    kept = *std::move(acl);
  }
  if (!was_there && kept.empty() && node->mode == mode_before) return {};

  node->ctime = clock_();
  NodeChange write{.set = {{"ctime", encode_time(node->ctime)}}};
  if (node->mode != mode_before) {
    write.set.emplace_back("mode", static_cast<std::uint64_t>(node->mode));
  }
  const char* const attribute = access ? "acl" : "defaultAcl";
  if (!kept.empty()) {
    write.set.emplace_back(attribute, encode_acl(kept));
  } else if (was_there) {
    write.remove.emplace_back(attribute);
  }
  if (auto ok = save(t, ref, *node, write); !ok) return ok;
  step.done();
  changed(ref, *node);
  return {};
}

Result<void> Drive::setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                             XattrMode mode, const SetBy& by) {
  if (is_acl_xattr(name)) return set_acl("setxattr", ref, name, value, by);
  if (auto ok = check_xattr_name(name); !ok) return ok;
  return change_xattrs("setxattr", ref,
                       [&](table::Item& xattrs) { return set_xattr(xattrs, name, value, mode); });
}

Result<void> Drive::removexattr(const NodeRef& ref, std::string_view name) {
  if (is_acl_xattr(name)) return set_acl("removexattr", ref, name, "", {});
  if (auto ok = check_xattr_name(name); !ok) return ok;
  return change_xattrs("removexattr", ref,
                       [&](table::Item& xattrs) { return remove_xattr(xattrs, name); });
}

}  // namespace prefixfs
