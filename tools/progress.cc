#include "tools/progress.h"

#include <utility>

#include "tools/figures.h"

namespace prefixfs {

void Progress::wipe() {
  if (!shown_) return;
  io_.err << "\r\033[K" << std::flush;
  shown_ = false;
}

void Progress::doing(std::string what) {
  doing_ = std::move(what);
  show_if_due();
}

void Progress::show_if_due() {
  if (!io_.err_is_terminal) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
  shown_ = true;
  if (!doing_.empty()) {
    io_.err << "\r\033[K" << doing_ << std::flush;
    return;
  }
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto a_second = [seconds](std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<double>(n) / seconds);
  };
  io_.err << "\r\033[K" << grouped(nodes_) << " nodes, ";
  if (bytes_ == 0) {
    io_.err << grouped(a_second(nodes_));
  } else {
    io_.err << size_text(bytes_) << ", " << size_text(a_second(bytes_));
  }
  io_.err << "/s" << std::flush;
}

}  // namespace prefixfs
