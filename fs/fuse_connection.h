// Connection owns libfuse's session for one mount.

#pragma once

#include <pthread.h>

#include <atomic>
#include <memory>
#include <string>

#include "fs/fuse_ops.h"
#include "fs/fuse_session.h"

namespace prefixfs {

class Connection {
 public:
  // Sets context.session for as long as this lives.  Throws StartFailure.
  Connection(const MountOptions& options, FuseContext& context);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();  // unmounts

  // Throws StartFailure.
  void mount();
  // Answers requests in `threads` threads until the mount is gone or end() is called.  Returns
  // false if the connection failed.
  bool serve(int threads);
  // Makes serve() return in the thread that called it, when requests under way are answered.
  // REQUIRES: called from another thread than serve() and its workers
  void end();
  bool ended() const { return ended_; }
  void unmount();

 private:
  struct Destroy {
    void operator()(fuse_session* session) const;
  };

  const std::string dir_;
  FuseContext& context_;
  std::unique_ptr<fuse_session, Destroy> session_;
  pthread_t server_{};  // set before serve() calls anything that end() could meet
  std::atomic<bool> ended_{false};
};

}  // namespace prefixfs
