#include "fs/read_ahead.h"

#include <algorithm>
#include <utility>

namespace prefixfs {

Listing ReadAhead::take(NodeId folder, std::uint64_t cookie) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(stopped_.begin(), stopped_.end(), [&](const Listing& each) {
    return each.folder == folder && each.cookie == cookie;
  });
  if (found == stopped_.end()) return {.folder = folder, .cookie = cookie};
  Listing listing = std::move(*found);
  stopped_.erase(found);
  return listing;
}

void ReadAhead::put(Listing listing) {
  std::list<Listing> dropped;  // freed after the mutex
  const std::lock_guard lock(mutex_);
  stopped_.push_back(std::move(listing));
  if (stopped_.size() > limit_) dropped.splice(dropped.begin(), stopped_, stopped_.begin());
}

}  // namespace prefixfs
