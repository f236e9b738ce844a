#include <gtest/gtest.h>

#include <algorithm>

#include "fs/fuse_session.h"

namespace prefixfs {
namespace {

MountOptions parsed(const std::string& text) {
  MountOptions options;
  const auto problem = parse_mount_options(text, options);
  EXPECT_FALSE(problem) << *problem;
  return options;
}

std::string problem_of(const std::string& text) {
  MountOptions options;
  return parse_mount_options(text, options).value_or("");
}

bool passes_on(const MountOptions& options, const std::string& word) {
  return std::count(options.kernel_options.begin(), options.kernel_options.end(), word) == 1;
}

TEST(MountOptions, NothingChangesNothing) {
  const MountOptions defaults;
  for (const char* text :
       {"", ",", "defaults", "rw,auto,user,nofail,_netdev,x-systemd.automount"}) {
    const MountOptions options = parsed(text);
    EXPECT_EQ(options.drive, "home");
    EXPECT_EQ(options.read_only, defaults.read_only);
    EXPECT_EQ(options.commit_interval, defaults.commit_interval);
    EXPECT_TRUE(options.kernel_options.empty()) << text;
    EXPECT_TRUE(options.cache.writeback);
  }
}

TEST(MountOptions, TakesValues) {
  const MountOptions options =
      parsed("drive=work,commit=2.5,threads=4,timeout=0.25,log=mount.log,layout=path");
  EXPECT_EQ(options.drive, "work");
  EXPECT_EQ(options.commit_interval, std::chrono::milliseconds(2500));
  EXPECT_EQ(options.threads, 4);
  EXPECT_EQ(options.cache.entry_seconds, 0.25);
  EXPECT_EQ(options.cache.negative_seconds, 0.25);
  EXPECT_EQ(options.log_file, "mount.log");
  EXPECT_EQ(options.layout, "path");
}

TEST(MountOptions, TakesASize) {
  EXPECT_EQ(parsed("rw").most_bytes, std::nullopt);
  EXPECT_EQ(parsed("size=5000").most_bytes, 5000u);
  EXPECT_EQ(parsed("size=3K").most_bytes, 3u << 10);
  EXPECT_EQ(parsed("size=64M").most_bytes, 64u << 20);
  EXPECT_EQ(parsed("size=5G").most_bytes, std::uint64_t{5} << 30);
}

TEST(MountOptions, LaterOnesWin) {
  EXPECT_FALSE(parsed("ro,rw").read_only);
  EXPECT_TRUE(parsed("rw,ro").read_only);
  EXPECT_EQ(parsed("threads=2,threads=3").threads, 3);
}

TEST(MountOptions, SyncAndNocacheLeaveNothingWithTheKernel) {
  const MountOptions sync = parsed("sync");
  EXPECT_TRUE(sync.sync_each);
  EXPECT_FALSE(sync.cache.writeback);
  EXPECT_GT(sync.cache.entry_seconds, 0);

  const MountOptions nocache = parsed("nocache");
  EXPECT_FALSE(nocache.cache.writeback);
  EXPECT_EQ(nocache.cache.entry_seconds, 0);
  EXPECT_EQ(nocache.cache.negative_seconds, 0);

  EXPECT_FALSE(parsed("nowriteback").cache.writeback);
}

TEST(MountOptions, WordsOfTheKernelArePassedOnAsGiven) {
  const MountOptions options = parsed("nosuid,nodev,noexec,noatime,relatime,allow_root");
  for (const char* word : {"nosuid", "nodev", "noexec", "noatime", "allow_root"}) {
    EXPECT_TRUE(passes_on(options, word)) << word;
  }
  EXPECT_FALSE(passes_on(options, "relatime"));
  EXPECT_FALSE(options.allow_other);
  EXPECT_TRUE(parsed("allow_other").allow_other);
  EXPECT_TRUE(parsed("default_permissions").kernel_options.empty());
}

TEST(MountOptions, NamesWhatItDoesNotKnow) {
  for (const char* text : {"bogus", "bogus=1", "ro=1", "remount", "comit=3"}) {
    EXPECT_EQ(problem_of(std::string("rw,") + text + ",ro"),
              std::string(text) + ": no such option");
  }
}

TEST(MountOptions, RefusesValuesThatMakeNoSense) {
  for (const char* text :
       {"commit",     "commit=",     "commit=0",    "commit=-1",   "commit=1s",
        "commit=nan", "commit=1e3x", "threads=0",   "threads=65",  "threads=2x",
        "threads=",   "timeout=-1",  "timeout=inf", "size=",       "size=0",
        "size=M",     "size=5T",     "size=1.5G",   "size=-1",     "size=99999999999G",
        "drive=",     "drive=a/b",   "drive=a#b",   "layout=flat", "log="}) {
    EXPECT_EQ(problem_of(text).rfind(std::string(text) + ": ", 0), 0u) << text;
  }
}

}  // namespace
}  // namespace prefixfs
