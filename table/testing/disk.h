// Disk stands between SQLite and the file system, for tests: it notes what is written, shortened,
// synced and removed, and fails when told to.
//
// It serves all connections that are opened while it is there, and none syncs for real: what a
// power cut leaves is worked out from the notes (disk_replay.h).  Syncs outside of SQLite, such as
// the store's own of the log, are noted and fail as well.  One at a time.  Thread-safe.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "table/error.h"

namespace table {

struct DiskEvent {
  enum class What { create, write, truncate, remove, sync, sync_folder };
  What what{};
  std::string file{};        // its path; of sync_folder that of the folder
  std::uint64_t offset = 0;  // of a write; of truncate the length that is left
  std::string bytes{};       // of a write
};

class Disk {
 public:
  Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  // REQUIRES: all connections are closed
  ~Disk();

  // ---- Notes ----

  std::size_t events() const;
  // What was noted so far.  REQUIRES: nobody writes meanwhile
  const std::vector<DiskEvent>& notes() const { return notes_; }
  void stop_noting();

  // ---- Failures ----

  enum class Lasting { once, from_then_on };
  // From now on the operation number `at`, from 0, of those that can fail so does:
  //   full   writes                         as on a full disk
  //   io     writes, reads, syncs, truncations
  //   busy   locks                          held by another process
  void fail(Fault fault, std::uint64_t at, Lasting lasting = Lasting::once);
  void mend();
  bool failed() const;  // since fail()

  // ---- For what SQLite calls ----

  struct Vfs;
  enum class Operation { write, read, sync, truncate, lock };
  bool fails(Operation operation);
  void note(DiskEvent event);
  // True: the sync is done with, with this result.
  bool takes_sync(int fd, int& result);

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<Vfs> vfs_;
  std::vector<DiskEvent> notes_;
  bool noting_ = true;
  bool failing_ = false;
  Fault fault_{};
  Lasting lasting_{};
  std::uint64_t left_ = 0;  // operations before the one that fails
  bool failed_ = false;
};

}  // namespace table
