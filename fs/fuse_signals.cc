#include "fs/fuse_signals.h"

#include <pthread.h>

#include <ctime>
#include <utility>

namespace prefixfs {

EndSignals::EndSignals() {
  sigemptyset(&set_);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, signal);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

EndSignals::~EndSignals() {
  // One that came while the first was being obeyed has been obeyed as well.
  const timespec at_once{};
  while (sigtimedwait(&set_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

SignalThread::SignalThread(const EndSignals& signals, std::function<void(const Next&)> body)
    : signals_(signals),
      thread_([this, run = std::move(body)] { run([this] { return next(); }); }) {}

SignalThread::~SignalThread() {
  ending_ = true;
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

std::optional<int> SignalThread::next() const {
  int signal = 0;
  if (ending_ || sigwait(&signals_.set(), &signal) != 0 || ending_) return std::nullopt;
  return signal;
}

}  // namespace prefixfs
