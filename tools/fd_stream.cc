#include "tools/fd_stream.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace prefixfs {

FdBuffer::FdBuffer(int fd, const char* name)
    : fd_(fd), name_(name), buffer_(std::make_unique<char[]>(kBytes)) {
  setp(buffer_.get(), buffer_.get() + kBytes);
}

void FdBuffer::write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd_, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), name_);
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void FdBuffer::flush() {
  const auto size = static_cast<std::size_t>(pptr() - pbase());
  setp(buffer_.get(), buffer_.get() + kBytes);  // before the write: it is not tried twice
  write_all(buffer_.get(), size);
}

FdBuffer::int_type FdBuffer::overflow(int_type c) {
  flush();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

std::streamsize FdBuffer::xsputn(const char* data, std::streamsize size) {
  if (size > epptr() - pptr()) flush();
  if (size > epptr() - pptr()) {
    write_all(data, static_cast<std::size_t>(size));
    return size;
  }
  traits_type::copy(pptr(), data, static_cast<std::size_t>(size));
  pbump(static_cast<int>(size));
  return size;
}

int FdBuffer::sync() {
  flush();
  return 0;
}

}  // namespace prefixfs
