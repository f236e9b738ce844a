// Extended attributes of Drive's nodes.

#include <utility>

#include "fs/drive.h"
#include "fs/node_item.h"
#include "fs/xattrs.h"
#include "table/metered_table.h"

namespace prefixfs {

using table::MeteredTable;
using table::Store;

Result<std::string> Drive::getxattr(const NodeRef& ref, std::string_view name) {
  if (auto ok = check_xattr_name(name); !ok) return ok.error();
  MeteredTable t(store_.table(), ledger_, "getxattr", [&] { return ref.path.text(); });
  const auto node = stored(t, ref);
  if (!node) return node.error();
  auto value = find_xattr(node->xattrs, name);
  if (!value) return std::errc(ENODATA);
  return *std::move(value);
}

Result<std::vector<std::string>> Drive::listxattr(const NodeRef& ref) {
  MeteredTable t(store_.table(), ledger_, "listxattr", [&] { return ref.path.text(); });
  const auto node = stored(t, ref);
  if (!node) return node.error();
  return xattr_names(node->xattrs);
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
  walk_.changed(ref.parent);
  return {};
}

Result<void> Drive::setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                             XattrMode mode, std::uint32_t /*uid*/) {
  if (auto ok = check_xattr_name(name); !ok) return ok;
  return change_xattrs("setxattr", ref,
                       [&](table::Item& xattrs) { return set_xattr(xattrs, name, value, mode); });
}

Result<void> Drive::removexattr(const NodeRef& ref, std::string_view name) {
  if (auto ok = check_xattr_name(name); !ok) return ok;
  return change_xattrs("removexattr", ref,
                       [&](table::Item& xattrs) { return remove_xattr(xattrs, name); });
}

}  // namespace prefixfs
