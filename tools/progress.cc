#include "tools/progress.h"

#include "tools/figures.h"

namespace prefixfs {

void Progress::wipe() {
  if (!shown_) return;
  io_.err << "\r\033[K" << std::flush;
  shown_ = false;
}

void Progress::show_if_due() {
  if (!io_.err_is_terminal) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
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
  shown_ = true;
}

}  // namespace prefixfs
