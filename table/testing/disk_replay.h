// DiskReplay follows what a Disk noted and says what a power cut would leave, event by event.
//
// What was synced stays.  Of what was not, any part may be there: writes whole, torn between
// sectors of 512 bytes or not at all, in any order; sectors that a file grew by may hold anything.
// Names come and go in order, as they do on file systems with a journal.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "table/testing/disk.h"

namespace table {

class DiskReplay {
 public:
  using Image = std::map<std::string, std::string>;  // bytes of files by their path

  void follow(const DiskEvent& event);

  // All that was written: what a program's death leaves.
  Image all() const;
  // What is left of it by a power cut that `random` chooses.
  Image some(std::mt19937_64& random) const;

 private:
  struct File {
    std::string synced, now;
    std::vector<DiskEvent> pending;  // writes and truncations since the sync
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;

  Names names_;
  std::vector<Names> names_since_sync_{Names{}};  // as synced, and after each change since
};

}  // namespace table
