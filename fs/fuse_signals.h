// SIGTERM, SIGINT and SIGHUP, received by a thread instead of a handler.

#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <optional>
#include <thread>

namespace prefixfs {

// Keeps the three from this thread and from all that it starts, for as long as it lives.  Make it
// before the first thread.
class EndSignals {
 public:
  EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals();

  const sigset_t& set() const { return set_; }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

// A thread that waits for them.
class SignalThread {
 public:
  // Runs `body` in the thread; it calls its argument for the next signal, and returns when that is
  // nothing.
  using Next = std::function<std::optional<int>()>;
  SignalThread(const EndSignals& signals, std::function<void(const Next&)> body);
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;
  ~SignalThread();  // ends and joins the thread

 private:
  std::optional<int> next() const;

  const EndSignals& signals_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace prefixfs
