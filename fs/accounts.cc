#include "fs/accounts.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <charconv>
#include <mutex>
#include <optional>
#include <vector>

namespace prefixfs {
namespace {

constexpr std::chrono::seconds kRemember{60};

// Calls one of the get*_r functions with a buffer that grows until the answer fits.
template <class Record, class Ask>
std::optional<Record> ask_system(std::vector<char>& buffer, Ask ask) {
  for (buffer.resize(1024);; buffer.resize(buffer.size() * 4)) {
    Record record{};
    Record* found = nullptr;
    const int error = ask(&record, buffer.data(), buffer.size(), &found);
    if (error == ERANGE && buffer.size() < (1u << 24)) continue;
    if (error != 0 || found == nullptr) return std::nullopt;
    return record;
  }
}

std::optional<std::uint32_t> parse_id(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return id;
}

}  // namespace

template <class Map, class Key, class Ask>
auto SystemAccounts::remembered(Map& map, const Key& key, Ask ask) {
  const auto now = std::chrono::steady_clock::now();
  {
    std::shared_lock lock(mutex_);
    if (const auto it = map.find(key); it != map.end() && it->second.until > now) return it->second;
  }
  typename Map::mapped_type fresh{ask(), now + kRemember};
  std::unique_lock lock(mutex_);
  return map.insert_or_assign(key, std::move(fresh)).first->second;
}

std::string SystemAccounts::user_name(std::uint32_t uid) {
  return remembered(users_, uid,
                    [&] {
                      std::vector<char> buffer;
                      const auto user = ask_system<passwd>(
                          buffer, [&](auto... args) { return getpwuid_r(uid, args...); });
                      return user ? std::string(user->pw_name) : std::to_string(uid);
                    })
      .name;
}

std::string SystemAccounts::group_name(std::uint32_t gid) {
  return remembered(groups_, gid,
                    [&] {
                      std::vector<char> buffer;
                      const auto entry = ask_system<::group>(
                          buffer, [&](auto... args) { return getgrgid_r(gid, args...); });
                      return entry ? std::string(entry->gr_name) : std::to_string(gid);
                    })
      .name;
}

std::uint32_t SystemAccounts::user_id(std::string_view name) {
  const std::string key(name);
  return remembered(user_ids_, key,
                    [&] {
                      std::vector<char> buffer;
                      const auto user = ask_system<passwd>(
                          buffer, [&](auto... args) { return getpwnam_r(key.c_str(), args...); });
                      return user ? user->pw_uid : parse_id(key).value_or(kOverflowId);
                    })
      .id;
}

std::uint32_t SystemAccounts::group_id(std::string_view name) {
  const std::string key(name);
  return remembered(group_ids_, key,
                    [&] {
                      std::vector<char> buffer;
                      const auto entry = ask_system<::group>(
                          buffer, [&](auto... args) { return getgrnam_r(key.c_str(), args...); });
                      return entry ? entry->gr_gid : parse_id(key).value_or(kOverflowId);
                    })
      .id;
}

}  // namespace prefixfs
