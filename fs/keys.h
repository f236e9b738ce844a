// The only file that spells keys.
//
//   node, layout path    pk "DRIVE#" drive            sk "PATH#" path          "PATH#/docs/a.txt"
//   everything below     pk "DRIVE#" drive            sk begins "PATH#" path "/"
//   node, layout node    pk "DRIVE#" drive            sk "NODE#" id
//     its name           pk "DRIVE#" drive "#DIR#" parent id    sk "NAME#" name       -> id
//   node, adjacency      pk "DRIVE#" drive "#DIR#" parent id    sk "NAME#" name
//     its root           pk "DRIVE#" drive            sk "PATH#/"
//   attributes that several names of a node share, layouts path and adjacency
//                        pk "DRIVE#" drive            sk "NODE#" id
//   drive                pk "DRIVES"                  sk "DRIVE#" drive        layout, created, ...
//   ids, of all drives   pk "DRIVES"                  sk "IDS"                  nextId
//   orphan               pk "DRIVE#" drive "#ORPHAN"  sk "NODE#" id            content to be reaped
//   flag                 pk "ENV#" environment        sk "FLAG#" key
//   environment          pk "ENV#" environment        sk "ENV"                  made by itself
//
// A drive's name holds no '#', so no drive's partition is another's.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fs/node.h"
#include "fs/path.h"
#include "table/table.h"

namespace prefixfs {

// 1 to 64 of A-Z a-z 0-9 . _ - and not "." or "..".
bool valid_drive_name(std::string_view name);

inline constexpr std::string_view kDrivesPk = "DRIVES";
inline constexpr std::string_view kPathPrefix = "PATH#";
inline constexpr std::string_view kDrivePrefix = "DRIVE#";
inline constexpr std::string_view kEnvPrefix = "ENV#";
inline constexpr std::string_view kFlagPrefix = "FLAG#";

std::string drive_pk(std::string_view drive);
std::string path_sk(const Path& path);
std::string below_prefix(const Path& folder);  // ends in '/'
// The path of a node key; nullopt: not one ("PATH#" missing, or not canonical).
std::optional<Path> path_of_sk(std::string_view sk);

table::Key drive_key(std::string_view drive);
table::Key ids_key();
table::Key path_key(std::string_view drive, const Path& path);
table::Key node_key(std::string_view drive, NodeId id);
std::string folder_pk(std::string_view drive, NodeId folder);
table::Key name_key(std::string_view drive, NodeId folder, std::string_view name);
std::optional<std::string> name_of_sk(std::string_view sk);  // of a name_key
std::string orphan_pk(std::string_view drive);
table::Key orphan_key(std::string_view drive, NodeId id);
std::optional<NodeId> id_of_orphan_sk(std::string_view sk);
// Whether a partition is one of the drive's.  They are one run of keys, drive_pk() first.
bool in_drive(std::string_view drive, std::string_view pk);
// Whether a key of the drive is spelt as those of nodes and their names are, in any layout.
// REQUIRES: in_drive(drive, key.pk)
bool is_node_row(std::string_view drive, const table::Key& key);
table::Key flag_key(std::string_view env, std::string_view key);
table::Key environment_key(std::string_view env);

}  // namespace prefixfs
