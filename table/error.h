// What is thrown when the store itself fails: nothing a caller asked for is wrong, the machine or
// the file is.  Outcomes a caller is expected to meet (absent, condition failed) are returned.

#pragma once

#include <stdexcept>
#include <string>

namespace table {

enum class Fault {
  full,      // no space left for the file
  io,        // the disk or the file system below failed
  busy,      // another process held the file for longer than the busy timeout
  damaged,   // the file's structure is broken
  memory,    // out of memory
  readonly,  // the file cannot be written
  refused,   // not our file, newer than this program, or not a file at all
  internal,  // anything else: a bug
};

class TableError : public std::runtime_error {
 public:
  TableError(Fault fault, const std::string& what) : std::runtime_error(what), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace table
