#include "tools/session.h"

#include "fs/drives.h"
#include "fs/layout.h"
#include "tools/failure.h"

namespace prefixfs {
namespace {

table::OpenMode open_mode(Access access) {
  switch (access) {
    case Access::read:
      return table::OpenMode::read_only;
    case Access::write:
      return table::OpenMode::existing;
    case Access::create:
      return table::OpenMode::create;
  }
  return table::OpenMode::read_only;
}

std::string no_such_drive(table::Table& table, const std::string& drive) {
  std::string why = "no drive \"" + drive + "\" in it";
  const char* separator = ", but ";
  for (const DriveInfo& there : list_drives(table)) {
    why += separator + ("\"" + there.name + "\"");
    separator = ", ";
  }
  return why;
}

}  // namespace

std::unique_ptr<table::Store> open_table(const std::string& file, Access access,
                                         table::Limits limits) {
  return table::Store::open(file,
                            {.mode = open_mode(access), .background = false, .limits = limits});
}

DriveInfo require_drive(table::Table& table, const std::string& file, const std::string& drive) {
  Result<DriveInfo> info = find_drive(table, drive);
  if (!info) throw Failure(file, no_such_drive(table, drive));
  return *std::move(info);
}

DriveSession::DriveSession(const std::string& file, const std::string& drive, Access access)
    : file_(file), store_(open_table(file, access)) {
  const DriveInfo info = require_drive(store_->table(), file, drive);
  std::unique_ptr<Layout> layout = make_layout(info.layout, drive);
  if (!layout) {
    throw Failure(file, "drive \"" + drive + "\" has the unknown layout " + info.layout);
  }
  drive_ = std::make_unique<Drive>(*store_, ledger_, accounts_, std::move(layout), drive, file,
                                   system_time);
}

Located DriveSession::locate(const Path& path) {
  Result<Located> located = drive_->resolve(path);
  if (!located) throw Failure(text(path), located.error());
  return *std::move(located);
}

void DriveSession::require_path_keys() {
  if (drive_->layout().ordered()) return;
  throw Failure(file_, "in the layout " + std::string(drive_->layout().name()) + " of drive \"" +
                           drive_->name() + "\" a path is not a key");
}

}  // namespace prefixfs
