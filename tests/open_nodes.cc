// What POSIX promises about files and folders that are open while their names change:
//
//   open_nodes DIR      makes and removes things in DIR
//
// Exit status 0: all of it held; 1: what did not is on standard error.

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace {

int failures = 0;

void check(bool holds, const char* what, int line) {
  if (holds) return;
  const int error = errno;
  std::cerr << "line " << line << ": " << what << " (errno says: " << std::strerror(error) << ")\n";
  ++failures;
}
#define CHECK(condition) check((condition), #condition, __LINE__)

bool fails_with(int error, long result) { return result < 0 && errno == error; }

struct stat status_of(int fd) {
  struct stat status {};
  CHECK(::fstat(fd, &status) == 0);
  return status;
}

std::string content(int fd) {
  std::string bytes(1 << 20, '\0');
  const ssize_t got = ::pread(fd, bytes.data(), bytes.size(), 0);
  CHECK(got >= 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

bool put(int fd, const std::string& bytes, off_t at) {
  return ::pwrite(fd, bytes.data(), bytes.size(), at) == static_cast<ssize_t>(bytes.size());
}

void unlinked_file_lives_on() {
  const int fd = ::open("doomed", O_RDWR | O_CREAT | O_EXCL, 0640);
  CHECK(fd >= 0);
  CHECK(put(fd, "before", 0));
  CHECK(::unlink("doomed") == 0);
  CHECK(fails_with(ENOENT, ::open("doomed", O_RDONLY)));
  CHECK(status_of(fd).st_nlink == 0);
  CHECK(status_of(fd).st_size == 6);
  CHECK(content(fd) == "before");
  CHECK(put(fd, " and after", 6));
  CHECK(content(fd) == "before and after");
  CHECK(::ftruncate(fd, 3) == 0);
  CHECK(::fchmod(fd, 0600) == 0);
  CHECK(::fsync(fd) == 0);
  CHECK(content(fd) == "bef");
  CHECK((status_of(fd).st_mode & 07777) == 0600);

  // A new file of that name is another one.
  const int other = ::open("doomed", O_RDWR | O_CREAT | O_EXCL, 0640);
  CHECK(other >= 0);
  CHECK(content(other).empty());
  CHECK(status_of(other).st_ino != status_of(fd).st_ino);
  CHECK(put(other, "other", 0));
  CHECK(content(fd) == "bef");
  CHECK(::close(fd) == 0);
  CHECK(content(other) == "other");
  CHECK(::close(other) == 0);
  CHECK(::unlink("doomed") == 0);
}

void replaced_file_lives_on() {
  const int old = ::open("target", O_RDWR | O_CREAT, 0644);
  CHECK(put(old, "old", 0));
  const int fresh = ::open("fresh", O_RDWR | O_CREAT, 0644);
  CHECK(put(fresh, "fresh", 0));
  CHECK(::rename("fresh", "target") == 0);
  CHECK(content(old) == "old");
  CHECK(status_of(old).st_nlink == 0);
  const int seen = ::open("target", O_RDONLY);
  CHECK(content(seen) == "fresh");
  CHECK(status_of(seen).st_ino == status_of(fresh).st_ino);
  ::close(seen);
  ::close(old);
  ::close(fresh);
  CHECK(::unlink("target") == 0);
}

nlink_t links_of(const char* path) {
  struct stat status {};
  CHECK(::lstat(path, &status) == 0);
  return status.st_nlink;
}

void names_of_one_file() {
  CHECK(::mkdir("left", 0755) == 0);
  CHECK(::mkdir("right", 0755) == 0);
  const int fd = ::open("left/a", O_RDWR | O_CREAT | O_EXCL, 0640);
  CHECK(fd >= 0);
  CHECK(::link("left/a", "right/b") == 0);
  CHECK(status_of(fd).st_nlink == 2);
  CHECK(::linkat(fd, "", AT_FDCWD, "right/c", AT_EMPTY_PATH) == 0);
  CHECK(status_of(fd).st_nlink == 3 && links_of("left/a") == 3 && links_of("right/b") == 3);
  CHECK(put(fd, "content", 0));
  const int other = ::open("right/b", O_RDWR);
  CHECK(content(other) == "content");
  CHECK(status_of(other).st_ino == status_of(fd).st_ino);
  CHECK(::rename("left", "moved") == 0);
  CHECK(::rename("moved/a", "right/d") == 0);
  CHECK(::rename("right/d", "right/b") == 0);  // names of one file: both stay
  CHECK(links_of("right/d") == 3 && links_of("right/b") == 3);
  CHECK(fails_with(EEXIST, ::link("right/b", "right/c")));
  CHECK(fails_with(EPERM, ::link("moved", "right/folder")));
  CHECK(::unlink("right/b") == 0);
  CHECK(::unlink("right/c") == 0);
  CHECK(status_of(fd).st_nlink == 1);
  CHECK(put(other, "CONTENT", 0));
  CHECK(content(fd) == "CONTENT");
  CHECK(::unlink("right/d") == 0);
  CHECK(status_of(fd).st_nlink == 0);
  CHECK(content(other) == "CONTENT");
  CHECK(fails_with(ENOENT, ::linkat(fd, "", AT_FDCWD, "right/e", AT_EMPTY_PATH)));
  ::close(other);
  CHECK(content(fd) == "CONTENT");
  ::close(fd);
  CHECK(::rmdir("right") == 0);
  CHECK(::rmdir("moved") == 0);
}

void removed_folder() {
  CHECK(::mkdir("gone", 0755) == 0);
  const int fd = ::open("gone", O_RDONLY | O_DIRECTORY);
  CHECK(fd >= 0);
  CHECK(::rmdir("gone") == 0);
  CHECK(status_of(fd).st_nlink == 0);
  CHECK(S_ISDIR(status_of(fd).st_mode));
  CHECK(::fchmod(fd, 0700) == 0);
  CHECK((status_of(fd).st_mode & 07777) == 0700);
  CHECK(fails_with(ENOENT, ::openat(fd, "new", O_CREAT | O_RDWR, 0644)));
  CHECK(fails_with(ENOENT, ::mkdirat(fd, "new", 0755)));
  CHECK(fails_with(ENOENT, ::openat(fd, "old", O_RDONLY)));
  ::close(fd);
}

void renamed_folder_with_open_files() {
  CHECK(::mkdir("here", 0755) == 0);
  CHECK(::mkdir("here/sub", 0755) == 0);
  const int file = ::open("here/sub/file", O_RDWR | O_CREAT, 0644);
  const int folder = ::open("here/sub", O_RDONLY | O_DIRECTORY);
  CHECK(file >= 0 && folder >= 0);
  CHECK(put(file, "one", 0));
  CHECK(::rename("here", "there") == 0);
  CHECK(put(file, " two", 3));
  CHECK(content(file) == "one two");
  const int again = ::openat(folder, "file", O_RDONLY);
  CHECK(again >= 0);
  CHECK(content(again) == "one two");
  const int made = ::openat(folder, "made", O_RDWR | O_CREAT | O_EXCL, 0644);
  CHECK(made >= 0);
  struct stat status {};
  CHECK(::stat("there/sub/made", &status) == 0);
  CHECK(status.st_ino == status_of(made).st_ino);
  CHECK(fails_with(ENOENT, ::stat("here/sub/file", &status)));
  for (const int fd : {file, folder, again, made}) ::close(fd);
  CHECK(::unlink("there/sub/made") == 0);
  CHECK(::unlink("there/sub/file") == 0);
  CHECK(::rmdir("there/sub") == 0);
  CHECK(::rmdir("there") == 0);
}

std::string entry_name(int i) { return "busy/entry " + std::to_string(i); }

// Every entry that is there from the start to the end is listed once, whatever else is removed and
// made meanwhile.
void listing_while_it_changes() {
  constexpr int kEntries = 4000;
  CHECK(::mkdir("busy", 0755) == 0);
  for (int i = 0; i < kEntries; ++i) {
    const int fd = ::open(entry_name(i).c_str(), O_CREAT | O_WRONLY, 0644);
    CHECK(fd >= 0);
    ::close(fd);
  }
  DIR* dir = ::opendir("busy");
  CHECK(dir != nullptr);
  if (dir == nullptr) return;
  std::multiset<std::string> seen;
  int next = 0;
  while (const dirent* entry = ::readdir(dir)) {
    seen.insert(entry->d_name);
    if (next < kEntries) {  // remove the odd ones, and make others
      CHECK(::unlink(entry_name(next + 1).c_str()) == 0);
      const std::string made = "busy/made " + std::to_string(next);
      const int fd = ::open(made.c_str(), O_CREAT | O_WRONLY, 0644);
      CHECK(fd >= 0);
      ::close(fd);
      next += 2;
    }
  }
  int missing = 0;
  for (int i = 0; i < kEntries; i += 2) {
    if (seen.count(entry_name(i).substr(5)) != 1) ++missing;
  }
  CHECK(missing == 0);
  int twice = 0;
  for (const std::string& name : seen) twice += seen.count(name) > 1 ? 1 : 0;
  CHECK(twice == 0);

  // Back to a place that was remembered.
  ::rewinddir(dir);
  for (int i = 0; i < 100; ++i) ::readdir(dir);
  const long place = ::telldir(dir);
  const dirent* entry = ::readdir(dir);
  const std::string name = entry != nullptr ? entry->d_name : "";
  while (::readdir(dir) != nullptr) {
  }
  ::seekdir(dir, place);
  entry = ::readdir(dir);
  CHECK(entry != nullptr && name == entry->d_name);

  // Removing while listing, as rm -r does.
  ::rewinddir(dir);
  while (const dirent* each = ::readdir(dir)) {
    const std::string path = std::string("busy/") + each->d_name;
    if (each->d_name[0] != '.') CHECK(::unlink(path.c_str()) == 0);
  }
  ::closedir(dir);
  CHECK(::rmdir("busy") == 0);
}

void truncated_both_ways() {
  const int fd = ::open("length", O_RDWR | O_CREAT, 0644);
  const std::string bytes(200'000, 'x');
  CHECK(put(fd, bytes, 0));
  CHECK(::ftruncate(fd, 70'001) == 0);
  CHECK(::ftruncate(fd, 300'000) == 0);
  CHECK(::fsync(fd) == 0);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  CHECK(content(fd) == std::string(70'001, 'x') + std::string(300'000 - 70'001, '\0'));
  CHECK(put(fd, "end", 1'000'000));
  const std::string all = content(fd);
  CHECK(all.size() == 1'000'003);
  CHECK(all.find_first_not_of('\0', 70'001) == 1'000'000);
  ::close(fd);
  CHECK(::unlink("length") == 0);
}

void mapped() {
  const int fd = ::open("mapped", O_RDWR | O_CREAT, 0644);
  CHECK(::ftruncate(fd, 100'000) == 0);
  auto* map =
      static_cast<char*>(::mmap(nullptr, 100'000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  CHECK(map != MAP_FAILED);
  if (map == MAP_FAILED) return;
  std::memcpy(map + 65'530, "across the edge", 15);
  CHECK(content(fd).substr(65'530, 15) == "across the edge");
  CHECK(put(fd, "written", 10));
  CHECK(std::memcmp(map + 10, "written", 7) == 0);
  // A mapping holds the file without its name and without a descriptor.
  CHECK(::unlink("mapped") == 0);
  ::close(fd);
  map[99'999] = 'z';
  CHECK(::msync(map, 100'000, MS_SYNC) == 0);
  CHECK(std::memcmp(map + 65'530, "across the edge", 15) == 0);
  CHECK(::munmap(map, 100'000) == 0);
}

void appended() {
  const int one = ::open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int two = ::open("log", O_WRONLY | O_APPEND);
  CHECK(one >= 0 && two >= 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(::write(one, "a", 1) == 1);
    CHECK(::write(two, "b", 1) == 1);
  }
  const int fd = ::open("log", O_RDONLY);
  CHECK(content(fd) == "ababab");
  for (const int each : {one, two, fd}) ::close(each);
  CHECK(::unlink("log") == 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || ::chdir(argv[1]) != 0) {
    std::cerr << "usage: open_nodes DIR\n";
    return 2;
  }
  ::umask(0);
  unlinked_file_lives_on();
  replaced_file_lives_on();
  names_of_one_file();
  removed_folder();
  renamed_folder_with_open_files();
  listing_while_it_changes();
  truncated_both_ways();
  mapped();
  appended();
  return failures == 0 ? 0 : 1;
}
