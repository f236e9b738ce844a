#include "tools/prefix_trap.h"

#include "fs/keys.h"
#include "tools/figures.h"

namespace prefixfs {
namespace {

// Named one by one; the rest is counted.
constexpr std::size_t kNamed = 3;

std::uint64_t items_with(table::Table& table, const std::string& pk, const std::string& prefix) {
  return table.count({.pk = pk, .prefix = prefix}).items;
}

}  // namespace

std::optional<std::string> prefix_trap(table::Table& table, const std::string& pk,
                                       std::string_view prefix) {
  const std::string root = std::string(kPathPrefix) + "/";
  if (!pk.starts_with(kDrivePrefix) || !prefix.starts_with(root) || prefix.ends_with('/')) {
    return std::nullopt;
  }
  const std::string exact(prefix);
  const std::uint64_t own =
      items_with(table, pk, exact + "/") + (table.get({pk, exact}).item ? 1 : 0);
  if (own == 0) return std::nullopt;
  std::uint64_t others = items_with(table, pk, exact) - own;
  if (others == 0) return std::nullopt;

  const std::string folder(prefix.substr(0, prefix.rfind('/') + 1));
  const std::string begins(prefix.substr(folder.size()));
  // Names that begin like ours follow ours, and the first that does not ends them.
  const table::ListResult siblings =
      table.list({.pk = pk, .prefix = folder, .after = begins, .limit = kNamed});
  std::string text;
  for (const table::Row& row : siblings.rows) {
    if (!row.key.sk.starts_with(prefix)) break;
    const std::uint64_t below = items_with(table, pk, row.key.sk + "/");
    if (!text.empty()) text += ", ";
    text += row.key.sk.substr(kPathPrefix.size());
    if (below > 0) text += " and " + counted(below, "item") + " below it";
    others -= 1 + below;
  }
  if (others > 0) text += (text.empty() ? "" : ", and ") + counted(others, "more item");
  return "also returns " + text + ": end the prefix in /";
}

}  // namespace prefixfs
