// The client of tests/bench/run.sh: does one work in the current folder and prints how many
// operations that was and how many seconds they took.
//
//   bench_client create|stat|unlink FILES [THREADS]   over nested folders of 100 files
//   bench_client plant FILES                          the same, empty
//   bench_client fill FILES                           a folder "wide" of empty files
//   bench_client list                                 the folder "wide"
//   bench_client rename-file TIMES                    one file, there and back
//   bench_client rename-folder OPERATIONS             "tree", there and back; an operation each
//   node bench_client write-file|read-file BYTES           "big", in requests of 1 MiB; writing
//   ends with fsync bench_client random-read|random-write TIMES       "big", 4 KiB each; writing
//   ends with fsync bench_client append TIMES                         4 KiB each, then fsync
//   bench_client write-fsync FILES                    a file of 4 KiB, fsync, the next
//   bench_client command OPERATIONS WORD...           a program, its output thrown away
//   bench_client drop FILE...                         what the kernel keeps of the files' content
//
// Exit status 1: something failed, and standard error says what.

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kSmallFileBytes = 512;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kRequestBytes = 1024 * 1024;
constexpr std::uint64_t kFilesInFolder = 100;
constexpr std::uint64_t kFoldersInFolder = 10;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "bench_client: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}
template <class Number>
Number checked(Number result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

class File {
 public:
  File(const std::string& name, int flags)
      : fd_(checked(::open(name.c_str(), flags | O_CLOEXEC, 0644), "open " + name)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  void close() { checked(::close(std::exchange(fd_, -1)), "close"); }

 private:
  int fd_;
};

void write_all(int fd, std::span<const char> bytes) {
  const auto size = static_cast<ssize_t>(bytes.size());
  if (checked(::write(fd, bytes.data(), bytes.size()), "write") != size) fail("a short write");
}

// Bytes that no file system could leave out.
std::vector<char> noise(std::size_t size) {
  std::vector<char> bytes(size);
  std::minstd_rand random(1);
  for (char& byte : bytes) byte = static_cast<char>(random() >> 8);
  return bytes;
}

// ---- Time ----

struct Done {
  std::uint64_t operations = 0;
  double seconds = 0;
  double processor = 0;
};

double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage {};
    checked(::getrusage(who, &usage), "getrusage");
    for (const timeval& each : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(each.tv_sec) + 1e-6 * static_cast<double>(each.tv_usec);
    }
  }
  return sum;
}

Done timed(std::uint64_t operations, const std::function<void()>& work) {
  const double before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {operations, taken.count(), processor_seconds() - before};
}

// ---- Many small files ----

std::string folder_of(std::uint64_t file) {
  const std::uint64_t folder = file / kFilesInFolder;
  return "f" + std::to_string(folder / kFoldersInFolder) + "/g" +
         std::to_string(folder % kFoldersInFolder);
}
std::string path_of(std::uint64_t file) {
  return folder_of(file) + "/file" + std::to_string(file % kFilesInFolder);
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) fail("mkdir " + path);
}

// Each thread takes whole outer folders.
void in_threads(std::uint64_t files, unsigned threads,
                const std::function<void(std::uint64_t, std::uint64_t)>& range) {
  const std::uint64_t unit = kFilesInFolder * kFoldersInFolder;
  const std::uint64_t share = ((files + threads - 1) / threads + unit - 1) / unit * unit;
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) {
    others.emplace_back(range, std::min(files, i * share), std::min(files, (i + 1) * share));
  }
  range(0, std::min(files, share));
  for (std::thread& other : others) other.join();
}

Done create(std::uint64_t files, unsigned threads, std::size_t size) {
  const std::vector<char> bytes = noise(size);
  return timed(files, [&] {
    in_threads(files, threads, [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        if (i % (kFilesInFolder * kFoldersInFolder) == 0) {
          make_folder(folder_of(i).substr(0, folder_of(i).find('/')));
        }
        if (i % kFilesInFolder == 0) make_folder(folder_of(i));
        File file(path_of(i), O_WRONLY | O_CREAT | O_EXCL);
        if (!bytes.empty()) write_all(file.get(), bytes);
        file.close();
      }
    });
  });
}

Done create_small(std::uint64_t files, unsigned threads) {
  return create(files, threads, kSmallFileBytes);
}
Done plant(std::uint64_t files, unsigned threads) { return create(files, threads, 0); }

Done stat_all(std::uint64_t files, unsigned threads) {
  return timed(files, [&] {
    in_threads(files, threads, [](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        struct stat status {};
        checked(::stat(path_of(i).c_str(), &status), "stat " + path_of(i));
        if (status.st_size != kSmallFileBytes) fail("the size of " + path_of(i));
      }
    });
  });
}

Done unlink_all(std::uint64_t files, unsigned threads) {
  return timed(files, [&] {
    in_threads(files, threads, [](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        checked(::unlink(path_of(i).c_str()), "unlink " + path_of(i));
      }
    });
  });
}

// ---- Folders ----

Done fill(std::uint64_t files) {
  make_folder("wide");
  return timed(files, [&] {
    for (std::uint64_t i = 0; i < files; ++i) {
      File("wide/file" + std::to_string(i), O_WRONLY | O_CREAT | O_EXCL).close();
    }
  });
}

Done list() {
  std::uint64_t entries = 0;
  Done done = timed(0, [&] {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("wide"), ::closedir);
    if (!folder) fail("opendir wide");
    for (errno = 0; ::readdir(folder.get()) != nullptr;) ++entries;
    if (errno != 0) fail("readdir wide");
  });
  done.operations = entries - 2;  // without "." and ".."
  return done;
}

void move(const char* from, const char* to) {
  checked(::rename(from, to), std::string("rename ") + from);
}

Done rename_file(std::uint64_t times) {
  File("one", O_WRONLY | O_CREAT).close();
  const Done done = timed(2 * times, [&] {
    for (std::uint64_t i = 0; i < times; ++i) {
      move("one", "other");
      move("other", "one");
    }
  });
  checked(::unlink("one"), "unlink one");
  return done;
}

Done rename_folder(std::uint64_t operations) {
  return timed(2 * operations, [] {
    move("tree", "moved");
    move("moved", "tree");
  });
}

// ---- Content ----

Done write_file(std::uint64_t bytes) {
  const std::vector<char> request = noise(kRequestBytes);
  return timed(bytes / kRequestBytes, [&] {
    File file("big", O_WRONLY | O_CREAT | O_TRUNC);
    for (std::uint64_t i = 0; i < bytes / kRequestBytes; ++i) write_all(file.get(), request);
    checked(::fsync(file.get()), "fsync");
    file.close();
  });
}

Done read_file(std::uint64_t bytes) {
  std::vector<char> request(kRequestBytes);
  return timed(bytes / kRequestBytes, [&] {
    File file("big", O_RDONLY);
    std::uint64_t whole = 0;
    while (const auto got = checked(::read(file.get(), request.data(), request.size()), "read")) {
      whole += static_cast<std::uint64_t>(got);
    }
    if (whole != bytes) fail("the length of big");
  });
}

Done random_requests(std::uint64_t times, int flags, const std::function<void(int, off_t)>& one) {
  File file("big", flags);
  struct stat status {};
  checked(::fstat(file.get(), &status), "fstat");
  checked(-::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), "fadvise");
  checked(-::posix_fadvise(file.get(), 0, 0, POSIX_FADV_RANDOM), "fadvise");
  std::mt19937_64 random(1);
  const std::uint64_t pages = static_cast<std::uint64_t>(status.st_size) / kPageBytes;
  return timed(times, [&] {
    for (std::uint64_t i = 0; i < times; ++i) {
      one(file.get(), static_cast<off_t>(random() % pages * kPageBytes));
    }
    if (flags != O_RDONLY) checked(::fsync(file.get()), "fsync");
  });
}

Done random_read(std::uint64_t times) {
  return random_requests(times, O_RDONLY, [](int fd, off_t at) {
    std::array<char, kPageBytes> page;
    if (::pread(fd, page.data(), page.size(), at) != kPageBytes) fail("pread");
  });
}

Done random_write(std::uint64_t times) {
  const std::vector<char> page = noise(kPageBytes);
  return random_requests(times, O_RDWR, [&](int fd, off_t at) {
    if (::pwrite(fd, page.data(), page.size(), at) != kPageBytes) fail("pwrite");
  });
}

Done append(std::uint64_t times) {
  const std::vector<char> page = noise(kPageBytes);
  const Done done = timed(times, [&] {
    File file("log", O_WRONLY | O_CREAT | O_APPEND);
    for (std::uint64_t i = 0; i < times; ++i) write_all(file.get(), page);
    checked(::fsync(file.get()), "fsync");
    file.close();
  });
  checked(::unlink("log"), "unlink log");
  return done;
}

Done write_fsync(std::uint64_t files) {
  const std::vector<char> page = noise(kPageBytes);
  const auto name = [](std::uint64_t i) { return "synced" + std::to_string(i); };
  const Done done = timed(files, [&] {
    for (std::uint64_t i = 0; i < files; ++i) {
      File file(name(i), O_WRONLY | O_CREAT | O_EXCL);
      write_all(file.get(), page);
      checked(::fsync(file.get()), "fsync");
      file.close();
    }
  });
  for (std::uint64_t i = 0; i < files; ++i) checked(::unlink(name(i).c_str()), "unlink " + name(i));
  return done;
}

// ---- Others ----

Done command(std::uint64_t operations, char** words) {
  return timed(operations, [&] {
    const pid_t child = checked(::fork(), "fork");
    if (child == 0) {
      const File nothing("/dev/null", O_WRONLY);
      ::dup2(nothing.get(), STDOUT_FILENO);
      ::execvp(words[0], words);
      std::fprintf(stderr, "bench_client: %s: %s\n", words[0], std::strerror(errno));
      ::_exit(127);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
      std::fprintf(stderr, "bench_client: %s failed\n", words[0]);
      std::exit(1);
    }
  });
}

void drop(const char* name) {
  const File file(name, O_RDONLY);
  checked(::fdatasync(file.get()), std::string("sync ") + name);
  checked(-::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), std::string("fadvise ") + name);
}

std::uint64_t number(const char* text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || value == 0) {
    std::fprintf(stderr, "bench_client: %s: a number above 0 is wanted\n", text);
    std::exit(2);
  }
  return value;
}

struct Verb {
  std::string_view name;
  Done (*work)(std::uint64_t);
};
constexpr std::array<Verb, 9> kVerbs = {{{"fill", fill},
                                         {"rename-file", rename_file},
                                         {"rename-folder", rename_folder},
                                         {"write-file", write_file},
                                         {"read-file", read_file},
                                         {"random-read", random_read},
                                         {"random-write", random_write},
                                         {"append", append},
                                         {"write-fsync", write_fsync}}};

struct ThreadedVerb {
  std::string_view name;
  Done (*work)(std::uint64_t, unsigned);
};
constexpr std::array<ThreadedVerb, 4> kThreadedVerbs = {
    {{"create", create_small}, {"plant", plant}, {"stat", stat_all}, {"unlink", unlink_all}}};

Done run(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  for (const Verb& each : kVerbs) {
    if (each.name == verb && argc == 3) return each.work(number(argv[2]));
  }
  for (const ThreadedVerb& each : kThreadedVerbs) {
    if (each.name != verb || argc < 3 || argc > 4) continue;
    return each.work(number(argv[2]), argc == 4 ? static_cast<unsigned>(number(argv[3])) : 1);
  }
  if (verb == "list" && argc == 2) return list();
  if (verb == "command" && argc > 3) return command(number(argv[2]), argv + 3);
  std::fprintf(stderr, "bench_client: the beginning of client.cc says how it is used\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "drop") {
    for (char** name = argv + 2; *name != nullptr; ++name) drop(*name);
    return 0;
  }
  const Done done = run(argc, argv);
  std::printf("%llu %.9f %.9f\n", static_cast<unsigned long long>(done.operations), done.seconds,
              done.processor);
}
