#include "table/testing/disk_replay.h"

#include <algorithm>

namespace table {
namespace {

constexpr std::size_t kSector = 512;

void grow(std::string& bytes, std::size_t size) {
  if (bytes.size() < size) bytes.resize(size, '\0');
}

void apply(const DiskEvent& event, std::string& bytes) {
  const auto offset = static_cast<std::size_t>(event.offset);
  if (event.what == DiskEvent::What::truncate) {
    bytes.resize(offset, '\0');
    return;
  }
  grow(bytes, offset + event.bytes.size());
  bytes.replace(offset, event.bytes.size(), event.bytes);
}

// Some of the sectors that a write lies in.
void apply_torn(const DiskEvent& event, std::string& bytes, std::mt19937_64& random) {
  const std::size_t begin = static_cast<std::size_t>(event.offset);
  const std::size_t end = begin + event.bytes.size();
  const std::size_t old_end = bytes.size();
  const bool garbage = random() % 2 == 0;
  grow(bytes, end);
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = std::min(end, at / kSector * kSector + kSector);
    if (random() % 2 == 0) {
      bytes.replace(at, next - at, event.bytes, at - begin, next - at);
    } else if (garbage && at >= old_end) {
      for (std::size_t i = at; i < next; ++i) bytes[i] = static_cast<char>(random());
    }
    at = next;
  }
}

}  // namespace

void DiskReplay::follow(const DiskEvent& event) {
  using What = DiskEvent::What;
  switch (event.what) {
    case What::create:
      names_[event.file] = std::make_shared<File>();
      names_since_sync_.push_back(names_);
      return;
    case What::remove:
      names_.erase(event.file);
      names_since_sync_.push_back(names_);
      return;
    case What::sync_folder:
      names_since_sync_ = {names_};
      return;
    case What::sync:
      if (const auto it = names_.find(event.file); it != names_.end()) {
        it->second->synced = it->second->now;
        it->second->pending.clear();
      }
      return;
    case What::write:
    case What::truncate: {
      File& file = *names_.at(event.file);
      apply(event, file.now);
      file.pending.push_back(event);
    }
  }
}

DiskReplay::Image DiskReplay::all() const {
  Image image;
  for (const auto& [name, file] : names_) image[name] = file->now;
  return image;
}

DiskReplay::Image DiskReplay::some(std::mt19937_64& random) const {
  // Now few writes survive and now most do.
  const std::uint64_t kept_of_eight = random() % 9;
  Image image;
  for (const auto& [name, file] : names_since_sync_[random() % names_since_sync_.size()]) {
    std::string bytes = file->synced;
    for (const DiskEvent& event : file->pending) {
      if (event.what == DiskEvent::What::write && random() % 4 == 0) {
        apply_torn(event, bytes, random);
      } else if (random() % 8 < kept_of_eight) {
        apply(event, bytes);
      }
    }
    image[name] = std::move(bytes);
  }
  return image;
}

}  // namespace table
