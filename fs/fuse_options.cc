#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "fs/fuse_session.h"
#include "fs/keys.h"
#include "fs/layout.h"

namespace prefixfs {
namespace {

using Problem = std::optional<std::string>;

constexpr double kLongestSeconds = 1e9;
constexpr int kMostThreads = 64;

// Words that the kernel or fusermount3 understand.
constexpr std::array<std::string_view, 11> kPassedOn = {
    "suid",    "nosuid",  "dev",          "nodev",      "exec", "noexec",
    "noatime", "dirsync", "auto_unmount", "allow_root", "atime"};

// Words of mount(8) and fstab that say nothing to a file system, or what holds anyway.
constexpr std::array<std::string_view, 28> kIgnored = {"defaults",      "default_permissions",
                                                       "auto",          "noauto",
                                                       "user",          "nouser",
                                                       "users",         "nousers",
                                                       "owner",         "noowner",
                                                       "group",         "nogroup",
                                                       "nofail",        "_netdev",
                                                       "async",         "relatime",
                                                       "norelatime",    "strictatime",
                                                       "nostrictatime", "diratime",
                                                       "nodiratime",    "lazytime",
                                                       "nolazytime",    "silent",
                                                       "loud",          "iversion",
                                                       "noiversion",    "mand"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_with_any(std::string_view option) {
  for (const std::string_view prefix : {"x-", "X-", "comment=", "user=", "uhelper=", "helper="}) {
    if (option.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

struct Option {
  std::string_view whole, name, value;
  bool has_value = false;
};

Option split(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, text, {}, false};
  return {text, text.substr(0, equals), text.substr(equals + 1), true};
}

Problem wrong(const Option& option, std::string_view why) {
  return fmt::format("{}: {}", option.whole, why);
}

std::optional<double> seconds_of(std::string_view text) {
  double seconds = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(seconds >= 0 && seconds <= kLongestSeconds)) return std::nullopt;
  return seconds;
}

Problem take_commit(const Option& option, MountOptions& options) {
  const auto seconds = seconds_of(option.value);
  const std::chrono::milliseconds interval(
      static_cast<std::int64_t>(seconds ? *seconds * 1000 + 0.5 : 0));
  if (interval.count() < 1) return wrong(option, "seconds are wanted, 0.001 or more");
  options.commit_interval = interval;
  return {};
}

Problem take_timeout(const Option& option, MountOptions& options) {
  const auto seconds = seconds_of(option.value);
  if (!seconds) return wrong(option, "seconds are wanted");
  options.cache.entry_seconds = options.cache.negative_seconds = *seconds;
  return {};
}

Problem take_threads(const Option& option, MountOptions& options) {
  int threads = 0;
  const char* last = option.value.data() + option.value.size();
  const auto [end, error] = std::from_chars(option.value.data(), last, threads);
  if (error != std::errc{} || end != last || threads < 1 || threads > kMostThreads) {
    return wrong(option, fmt::format("a number from 1 to {} is wanted", kMostThreads));
  }
  options.threads = threads;
  return {};
}

Problem take_rename_limit(const Option& option, MountOptions& options) {
  std::uint64_t nodes = 0;
  const char* last = option.value.data() + option.value.size();
  const auto [end, error] = std::from_chars(option.value.data(), last, nodes);
  if (error != std::errc{} || end != last) return wrong(option, "a number of nodes is wanted");
  options.rename_limit = nodes;
  return {};
}

Problem take_size(const Option& option, MountOptions& options) {
  constexpr std::string_view kUnits = "KMG";
  std::string_view digits = option.value;
  int shift = 0;
  if (!digits.empty() && kUnits.find(digits.back()) != std::string_view::npos) {
    shift = 10 * (static_cast<int>(kUnits.find(digits.back())) + 1);
    digits.remove_suffix(1);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || number == 0 ||
      number > (UINT64_MAX >> 1 >> shift)) {
    return wrong(option, "a number of bytes is wanted, or of K, M or G");
  }
  options.most_bytes = number << shift;
  return {};
}

Problem take_prices(const Option& option, MountOptions& options) {
  auto prices = parse_prices(option.value);
  if (!prices) return wrong(option, kPricesWanted);
  options.prices = *std::move(prices);
  return {};
}

Problem take_drive(const Option& option, MountOptions& options) {
  if (!valid_drive_name(option.value)) {
    return wrong(option, "a drive's name is 1 to 64 letters, digits, '.', '_' or '-'");
  }
  options.drive = option.value;
  return {};
}

Problem take_layout(const Option& option, MountOptions& options) {
  if (!make_layout(option.value, "home")) return wrong(option, "there is no such layout");
  options.layout = option.value;
  return {};
}

Problem take_log(const Option& option, MountOptions& options) {
  if (option.value.empty()) return wrong(option, "a file is wanted");
  options.log_file = option.value;
  return {};
}

struct Valued {
  std::string_view name;
  Problem (*take)(const Option&, MountOptions&);
};
constexpr std::array<Valued, 9> kValued = {{{"commit", take_commit},
                                            {"prices", take_prices},
                                            {"rename-limit", take_rename_limit},
                                            {"size", take_size},
                                            {"timeout", take_timeout},
                                            {"threads", take_threads},
                                            {"drive", take_drive},
                                            {"layout", take_layout},
                                            {"log", take_log}}};

struct Switch {
  std::string_view name;
  void (*take)(MountOptions&);
};
constexpr std::array<Switch, 8> kSwitches = {{
    {"flags", [](MountOptions& o) { o.flags = true; }},
    {"trace", [](MountOptions& o) { o.trace = true; }},
    {"ro", [](MountOptions& o) { o.read_only = true; }},
    {"rw", [](MountOptions& o) { o.read_only = false; }},
    {"allow_other", [](MountOptions& o) { o.allow_other = true; }},
    // What the kernel gathers is not written yet, so it gathers nothing.
    {"sync",
     [](MountOptions& o) {
       o.sync_each = true;
       o.cache.writeback = false;
     }},
    {"nowriteback", [](MountOptions& o) { o.cache.writeback = false; }},
    {"nocache",
     [](MountOptions& o) {
       o.cache = {0, 0, false};
     }},
}};

Problem take(const Option& option, MountOptions& options) {
  for (const Valued& valued : kValued) {
    if (valued.name != option.name) continue;
    return option.has_value ? valued.take(option, options) : wrong(option, "a value is missing");
  }
  for (const Switch& each : kSwitches) {
    if (each.name != option.whole) continue;
    each.take(options);
    return {};
  }
  if (is_one_of(kPassedOn, option.whole)) {
    options.kernel_options.emplace_back(option.whole);
    return {};
  }
  if (is_one_of(kIgnored, option.whole) || starts_with_any(option.whole)) return {};
  return wrong(option, "no such option");
}

}  // namespace

std::optional<std::string> parse_mount_options(const std::string& text, MountOptions& options) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (word.empty()) continue;  // "a,,b" and a trailing comma
    if (auto problem = take(split(word), options)) return problem;
  }
  return {};
}

}  // namespace prefixfs
