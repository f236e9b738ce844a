// ReadAhead keeps what was read of folders and not returned yet.
//
// Nobody says when a listing begins or is given up, so a listing that stops is put here under the
// cookie it stopped at, and whoever goes on there takes it out.  The oldest go when there are too
// many: what is lost is read again.  Thread-safe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "fs/node.h"

namespace prefixfs {

// A listing between two replies.
struct Listing {
  NodeId folder{};
  std::uint64_t cookie = 0;          // of the entry it stopped after
  std::string after;                 // the name of that entry, "" at the start
  std::vector<Entry> entries;        // what follows
  std::size_t next = 0;              // index into entries
  bool read = false;                 // entries were read, there may be none
  bool is_last = false;              // and nothing follows them
  std::uint64_t changes = 0;         // Mount's count of changes to the folder when they were read
  std::uint64_t turn = 0;            // Mount's count of changes by others, likewise
  bool has_shared = false;           // nodes among them have several names, so that
  std::uint64_t shared_changes = 0;  // Mount's count of changes to such nodes matters, too
};

class ReadAhead {
 public:
  explicit ReadAhead(std::size_t limit = 32) : limit_(limit) {}

  // One that stopped there; with `read` false if there is none.
  Listing take(NodeId folder, std::uint64_t cookie);
  void put(Listing listing);

 private:
  const std::size_t limit_;
  std::mutex mutex_;            // guards all below
  std::list<Listing> stopped_;  // oldest first
};

}  // namespace prefixfs
