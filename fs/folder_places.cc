#include "fs/folder_places.h"

#include <functional>

namespace prefixfs {

std::uint64_t cookie_of(std::string_view name) {
  constexpr std::uint64_t kBits = (std::uint64_t{1} << 62) - 1;
  return kCookieDotDot + 1 + (std::hash<std::string_view>{}(name)&kBits);
}

void FolderPlaces::remember(NodeId folder, std::string_view name) {
  const Place place{folder, cookie_of(name)};
  const std::lock_guard lock(mutex_);
  if (!names_.try_emplace(place, name).second) return;
  order_.push_back(place);
  if (order_.size() <= limit_) return;
  names_.erase(order_.front());
  order_.pop_front();
}

std::optional<std::string> FolderPlaces::name_of(NodeId folder, std::uint64_t cookie) const {
  if (cookie <= kCookieDotDot) return std::string();
  const std::lock_guard lock(mutex_);
  const auto it = names_.find({folder, cookie});
  if (it == names_.end()) return std::nullopt;
  return it->second;
}

}  // namespace prefixfs
