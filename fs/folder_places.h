// FolderPlaces makes the cookies with which a listing goes on after an entry.
//
// A cookie is made from the entry's name alone, so it stands for that name in every listing of the
// folder, whoever reads it and whatever happens to the folder: the kernel keeps listings, goes on
// in the middle of one it kept, and opens folders without telling.  The way back, from cookie to
// name, is to look for the name in the folder; the names remembered here are those where listings
// stopped, where that search would be repeated, and those that are gone, where it would be in vain.
// Bounded, thread-safe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fs/node.h"

namespace prefixfs {

inline constexpr std::uint64_t kCookieStart = 0;
inline constexpr std::uint64_t kCookieDot = 1;     // after "."
inline constexpr std::uint64_t kCookieDotDot = 2;  // after ".."

// Above kCookieDotDot, and positive as an off_t.
std::uint64_t cookie_of(std::string_view name);

class FolderPlaces {
 public:
  // `rm -r` reads 100,000 names, removes them, and goes on after the last.
  explicit FolderPlaces(std::size_t limit = 256 * 1024) : limit_(limit) {}

  void remember(NodeId folder, std::string_view name);
  std::optional<std::string> name_of(NodeId folder, std::uint64_t cookie) const;

 private:
  struct Place {
    NodeId folder{};
    std::uint64_t cookie = 0;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const {
      return place.cookie ^ number(place.folder) * 0x9e3779b97f4a7c15u;
    }
  };

  const std::size_t limit_;
  mutable std::mutex mutex_;  // guards all below
  std::unordered_map<Place, std::string, Hash> names_;
  std::deque<Place> order_;  // of names_, oldest first
};

}  // namespace prefixfs
