// The host's side of import and export.

#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/node.h"
#include "fs/result.h"
#include "table/file_descriptor.h"

namespace prefixfs {

// As many open files as the system allows: a walk keeps one for each level of its depth.
void raise_open_files();

// The names in an open folder but for "." and "..", sorted by their bytes.
Result<std::vector<std::string>> names_in(const table::FileDescriptor& folder);

// What kind of node the file would be; nullopt: none that there is.
std::optional<Kind> kind_of_mode(mode_t mode);

// The target of a symlink, whatever its length.
Result<std::string> read_link(int folder, const std::string& name);

// "b" of "/a/b", "a/b/" and "b"; "" of "/", ".", "a/.." and whatever else ends in no name.
std::string own_name(std::string_view path);

// The folder that holds it: "/a" of "/a/b", "." of "b".
std::string folder_of(std::string_view path);

// What to tell utimensat(2): atime, then mtime.
struct HostTimes {
  timespec times[2];
};
HostTimes host_times(const Node& node);

}  // namespace prefixfs
