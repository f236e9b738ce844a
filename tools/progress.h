// A line on the terminal that tells how far a long command is.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/io.h"

namespace prefixfs {

// Nothing is shown where standard error is no terminal, nor in the first second.  The line is wiped
// at destruction and before other messages, by wipe().
class Progress {
 public:
  explicit Progress(Io& io) : io_(io), start_(Clock::now()), next_(start_ + kFirst) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { wipe(); }

  void node() {
    ++nodes_;
    show_if_due();
  }
  void bytes(std::uint64_t n) {
    bytes_ += n;
    show_if_due();
  }
  void nodes_are(std::uint64_t n) {
    nodes_ = n;
    show_if_due();
  }
  // Another part of the work begins; the line shows what it is in place of counts.
  void doing(std::string what);
  void wipe();

  std::uint64_t nodes() const { return nodes_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{1000};
  static constexpr std::chrono::milliseconds kEvery{200};

  void show_if_due();

  Io& io_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
  std::string doing_;
  std::uint64_t nodes_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace prefixfs
