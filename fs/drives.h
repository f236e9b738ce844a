// The drives of a table file: making, finding and opening them.
//
// A drive is remembered by the item ("DRIVES", "DRIVE#<name>"): layout S, created N.  Its root
// folder is a node like any other.  Ids come from one count for all drives of a file, since content
// is kept by id alone: ("DRIVES", "IDS"), nextId N, which no id given so far reaches.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/node.h"
#include "fs/result.h"
#include "table/store.h"

namespace prefixfs {

struct DriveInfo {
  std::string name;
  std::string layout;
  Time created;
  std::optional<std::uint64_t> mounted_by;  // pid that last mounted it; may have ended since
};

struct NewDrive {
  std::string name = "home";
  std::string layout = "path";
  std::uint32_t mode = 0755;  // of the root folder
  std::string owner = "root";
  std::string group = "root";
};

// EEXIST: there already; EINVAL: a name or layout there cannot be.
Result<void> make_drive(table::Store& store, const NewDrive& drive, Time now);
// ENOENT: none of that name.
Result<DriveInfo> find_drive(table::Table& table, std::string_view name);
std::vector<DriveInfo> list_drives(table::Table& table);
void remember_mount(table::Table& table, std::string_view drive, std::uint64_t pid);

// Hands out ids that were never used: reserves a run of them in the table at a time, so that
// most cost nothing and a crash wastes at most a run.  Safe beside other processes.  Not
// thread-safe; Drive calls it inside a Store::Step.
class IdSource {
 public:
  NodeId next(table::Table& table);

  // Takes back what next() gave, and a reservation it made, when the step around it is rolled back.
  class Lease {
   public:
    explicit Lease(IdSource& ids) : ids_(ids), next_(ids.next_), end_(ids.end_) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (kept_) return;
      ids_.next_ = next_;
      ids_.end_ = end_;
    }
    void keep() { kept_ = true; }

   private:
    IdSource& ids_;
    const std::uint64_t next_, end_;
    bool kept_ = false;
  };

 private:
  static constexpr std::uint64_t kRun = 1024;
  std::uint64_t next_ = 0, end_ = 0;
};

}  // namespace prefixfs
