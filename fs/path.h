// A canonical absolute path: components joined by '/', none of them empty, "." or "..".
//
// Any bytes but '/' and NUL.  A whole path may be longer than PATH_MAX: relative access reaches it.

#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fs/result.h"

namespace prefixfs {

inline constexpr std::size_t kMaxNameBytes = 255;

// ENOENT: empty; ENAMETOOLONG: over 255 bytes; EINVAL: ".", "..", or a byte '/' or NUL.
Result<void> check_name(std::string_view name);

class Path {
 public:
  Path() = default;  // the root

  // From what a person writes: a leading '/' may be missing, repeated and trailing ones are
  // dropped,
  // "." is skipped.  EINVAL: "..", NUL; ENAMETOOLONG: a component over 255 bytes.
  static Result<Path> parse(std::string_view text);

  // Names from the last to the first.  REQUIRES: check_name of each.
  static Path from_components(std::span<const std::string* const> innermost_first);

  Path child(std::string_view name) const;  // REQUIRES: check_name(name)
  Path parent() const;                      // of the root: the root
  std::string_view name() const;            // of the root: ""
  bool is_root() const { return text_.empty(); }
  std::size_t depth() const;                      // components
  bool contains(const Path& other) const;         // other is this, or below it
  std::string below(const Path& ancestor) const;  // "b/c"; REQUIRES: ancestor.contains(*this)

  // "/docs/a.txt"; the root is "/".
  std::string text() const { return text_.empty() ? "/" : text_; }
  // "/docs/" and "/": what the keys of everything below begin with.
  std::string with_slash() const { return text_ + "/"; }

  auto operator<=>(const Path&) const = default;

 private:
  explicit Path(std::string text) : text_(std::move(text)) {}
  std::string text_;  // "" or "/a/b"
};

}  // namespace prefixfs
