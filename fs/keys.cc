#include "fs/keys.h"

#include <charconv>

namespace prefixfs {
namespace {

constexpr std::string_view kNodePrefix = "NODE#";
constexpr std::string_view kNamePrefix = "NAME#";
constexpr std::string_view kOrphanSuffix = "#ORPHAN";

std::string join(std::string_view a, std::string_view b) {
  std::string joined;
  joined.reserve(a.size() + b.size());
  joined += a;
  joined += b;
  return joined;
}

}  // namespace

bool valid_drive_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name == "." || name == "..") return false;
  for (const char c : name) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !digit && c != '.' && c != '_' && c != '-') return false;
  }
  return true;
}

std::string drive_pk(std::string_view drive) { return join(kDrivePrefix, drive); }

std::string path_sk(const Path& path) { return join(kPathPrefix, path.text()); }

std::string below_prefix(const Path& folder) { return join(kPathPrefix, folder.with_slash()); }

std::optional<Path> path_of_sk(std::string_view sk) {
  if (!sk.starts_with(kPathPrefix)) return std::nullopt;
  sk.remove_prefix(kPathPrefix.size());
  auto path = Path::parse(sk);
  if (!path || path->text() != sk) return std::nullopt;
  return *std::move(path);
}

table::Key drive_key(std::string_view drive) {
  return {std::string(kDrivesPk), join(kDrivePrefix, drive)};
}

table::Key ids_key() { return {std::string(kDrivesPk), "IDS"}; }

table::Key path_key(std::string_view drive, const Path& path) {
  return {drive_pk(drive), path_sk(path)};
}

table::Key node_key(std::string_view drive, NodeId id) {
  return {drive_pk(drive), join(kNodePrefix, std::to_string(number(id)))};
}

std::string folder_pk(std::string_view drive, NodeId folder) {
  return drive_pk(drive) + "#DIR#" + std::to_string(number(folder));
}

table::Key name_key(std::string_view drive, NodeId folder, std::string_view name) {
  return {folder_pk(drive, folder), join(kNamePrefix, name)};
}

std::optional<std::string> name_of_sk(std::string_view sk) {
  if (!sk.starts_with(kNamePrefix)) return std::nullopt;
  sk.remove_prefix(kNamePrefix.size());
  if (!check_name(sk)) return std::nullopt;
  return std::string(sk);
}

std::string orphan_pk(std::string_view drive) {
  return drive_pk(drive) + std::string(kOrphanSuffix);
}

table::Key orphan_key(std::string_view drive, NodeId id) {
  return {orphan_pk(drive), join(kNodePrefix, std::to_string(number(id)))};
}

std::optional<NodeId> id_of_orphan_sk(std::string_view sk) {
  if (!sk.starts_with(kNodePrefix)) return std::nullopt;
  sk.remove_prefix(kNodePrefix.size());
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(sk.data(), sk.data() + sk.size(), id);
  if (error != std::errc{} || end != sk.data() + sk.size() || id == 0) return std::nullopt;
  return NodeId{id};
}

bool in_drive(std::string_view drive, std::string_view pk) {
  const std::string own = drive_pk(drive);
  return pk.starts_with(own) && (pk.size() == own.size() || pk[own.size()] == '#');
}

bool is_node_row(std::string_view drive, const table::Key& key) {
  if (key.pk.size() == drive_pk(drive).size()) {
    return key.sk.starts_with(kPathPrefix) || key.sk.starts_with(kNodePrefix);
  }
  return key.sk.starts_with(kNamePrefix);
}

table::Key flag_key(std::string_view env, std::string_view key) {
  return {join(kEnvPrefix, env), join(kFlagPrefix, key)};
}

table::Key environment_key(std::string_view env) { return {join(kEnvPrefix, env), "ENV"}; }

}  // namespace prefixfs
