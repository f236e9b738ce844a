// Accounts translates between the names that items hold and the numbers that system calls use.
//
// "The user's name, the number as text where the system knows no name" (MODEL.md).  A name unknown
// here maps to the overflow number 65534, and the item keeps the name.  Thread-safe.

#pragma once

#include <chrono>
#include <cstdint>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace prefixfs {

inline constexpr std::uint32_t kOverflowId = 65534;

class Accounts {
 public:
  virtual ~Accounts() = default;
  virtual std::string user_name(std::uint32_t uid) = 0;
  virtual std::string group_name(std::uint32_t gid) = 0;
  virtual std::uint32_t user_id(std::string_view name) = 0;
  virtual std::uint32_t group_id(std::string_view name) = 0;
};

// What the system's user database says.  An answer is kept for a minute.
class SystemAccounts final : public Accounts {
 public:
  std::string user_name(std::uint32_t uid) override;
  std::string group_name(std::uint32_t gid) override;
  std::uint32_t user_id(std::string_view name) override;
  std::uint32_t group_id(std::string_view name) override;

 private:
  using Moment = std::chrono::steady_clock::time_point;
  struct Name {
    std::string name;
    Moment until;
  };
  struct Id {
    std::uint32_t id = kOverflowId;
    Moment until;
  };
  template <class Map, class Key, class Ask>
  auto remembered(Map& map, const Key& key, Ask ask);

  std::shared_mutex mutex_;  // guards the maps
  std::unordered_map<std::uint32_t, Name> users_, groups_;
  std::unordered_map<std::string, Id> user_ids_, group_ids_;
};

}  // namespace prefixfs
