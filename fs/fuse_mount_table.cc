#include "fs/fuse_mount_table.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <fstream>
#include <memory>
#include <sstream>

namespace prefixfs {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Spaces, tabs, newlines and backslashes are written as "\040".
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// 36 35 98:0 /root /mnt rw,noatime shared:1 - type source options
std::optional<Mounted> parse_line(const std::string& line) {
  std::istringstream words(line);
  std::string id, parent, root, options, word, source;
  Mounted mounted;
  if (!(words >> id >> parent >> mounted.device >> root >> mounted.dir >> options)) return {};
  while (words >> word && word != "-") {
  }
  if (!(words >> mounted.type >> source)) return {};
  mounted.dir = unescaped(mounted.dir);
  mounted.source = unescaped(source);
  return mounted;
}

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string link_target(const std::string& link) {
  char target[PATH_MAX];
  const ssize_t size = ::readlink(link.c_str(), target, sizeof target);
  return size > 0 ? std::string(target, static_cast<std::size_t>(size)) : std::string();
}

std::vector<std::string> names_in(const std::string& dir) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(dir.c_str()), ::closedir);
  if (!open) return names;
  while (const dirent* entry = ::readdir(open.get())) names.emplace_back(entry->d_name);
  return names;
}

std::vector<int> all_processes() {
  std::vector<int> pids;
  for (const std::string& name : names_in("/proc")) {
    int pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && *end == '\0') pids.push_back(pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

bool is_below(std::string_view path, std::string_view dir) {
  return path.substr(0, dir.size()) == dir &&
         (path.size() == dir.size() || dir.back() == '/' || path[dir.size()] == '/' ||
          path.substr(dir.size()) == " (deleted)");
}

bool uses(const std::string& proc, const std::string& dir) {
  for (const char* link : {"/cwd", "/root", "/exe"}) {
    if (is_below(link_target(proc + link), dir)) return true;
  }
  for (const std::string& fd : names_in(proc + "/fd")) {
    if (is_below(link_target(proc + "/fd/" + fd), dir)) return true;
  }
  std::ifstream maps(proc + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && is_below(std::string_view(line).substr(path), dir)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Mounted> parse_mountinfo(std::string_view text) {
  std::vector<Mounted> all;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (auto mounted = parse_line(line)) all.push_back(std::move(*mounted));
  }
  return all;
}

std::vector<Mounted> read_mounts() { return parse_mountinfo(contents("/proc/self/mountinfo")); }

std::optional<Mounted> mounted_at(std::string_view dir) {
  std::optional<Mounted> last;
  for (Mounted& mounted : read_mounts()) {
    if (mounted.dir == dir) last = std::move(mounted);
  }
  return last;
}

std::vector<Process> processes_using(const std::string& dir) {
  std::vector<Process> found;
  for (const int pid : all_processes()) {
    const std::string proc = "/proc/" + std::to_string(pid);
    if (!uses(proc, dir)) continue;
    std::string name = contents(proc + "/comm");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    found.push_back({pid, std::move(name)});
  }
  return found;
}

std::vector<int> servers_of(const Mounted& mounted) {
  // Newer kernels tell which connection an open /dev/fuse belongs to.
  const std::string minor = mounted.device.substr(mounted.device.find(':') + 1);
  const std::string ours = "fuse_connection:\t" + minor + "\n";
  std::vector<int> found;
  for (const int pid : all_processes()) {
    const std::string proc = "/proc/" + std::to_string(pid);
    bool has_file = false, has_connection = false;
    for (const std::string& fd : names_in(proc + "/fd")) {
      const std::string target = link_target(proc + "/fd/" + fd);
      if (target == mounted.source) has_file = true;
      if (target != "/dev/fuse") continue;
      const std::string info = contents(proc + "/fdinfo/" + fd);
      has_connection = has_connection || info.find("fuse_connection:") == std::string::npos ||
                       info.find(ours) != std::string::npos;
    }
    if (has_file && has_connection) found.push_back(pid);
  }
  return found;
}

}  // namespace prefixfs
