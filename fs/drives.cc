#include "fs/drives.h"

#include <cassert>
#include <stdexcept>

#include "fs/keys.h"
#include "fs/layout.h"
#include "fs/node_item.h"
#include "table/error.h"

namespace prefixfs {
namespace {

using table::Fault;
using table::Item;
using table::Table;
using table::TableError;
using table::Value;

DriveInfo info_of(std::string name, const Item& item) {
  DriveInfo info;
  info.name = std::move(name);
  if (const Value* v = item.find("layout"); v && v->if_string()) info.layout = *v->if_string();
  if (const Value* v = item.find("created"); v && v->if_number()) {
    info.created = decode_time(*v->if_number()).value_or(Time{});
  }
  if (const Value* v = item.find("mountedBy"); v && v->if_number()) {
    info.mounted_by = v->if_number()->as_uint64();
  }
  return info;
}

}  // namespace

Result<void> make_drive(table::Store& store, const NewDrive& drive, Time now) {
  if (!valid_drive_name(drive.name)) return std::errc::invalid_argument;
  const auto layout = make_layout(drive.layout, drive.name);
  if (!layout) return std::errc::invalid_argument;

  Node root;
  root.id = kRootId;
  root.kind = Kind::folder;
  root.mode = drive.mode;
  root.owner = drive.owner;
  root.group = drive.group;
  root.mtime = root.ctime = root.atime = root.btime = now;

  table::Batch batch = {table::Put{
      drive_key(drive.name),
      Item{
          {"layout", drive.layout}, {"nextId", number(kRootId) + 1}, {"created", encode_time(now)}},
      table::item_absent()}};
  layout->add(batch, {}, "", root);
  if (!store.table().apply(batch).ok()) return std::errc::file_exists;
  return {};
}

Result<DriveInfo> find_drive(Table& table, std::string_view name) {
  if (!valid_drive_name(name)) return std::errc::no_such_file_or_directory;
  const auto got = table.get(drive_key(name));
  if (!got.item) return std::errc::no_such_file_or_directory;
  return info_of(std::string(name), *got.item);
}

std::vector<DriveInfo> list_drives(Table& table) {
  std::vector<DriveInfo> drives;
  table::Query query{.pk = std::string(kDrivesPk),
                     .sk = table::SkBeginsWith{std::string(kDrivePrefix)}};
  while (true) {
    const auto page = table.query(query);
    for (const table::Row& row : page.rows) {
      drives.push_back(info_of(row.key.sk.substr(kDrivePrefix.size()), row.item));
    }
    if (!page.last) return drives;
    query.exclusive_start = page.last->sk;
  }
}

void remember_mount(Table& table, std::string_view drive, std::uint64_t pid) {
  const auto written = table.write(table::Update{.key = drive_key(drive),
                                                 .set = {{"mountedBy", Value(pid)}},
                                                 .condition = table::item_exists()});
  if (!written.ok()) throw TableError(Fault::damaged, "the drive's item is gone");
}

NodeId IdSource::next(Table& table) {
  if (next_ == end_) {
    // Made by the first to ask: an attribute that is absent counts from 0.
    const auto reserved =
        table.write(table::Update{.key = ids_key(), .add = {{"nextId", table::Number(kRun)}}});
    const Value* after = reserved.updated ? reserved.updated->find("nextId") : nullptr;
    const auto end = after && after->if_number() ? after->if_number()->as_uint64() : std::nullopt;
    if (!reserved.ok() || !end || *end < kRun || *end > table::kMaxContentId) {
      throw TableError(Fault::damaged, "the count of ids given (DRIVES, IDS) is not usable");
    }
    next_ = *end - kRun;
    end_ = *end;
    if (next_ <= number(kRootId)) next_ = number(kRootId) + 1;
  }
  return NodeId{next_++};
}

}  // namespace prefixfs
