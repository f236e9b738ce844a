// A load whose daemon is going to be killed, and what has to hold afterwards.
//
//   crash_load run DIR LOG SEED    works in DIR until a call fails, and writes into LOG, outside of
//                                  it, what fsync has acknowledged
//   crash_load check DIR LOG       all that LOG acknowledges is there, byte for byte; a folder that
//                                  was being renamed is whole under one of its names
//
// LOG holds a line for each acknowledgment: "file NAME SIZE SEED", "gone NAME", "folder NAME".  The
// last state of a name counts; what was begun after the last line for a name may or may not be
// there.  A line "trying NAME" comes before whatever changes a name.
//
// Exit status 0: all holds, or the load was ended; 1: what does not is on standard error.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>

namespace {

constexpr int kInFolder = 200;
constexpr const char* kFolders[] = {"moving-a", "moving-b"};

std::string bytes(std::uint64_t seed, std::size_t size) {
  std::mt19937_64 random(seed);
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; i += 8) {
    const std::uint64_t word = random();
    std::memcpy(&text[i], &word, std::min<std::size_t>(8, size - i));
  }
  return text;
}

class Load {
 public:
  Load(std::string dir, const std::string& log, std::uint64_t seed)
      : dir_(std::move(dir)),
        log_(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)),
        random_(seed) {
    if (log_ < 0) throw std::runtime_error(log + ": " + std::strerror(errno));
  }

  // Returns when a call on the mount failed, as they do when its daemon has gone.
  void run() {
    if (!make_folder()) return;
    while (step()) continue;
  }

 private:
  void say(const std::string& line) {
    const std::string text = line + "\n";
    if (::write(log_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  std::string at(const std::string& name) const { return dir_ + "/" + name; }
  std::uint64_t pick(std::uint64_t n) { return random_() % n; }

  bool sync_folder() {
    const int fd = ::open(dir_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool good = ::fsync(fd) == 0;
    ::close(fd);
    return good;
  }

  bool make_folder() {
    for (const char* name : kFolders) {
      if (::access(at(name).c_str(), F_OK) == 0) return true;
    }
    say(std::string("trying ") + kFolders[0]);
    const std::string made = at("being-made");
    std::filesystem::remove_all(made);
    if (::mkdir(made.c_str(), 0755) != 0) return false;
    for (int i = 0; i < kInFolder; ++i) {
      const int fd = ::open((made + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0644);
      if (fd < 0) return false;
      ::close(fd);
    }
    if (::rename(made.c_str(), at(kFolders[0]).c_str()) != 0 || !sync_folder()) return false;
    say(std::string("folder ") + kFolders[0]);
    return true;
  }

  bool step() {
    const std::string name = "f" + std::to_string(pick(40));
    switch (pick(6)) {
      case 0:
        return write(name, false);
      case 1:
      case 2:
        return write(name, true);
      case 3:
        return remove(name);
      case 4:
        return rename_folder();
      default:
        return noise();
    }
  }

  bool write(const std::string& name, bool sync) {
    const std::size_t size = pick(4) == 0 ? pick(300'000) : pick(3000);
    const std::uint64_t seed = random_();
    const std::string text = bytes(seed, size);
    say("trying " + name);
    const int fd = ::open(at(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    bool good = ::write(fd, text.data(), size) == static_cast<ssize_t>(size);
    if (good && sync) {
      good = ::fsync(fd) == 0;
      if (good) say("file " + name + " " + std::to_string(size) + " " + std::to_string(seed));
    }
    ::close(fd);
    return good;
  }

  bool remove(const std::string& name) {
    say("trying " + name);
    if (::unlink(at(name).c_str()) != 0 && errno != ENOENT) return false;
    if (!sync_folder()) return false;
    say("gone " + name);
    return true;
  }

  bool rename_folder() {
    const bool at_a = ::access(at(kFolders[0]).c_str(), F_OK) == 0;
    const char *from = kFolders[at_a ? 0 : 1], *to = kFolders[at_a ? 1 : 0];
    return ::rename(at(from).c_str(), at(to).c_str()) == 0;
  }

  // Nothing that is looked for afterwards, but what the log of the table is full of.
  bool noise() {
    const std::string name = at("noise" + std::to_string(pick(8)));
    if (::mkdir(name.c_str(), 0755) == 0) return true;
    return errno == EEXIST && ::rmdir(name.c_str()) == 0;
  }

  const std::string dir_;
  const int log_;
  std::mt19937_64 random_;
};

struct Known {
  bool there = false;
  std::size_t size = 0;
  std::uint64_t seed = 0;
};

std::map<std::string, std::optional<Known>> read_log(const std::string& log) {
  std::map<std::string, std::optional<Known>> names;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, name;
    words >> what >> name;
    if (what == "trying") names[name].reset();
    if (what == "gone") names[name] = Known{};
    if (what == "file") {
      Known known{.there = true};
      words >> known.size >> known.seed;
      names[name] = known;
    }
  }
  return names;
}

int check(const std::string& dir, const std::string& log) {
  int failures = 0;
  const auto fail = [&](const std::string& what) {
    std::cerr << what << '\n';
    ++failures;
  };
  for (const auto& [name, known] : read_log(log)) {
    if (!known) continue;
    std::ifstream in(dir + "/" + name, std::ios::binary);
    if (!known->there) {
      if (in) fail(name + " was removed and is there");
      continue;
    }
    if (!in) {
      fail(name + " was synced and is not there");
      continue;
    }
    std::ostringstream text;
    text << in.rdbuf();
    if (text.str() != bytes(known->seed, known->size)) fail(name + " is not what was synced");
  }
  int whole = 0;
  for (const char* name : kFolders) {
    std::error_code error;
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir + "/" + name, error)) {
      (void)entry;
      ++entries;
    }
    if (error) continue;
    ++whole;
    if (entries != kInFolder) fail(std::string(name) + " has " + std::to_string(entries));
  }
  std::ifstream in(log);
  const std::string all((std::istreambuf_iterator<char>(in)), {});
  if (all.find("folder ") != std::string::npos && whole != 1) {
    fail("the renamed folder is there " + std::to_string(whole) + " times");
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "run" && argc == 5) {
    Load(argv[2], argv[3], std::stoull(argv[4])).run();
    return 0;
  }
  if (verb == "check" && argc == 4) return check(argv[2], argv[3]);
  std::cerr << "crash_load run DIR LOG SEED | check DIR LOG\n";
  return 2;
}
