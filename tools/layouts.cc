#include "tools/layouts.h"

#include "fs/keys.h"
#include "fs/layout.h"
#include "tools/failure.h"

namespace prefixfs {

std::string layout_names() {
  std::string names;
  for (const std::string_view name : kLayoutNames) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

void require_layout(const std::string& layout, const std::string& drive) {
  if (!valid_drive_name(drive)) {
    throw WrongUse(drive, "not a drive name: 1 to 64 of A-Z a-z 0-9 . _ -");
  }
  if (!make_layout(layout, drive)) {
    throw WrongUse(layout, "no such layout, there is: " + layout_names());
  }
}

}  // namespace prefixfs
