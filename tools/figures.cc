#include "tools/figures.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <ctime>

namespace prefixfs {
namespace {

std::string local_time_text(const Time& time, const char* format) {
  const std::time_t seconds = time.sec;
  std::tm parts{};
  if (::localtime_r(&seconds, &parts) == nullptr) return std::to_string(time.sec);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  std::string text = grouped(n) + " ";
  if (n == 1) return text.append(noun);
  if (noun.ends_with("ry")) return text.append(noun.substr(0, noun.size() - 1)).append("ies");
  return text.append(noun).append("s");
}

std::string units_text(double units, std::string_view kind) {
  const double whole = std::floor(units);
  std::string text = grouped(static_cast<std::uint64_t>(whole));
  if (units > whole) text += ".5";
  return text.append(" ").append(kind).append(units == 1 ? " unit" : " units");
}

std::string dollars_text(double usd) {
  if (usd <= 0) return "$0";
  if (usd >= 1) return fmt::format("${:.2f}", usd);
  // Three digits that say something, wherever they begin.
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(usd)));
  std::string text = fmt::format("${:.{}f}", usd, decimals);
  while (text.ends_with('0')) text.pop_back();
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.1f} s", seconds);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes);
  auto value = static_cast<double>(bytes);
  std::string_view unit = "KMGTPE";
  // Rounded up, as ls and du do: nothing is shown smaller than it is.
  for (value /= 1024; std::ceil(value) >= 1024 && unit.size() > 1; value /= 1024) {
    unit.remove_prefix(1);
  }
  const double tenths = std::ceil(value * 10) / 10;
  if (tenths < 10) return fmt::format("{:.1f}{}", tenths, unit.front());
  return fmt::format("{:.0f}{}", std::ceil(value), unit.front());
}

std::string mode_text(Kind kind, std::uint32_t mode) {
  std::string text(10, '-');
  switch (kind) {
    case Kind::file:
      break;
    case Kind::folder:
      text[0] = 'd';
      break;
    case Kind::symlink:
      text[0] = 'l';
      break;
    case Kind::fifo:
      text[0] = 'p';
      break;
    case Kind::socket:
      text[0] = 's';
      break;
    case Kind::character:
      text[0] = 'c';
      break;
    case Kind::block:
      text[0] = 'b';
      break;
  }
  constexpr std::string_view kBits = "rwxrwxrwx";
  for (std::size_t i = 0; i < kBits.size(); ++i) {
    if (mode & (0400u >> i)) text[i + 1] = kBits[i];
  }
  const auto special = [&](std::uint32_t bit, std::size_t at, char with, char without) {
    if (mode & bit) text[at] = text[at] == 'x' ? with : without;
  };
  special(S_ISUID, 3, 's', 'S');
  special(S_ISGID, 6, 's', 'S');
  special(S_ISVTX, 9, 't', 'T');
  return text;
}

std::string minute_text(const Time& time) { return local_time_text(time, "%Y-%m-%d %H:%M"); }

std::string exact_time_text(const Time& time) {
  return local_time_text(time, "%Y-%m-%d %H:%M:%S") + fmt::format(".{:09} ", time.nsec) +
         local_time_text(time, "%z");
}

}  // namespace prefixfs
