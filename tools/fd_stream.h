// FdBuffer writes a stream to a file descriptor and does not lose errors.
//
// A failed write throws std::system_error with the errno.  The stream above must let it through:
// exceptions(std::ios::badbit).  Does not own the descriptor; what is left unflushed at destruction
// is dropped.

#pragma once

#include <memory>
#include <streambuf>

namespace prefixfs {

class FdBuffer final : public std::streambuf {
 public:
  FdBuffer(int fd, const char* name);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* data, std::streamsize size) override;
  int sync() override;

 private:
  static constexpr std::size_t kBytes = 64 * 1024;

  void flush();
  void write_all(const char* data, std::size_t size);

  int fd_;
  const char* name_;  // for messages
  std::unique_ptr<char[]> buffer_;
};

}  // namespace prefixfs
