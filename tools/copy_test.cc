// import and export: what goes in comes out.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "fs/layout.h"
#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

namespace fs = std::filesystem;

// All that a copy has to keep of one file.
struct Seen {
  mode_t mode;
  uid_t uid;
  gid_t gid;
  off_t size;
  dev_t rdev;
  timespec mtime;
  std::string content;  // of files; of symlinks the target

  bool operator==(const Seen& other) const {
    return mode == other.mode && uid == other.uid && gid == other.gid && size == other.size &&
           rdev == other.rdev && mtime.tv_sec == other.mtime.tv_sec &&
           mtime.tv_nsec == other.mtime.tv_nsec && content == other.content;
  }
};

class CopyTest : public CommandTest, public testing::WithParamInterface<std::string_view> {
 protected:
  CopyTest() { make_empty_file(std::string(GetParam())); }

  static std::map<std::string, Seen> snapshot(const std::string& top) {
    std::map<std::string, Seen> seen;
    const auto add = [&](const fs::path& path) {
      struct stat status {};
      ASSERT_EQ(::lstat(path.c_str(), &status), 0) << path;
      const bool folder = S_ISDIR(status.st_mode);
      const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
      Seen one{status.st_mode,
               status.st_uid,
               status.st_gid,
               folder ? 0 : status.st_size,
               device ? status.st_rdev : 0,
               status.st_mtim,
               ""};
      if (S_ISLNK(status.st_mode)) one.content = fs::read_symlink(path).string();
      if (S_ISREG(status.st_mode)) one.content = content_of(path.string());
      seen[path.string().substr(top.size())] = one;
    };
    add(top);
    for (const auto& entry : fs::recursive_directory_iterator(top)) add(entry.path());
    return seen;
  }

  static void set_times(const std::string& path, std::int64_t seconds, long nanoseconds) {
    timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = seconds;
    times[0].tv_nsec = times[1].tv_nsec = nanoseconds;
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0) << path;
  }

  static void expect_same(const std::string& a, const std::string& b) {
    const auto left = snapshot(a), right = snapshot(b);
    EXPECT_EQ(left.size(), right.size());
    for (const auto& [path, seen] : left) {
      const auto other = right.find(path);
      ASSERT_NE(other, right.end()) << path;
      EXPECT_EQ(seen, other->second) << path;
    }
  }

  // The order of a branch is the layout's own.
  static std::string sorted_lines(const std::string& text) {
    std::set<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.insert(line + "\n");
    std::string sorted;
    for (const std::string& line : lines) sorted += line;
    return sorted;
  }

  void round_trip(const std::string& source) {
    out_of({"import", source, in("/copy")});
    out_of({"export", in("/copy"), at("out")});
    expect_same(source, at("out"));
  }
};

TEST_P(CopyTest, KeepsOddNames) {
  fs::create_directory(at("src"));
  const std::vector<std::string> names = {"plain",
                                          "with space",
                                          "new\nline",
                                          "tab\t\033[1m",
                                          "\xFF\xFE not utf-8",
                                          "\xE6\xB5\xB7",
                                          "-rf",
                                          "...",
                                          "back\\slash",
                                          "quote'\"",
                                          std::string(255, 'n'),
                                          std::string(84, 'x') + "\xE6\xB5\xB7" + "*?[a]"};
  for (const std::string& name : names) {
    write_file(at("src/" + name), "content of " + name);
    fs::create_directory(at("src/d" + name.substr(0, 254)));
    write_file(at("src/d" + name.substr(0, 254) + "/" + name), name);
  }
  round_trip(at("src"));
}

TEST_P(CopyTest, KeepsKindsModesAndTimes) {
  fs::create_directories(at("src/inner/deep"));
  write_file(at("src/file"), "x");
  write_file(at("src/empty"), "");
  write_file(at("src/inner/run.sh"), "#!/bin/sh\n");
  ::chmod(at("src/inner/run.sh").c_str(), 04751);
  ::chmod(at("src/file").c_str(), 0400);
  ::chmod(at("src/inner/deep").c_str(), 01777);
  ::chmod(at("src/inner").c_str(), 0510);
  ASSERT_EQ(::symlink("nowhere/at all", at("src/dangling").c_str()), 0);
  ASSERT_EQ(::symlink(std::string(2000, 't').c_str(), at("src/long").c_str()), 0);
  ASSERT_EQ(::mkfifo(at("src/fifo").c_str(), 0620), 0);
  ::chmod(at("src/fifo").c_str(), 0622);
  if (::geteuid() == 0) {
    ASSERT_EQ(::mknod(at("src/null").c_str(), S_IFCHR | 0666, makedev(1, 3)), 0);
    ASSERT_EQ(::lchown(at("src/file").c_str(), 4711, 4712), 0);
    ASSERT_EQ(::lchown(at("src/dangling").c_str(), 4711, 4712), 0);
  }
  set_times(at("src/dangling"), 1234567890, 1);
  set_times(at("src/file"), 1700000000, 123456789);
  set_times(at("src/empty"), -1000, 999999999);  // before 1970
  set_times(at("src/inner/deep"), 1600000000, 500);
  set_times(at("src/inner"), 1500000000, 7);
  set_times(at("src"), 1400000000, 42);
  round_trip(at("src"));
}

TEST_P(CopyTest, KeepsContentOfEverySize) {
  fs::create_directory(at("src"));
  std::mt19937 random(7);
  for (const std::size_t size :
       {1, 511, 65535, 65536, 65537, 131072, 1048575, 1048576, 1048577, 3000000}) {
    std::string content(size, '\0');
    std::generate(content.begin(), content.end(), [&] { return static_cast<char>(random()); });
    write_file(at("src/" + std::to_string(size)), content);
  }
  round_trip(at("src"));
}

TEST_P(CopyTest, KeepsHoles) {
  fs::create_directory(at("src"));
  const int fd = ::open(at("src/sparse").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  ASSERT_GE(fd, 0);
  constexpr off_t kSize = off_t{8} << 30;
  ASSERT_EQ(::pwrite(fd, "middle", 6, (off_t{4} << 30) + 12345), 6);
  ASSERT_EQ(::ftruncate(fd, kSize), 0);
  ::close(fd);
  out_of({"import", at("src/sparse"), in("/")});
  EXPECT_EQ(out_of({"du", in("/sparse")}), "64\t/sparse\n");
  EXPECT_LT(fs::file_size(at("home.db")), 1u << 20);

  out_of({"export", in("/sparse"), at("out")});
  struct stat status {};
  ASSERT_EQ(::stat(at("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_size, kSize);
  EXPECT_LE(status.st_blocks * 512, 128 * 1024);
  std::ifstream out(at("out"), std::ios::binary);
  out.seekg((std::streamoff{4} << 30) + 12344);
  std::string around(8, '?');
  out.read(around.data(), 8);
  EXPECT_EQ(around, std::string("\0middle\0", 8));
}

TEST_P(CopyTest, LandsInsideAFolderAsCpDoes) {
  fs::create_directories(at("src/inner"));
  write_file(at("src/inner/f"), "1");
  out_of({"import", at("src"), in("/")});
  out_of({"import", at("src/"), in("/new")});
  out_of({"import", at("src/."), in("/new2")});
  out_of({"import", at("src/inner/."), in("/new")});  // "." gives its content
  out_of({"import", at("src/inner"), in("/new/inner/")});
  EXPECT_EQ(sorted_lines(out_of({"find", in("/"), "-type", "f"})),
            "/new/f\n/new/inner/f\n/new/inner/inner/f\n/new2/inner/f\n/src/inner/f\n");

  fs::create_directory(at("out"));
  out_of({"export", in("/src"), at("out")});
  EXPECT_EQ(content_of(at("out/src/inner/f")), "1");
  out_of({"export", in("/src/inner/f"), at("out/g")});
  EXPECT_EQ(content_of(at("out/g")), "1");
  out_of({"export", in("/"), at("whole")});
  EXPECT_EQ(content_of(at("whole/new2/inner/f")), "1");
  fs::create_directory(at("out2"));
  out_of({"export", in("/"), at("out2")});
  EXPECT_EQ(content_of(at("out2/new/f")), "1");
  EXPECT_EQ(run({"import", at("src"), in("/absent/below")}).status, 1);
  EXPECT_EQ(run({"export", in("/src"), at("absent/below")}).status, 1);
}

TEST_P(CopyTest, FollowsALinkToAFolderOnlyWithASlash) {
  fs::create_directory(at("src"));
  write_file(at("src/f"), "1");
  fs::create_directory_symlink(at("src"), at("link"));
  out_of({"import", at("link"), in("/")});
  EXPECT_EQ(out_of({"find", in("/"), "-type", "l"}), "/link\n");
  out_of({"import", at("link/"), in("/followed")});
  EXPECT_EQ(out_of({"cat", in("/followed/f")}), "1");
}

TEST_P(CopyTest, KeepsWhatIsThereUnlessForced) {
  fs::create_directories(at("src/d"));
  write_file(at("src/a"), "new a");
  write_file(at("src/d/b"), "new b");
  write_file(at("src/c"), "c");
  write_file(at("old"), "old");
  fs::create_directory(at("olddir"));
  out_of({"import", at("olddir"), in("/src")});
  out_of({"import", at("olddir"), in("/src/d")});
  out_of({"import", at("old"), in("/src/a")});
  out_of({"import", at("old"), in("/src/d/b")});

  const Ran kept = run({"import", at("src"), in("/")});
  EXPECT_EQ(kept.status, 1);
  EXPECT_EQ(kept.err, "prefixfs: " + in("/src/a") + ": File exists\nprefixfs: " + in("/src/d/b") +
                          ": File exists\n");
  EXPECT_EQ(out_of({"cat", in("/src/a")}), "old");
  EXPECT_EQ(out_of({"cat", in("/src/c")}), "c");  // the rest went
  out_of({"import", "--force", at("src"), in("/")});
  EXPECT_EQ(out_of({"cat", in("/src/a")}), "new a");
  EXPECT_EQ(out_of({"cat", in("/src/d/b")}), "new b");

  fs::create_directories(at("out/src"));
  write_file(at("out/src/a"), "mine");
  EXPECT_EQ(run({"export", in("/src"), at("out")}).err,
            "prefixfs: " + at("out/src/a") + ": File exists\n");
  EXPECT_EQ(content_of(at("out/src/a")), "mine");
  EXPECT_EQ(content_of(at("out/src/d/b")), "new b");
  out_of({"export", "--force", in("/src"), at("out")});
  EXPECT_EQ(content_of(at("out/src/a")), "new a");

  // A folder and a file never take each other's place.
  EXPECT_EQ(run({"import", "--force", at("old"), in("/src/d")}).status, 0);  // lands inside
  EXPECT_EQ(run({"import", "--force", at("olddir"), in("/src/a")}).err,
            "prefixfs: " + in("/src/a") + ": File exists\n");
}

TEST_P(CopyTest, NeverWritesThroughALink) {
  fs::create_directories(at("src/d"));
  write_file(at("src/d/f"), "secret");
  write_file(at("src/g"), "secret");
  out_of({"import", at("src"), in("/src")});
  fs::create_directories(at("elsewhere"));
  write_file(at("elsewhere/g"), "untouched");
  fs::create_directories(at("out/src"));
  fs::create_directory_symlink(at("elsewhere"), at("out/src/d"));
  fs::create_symlink(at("elsewhere/g"), at("out/src/g"));
  for (const bool force : {false, true}) {
    std::vector<std::string> args = {"export", in("/src"), at("out")};
    if (force) args.insert(args.begin() + 1, "--force");
    EXPECT_EQ(run(args).status, 1);
    EXPECT_FALSE(fs::exists(at("elsewhere/f")));
    EXPECT_EQ(content_of(at("elsewhere/g")), "untouched");
  }
  EXPECT_EQ(content_of(at("out/src/g")), "secret");  // forced: the link itself was replaced
  EXPECT_FALSE(fs::is_symlink(at("out/src/g")));
}

TEST_P(CopyTest, NamesOfOneFileStayThat) {
  fs::create_directories(at("src/sub"));
  write_file(at("src/a"), std::string(100'000, 'x'));
  fs::create_hard_link(at("src/a"), at("src/sub/b"));
  fs::create_hard_link(at("src/a"), at("src/sub/c"));
  fs::create_hard_link(at("src/a"), at("outside"));
  fs::create_symlink("a", at("src/s"));
  fs::create_hard_link(at("src/s"), at("src/t"));
  write_file(at("src/other"), "other");
  const Ran ran = run({"import", at("src"), in("/")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  const auto links = [&](const std::string& path) {
    const std::string said = out_of({"stat", "--json", in(path)});
    const std::size_t from = said.find("\"links\": ") + 9;
    return said.substr(from, said.find(',', from) - from);
  };
  EXPECT_EQ(links("/src/a"), "3");
  EXPECT_EQ(links("/src/sub/c"), "3");
  EXPECT_EQ(links("/src/t"), "2");
  EXPECT_EQ(links("/src/other"), "1");
  EXPECT_EQ(out_of({"du", "-s", in("/src")}), "99\t/src\n");  // 196 sectors and one

  EXPECT_EQ(run({"export", in("/src"), at("back")}).err, "");
  EXPECT_EQ(fs::hard_link_count(at("back/a")), 3u);
  EXPECT_TRUE(fs::equivalent(at("back/a"), at("back/sub/b")));
  EXPECT_TRUE(fs::equivalent(at("back/a"), at("back/sub/c")));
  EXPECT_EQ(fs::hard_link_count(at("back/other")), 1u);
  EXPECT_EQ(content_of(at("back/sub/c")), std::string(100'000, 'x'));
  EXPECT_EQ(fs::read_symlink(at("back/t")), "a");

  // Once more into what is there, then over it.
  EXPECT_EQ(run({"export", in("/src"), at("back")}).status, 0);
  EXPECT_EQ(fs::hard_link_count(at("back/src/a")), 3u);
  EXPECT_EQ(run({"export", in("/src"), at("back")}).status, 1);
  fs::create_directory(at("back2"));
  EXPECT_EQ(run({"export", "--force", in("/src"), at("back2")}).status, 0);
  EXPECT_EQ(run({"export", "--force", in("/src"), at("back2")}).status, 0);
  EXPECT_EQ(fs::hard_link_count(at("back2/src/a")), 3u);
  EXPECT_EQ(run({"import", at("src"), in("/")}).status, 1);
  EXPECT_EQ(run({"import", "--force", at("src"), in("/")}).status, 0);
  EXPECT_EQ(links("/src/sub/b"), "3");
  EXPECT_EQ(run({"rm", in("/src/a")}).status, 0);
  EXPECT_EQ(links("/src/sub/b"), "2");
  EXPECT_EQ(run({"rm", "-r", in("/src/sub")}).status, 0);
  EXPECT_EQ(out_of({"du", "-s", in("/src")}), "1\t/src\n");
}

// What has taken the place of the first name since is no name of the file.
TEST_P(CopyTest, ExportLinksToNothingThatItDidNotMake) {
  fs::create_directories(at("src/sub"));
  write_file(at("src/a"), "content");
  fs::create_hard_link(at("src/a"), at("src/sub/b"));
  ASSERT_EQ(run({"import", at("src"), in("/")}).status, 0);
  fs::create_directories(at("out/src/sub"));
  write_file(at("out/src/a"), "another");
  const Ran ran = run({"export", in("/src"), at("out")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(content_of(at("out/src/a")), "another");
  EXPECT_EQ(content_of(at("out/src/sub/b")), "content");
}

TEST_P(CopyTest, LeavesTheTableItselfOut) {
  fs::create_directory(at("sub"));
  write_file(at("sub/f"), "1");
  const Ran ran = run({"import", at("."), in("/all")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find(at("./home.db") + ": left out, it is the table itself\n"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(out_of({"find", in("/all")}), "/all\n/all/sub\n/all/sub/f\n");
}

TEST_P(CopyTest, UnreadableFilesAreReportedAndTheRestGoes) {
  fs::create_directory(at("src"));
  write_file(at("src/a"), "1");
  write_file(at("src/b"), "2");
  write_file(at("src/c"), "3");
  ::chmod(at("src/b").c_str(), 0);
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  EXPECT_EQ(run({"import", at("src"), in("/")}).status, 1);
  EXPECT_EQ(out_of({"ls", in("/src")}), "a\nc\n");
}

TEST_P(CopyTest, GoesAsDeepAsAnyPath) {
  // Deeper than a path of 4,096 bytes, made and read step by step.
  fs::create_directory(at("src"));
  int at_fd = ::open(at("src").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string name(100, 'd');
  constexpr int kDepth = 60;
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(at_fd, name.c_str(), 0755), 0);
    const int next = ::openat(at_fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(at_fd);
    at_fd = next;
  }
  ::close(::openat(at_fd, "bottom", O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  ::close(at_fd);
  out_of({"import", at("src"), in("/")});
  out_of({"export", in("/src"), at("out")});
  at_fd = ::open(at("out").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < kDepth; ++i) {
    const int next = ::openat(at_fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(next, 0) << i;
    ::close(at_fd);
    at_fd = next;
  }
  EXPECT_EQ(::faccessat(at_fd, "bottom", F_OK, 0), 0);
  ::close(at_fd);
}

INSTANTIATE_TEST_SUITE_P(EveryLayout, CopyTest, testing::ValuesIn(kLayoutNames),
                         [](const auto& layout) { return std::string(layout.param); });

}  // namespace
}  // namespace prefixfs
