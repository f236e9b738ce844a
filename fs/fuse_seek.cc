#include "fs/fuse_seek.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/fuse_reply.h"
#include "table/file_descriptor.h"

namespace prefixfs {

void answer_seek(fuse_req_t req, fuse_ino_t ino, off_t offset, int whence) {
  answer(
      req, "seek",
      [&](Mount& m) {
        return m.seek(node_id(ino), whence == SEEK_HOLE ? Seek::hole : Seek::data,
                      static_cast<std::uint64_t>(offset));
      },
      [](fuse_req_t r, std::uint64_t found) { fuse_reply_lseek(r, static_cast<off_t>(found)); });
}

void SeekQueue::start() {
  struct stat root {};
  if (::stat(dir_.c_str(), &root) == 0) device_ = root.st_dev;
  const std::lock_guard lock(mutex_);
  open_ = true;
  thread_ = std::thread([this] { serve(); });
}

void SeekQueue::add(fuse_req_t req, fuse_ino_t ino, off_t offset, int whence) {
  {
    const std::lock_guard lock(mutex_);
    if (open_) {
      waiting_.push_back({req, ino, offset, whence});
      wakes_.notify_one();
      return;
    }
  }
  fuse_reply_err(req, ENOTCONN);
}

void SeekQueue::stop() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  wakes_.notify_one();
}

void SeekQueue::finish() {
  if (thread_.joinable()) thread_.join();
}

void SeekQueue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wakes_.wait(lock, [this] { return !waiting_.empty() || !open_; });
    if (waiting_.empty()) return;
    const Question next = waiting_.front();
    waiting_.pop_front();
    const bool served = open_;
    lock.unlock();
    if (!served) {
      fuse_reply_err(next.req, ENOTCONN);
    } else if (!write_back(next)) {
      fuse_reply_err(next.req, EIO);
    } else {
      answer_seek(next.req, next.ino, next.offset, next.whence);
    }
    lock.lock();
  }
}

// syncfs sends all that is dirty in large requests, but it does not wait for FUSE's pages (measured
// with 6.18).  Taking the file's pages from the kernel waits, sends what is left page by page, and
// also reaches a mount that is out of sight.
bool SeekQueue::write_back(const Question& question) const {
  const table::FileDescriptor root(::open(dir_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (root && ::fstat(root.get(), &status) == 0 && status.st_dev == device_) ::syncfs(root.get());
  return fuse_lowlevel_notify_inval_inode(context_of(question.req).session, question.ino, 0, 0) ==
         0;
}

}  // namespace prefixfs
