// Answers SEEK_DATA and SEEK_HOLE where the kernel gathers writes.
//
// The kernel asks without writing back first what it has gathered (measured with 6.18), so that a
// file written just now would look empty, and cp would copy nothing of it.  So it is told to write
// back before the question is answered.  That waits for writes that the session's threads answer,
// hence a thread of its own, on which none of those ever waits.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "fs/fuse_api.h"

namespace prefixfs {

class SeekQueue {
 public:
  // `dir` is where the mount is going to be.
  explicit SeekQueue(std::string dir) : dir_(std::move(dir)) {}
  SeekQueue(const SeekQueue&) = delete;
  SeekQueue& operator=(const SeekQueue&) = delete;
  ~SeekQueue() { finish(); }

  // The mount answers.
  void start();
  // Takes over the request.  ENOTCONN where it is not between start() and stop(): better than an
  // answer that may be wrong.
  void add(fuse_req_t req, fuse_ino_t ino, off_t offset, int whence);
  void stop();
  // Waits until all is answered.  REQUIRES: stop(), and the connection has ended, or a write-back
  // that was begun could wait for ever.  The session is there still.
  void finish();

 private:
  struct Question {
    fuse_req_t req;
    fuse_ino_t ino;
    off_t offset;
    int whence;
  };
  void serve();
  bool write_back(const Question& question) const;

  const std::string dir_;
  dev_t device_ = 0;
  std::mutex mutex_;
  std::condition_variable wakes_;
  std::deque<Question> waiting_;  // guarded by mutex_
  bool open_ = false;             // guarded by mutex_
  std::thread thread_;
};

// Answers from what is stored.
void answer_seek(fuse_req_t req, fuse_ino_t ino, off_t offset, int whence);

}  // namespace prefixfs
