#include "tools/node_line.h"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "fs/mount.h"
#include "tools/figures.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

// The size, or the device's numbers as ls shows them in its place.
std::string size_column(const Stat& stat) {
  if (stat.kind != Kind::character && stat.kind != Kind::block) return std::to_string(stat.size);
  return fmt::format("{}, {}", gnu_dev_major(stat.rdev), gnu_dev_minor(stat.rdev));
}

std::string padding(std::size_t width, std::string_view text) {
  const std::size_t columns = columns_of(text);
  return std::string(columns < width ? width - columns : 0, ' ');
}

}  // namespace

std::string name_and_target(const Io& io, std::string_view name, const Node& node) {
  std::string text = shown_name(io, name);
  if (node.kind == Kind::symlink) text += " -> " + shown_name(io, node.target);
  return text;
}

void NodeLines::print(std::span<const Entry> entries) {
  const auto widen = [](std::size_t& width, std::string_view text) {
    width = std::max(width, columns_of(text));
  };
  for (const Entry& entry : entries) {
    const Stat stat = to_stat(entry.node, accounts_);
    any_acls_ = any_acls_ || entry.node.acls != Acls{};
    widen(links_, std::to_string(stat.links));
    widen(owner_, escaped_name(entry.node.owner));
    widen(group_, escaped_name(entry.node.group));
    widen(size_, size_column(stat));
  }
  for (const Entry& entry : entries) {
    const Stat stat = to_stat(entry.node, accounts_);
    const std::string links = std::to_string(stat.links);
    const std::string owner = escaped_name(entry.node.owner);
    const std::string group = escaped_name(entry.node.group);
    const std::string size = size_column(stat);
    const bool acls = entry.node.acls != Acls{};  // marked as ls does
    io_.out << mode_text(stat.kind, stat.mode)
            << (acls        ? "+"
                : any_acls_ ? " "
                            : "")
            << ' ' << padding(links_, links) << links << ' ' << owner << padding(owner_, owner)
            << ' ' << group << padding(group_, group) << ' ' << padding(size_, size) << size << ' '
            << minute_text(stat.mtime) << ' ' << name_and_target(io_, entry.name, entry.node)
            << '\n';
  }
}

}  // namespace prefixfs
