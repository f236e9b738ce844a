#include "fs/path.h"

#include <algorithm>
#include <cassert>

namespace prefixfs {

Result<void> check_name(std::string_view name) {
  if (name.empty()) return std::errc::no_such_file_or_directory;
  if (name.size() > kMaxNameBytes) return std::errc::filename_too_long;
  if (name == "." || name == "..") return std::errc::invalid_argument;
  if (name.find('/') != name.npos || name.find('\0') != name.npos) {
    return std::errc::invalid_argument;
  }
  return {};
}

Result<Path> Path::parse(std::string_view text) {
  std::string canonical;
  canonical.reserve(text.size() + 1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/'), text.size());
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (name.empty() || name == ".") continue;
    if (auto ok = check_name(name); !ok) return ok.error();
    canonical += '/';
    canonical += name;
  }
  return Path(std::move(canonical));
}

Path Path::from_components(std::span<const std::string* const> innermost_first) {
  std::size_t bytes = 0;
  for (const std::string* name : innermost_first) bytes += name->size() + 1;
  std::string text;
  text.reserve(bytes);
  for (std::size_t i = innermost_first.size(); i-- > 0;) {
    text += '/';
    text += *innermost_first[i];
  }
  return Path(std::move(text));
}

Path Path::child(std::string_view name) const {
  assert(check_name(name));
  std::string text;
  text.reserve(text_.size() + 1 + name.size());
  text += text_;
  text += '/';
  text += name;
  return Path(std::move(text));
}

Path Path::parent() const {
  const std::size_t slash = text_.rfind('/');
  return slash == std::string::npos ? Path() : Path(text_.substr(0, slash));
}

std::string_view Path::name() const {
  const std::size_t slash = text_.rfind('/');
  return slash == std::string::npos ? std::string_view()
                                    : std::string_view(text_).substr(slash + 1);
}

std::size_t Path::depth() const {
  return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '/'));
}

bool Path::contains(const Path& other) const {
  return other.text_.size() >= text_.size() &&
         std::string_view(other.text_).substr(0, text_.size()) == text_ &&
         (other.text_.size() == text_.size() || other.text_[text_.size()] == '/');
}

std::string Path::below(const Path& ancestor) const {
  assert(ancestor.contains(*this));
  return text_.size() == ancestor.text_.size() ? std::string()
                                               : text_.substr(ancestor.text_.size() + 1);
}

}  // namespace prefixfs
