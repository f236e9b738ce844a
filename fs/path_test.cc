#include "fs/path.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

TEST(Path, IsCanonicalWhateverIsWritten) {
  EXPECT_EQ(Path::parse("/docs/a.txt")->text(), "/docs/a.txt");
  EXPECT_EQ(Path::parse("docs//a.txt/")->text(), "/docs/a.txt");
  EXPECT_EQ(Path::parse("/./docs/./")->text(), "/docs");
  EXPECT_EQ(Path::parse("/")->text(), "/");
  EXPECT_EQ(Path::parse("")->text(), "/");
  EXPECT_EQ(Path::parse(" ")->text(), "/ ");
}

TEST(Path, RefusesWhatIsNoPath) {
  EXPECT_EQ(Path::parse("/a/../b").error(), std::errc::invalid_argument);
  EXPECT_EQ(Path::parse(std::string_view("/a\0b", 4)).error(), std::errc::invalid_argument);
  EXPECT_TRUE(Path::parse("/" + std::string(255, 'x')));
  EXPECT_EQ(Path::parse("/" + std::string(256, 'x')).error(), std::errc::filename_too_long);
}

TEST(Path, KnowsItsParts) {
  const Path path = *Path::parse("/a/b/c");
  EXPECT_EQ(path.name(), "c");
  EXPECT_EQ(path.parent().text(), "/a/b");
  EXPECT_EQ(path.depth(), 3u);
  EXPECT_EQ(path.below(*Path::parse("/a")), "b/c");
  EXPECT_EQ(path.below(path), "");
  EXPECT_EQ(Path().name(), "");
  EXPECT_EQ(Path().parent(), Path());
  EXPECT_EQ(Path().child("x").text(), "/x");
  EXPECT_EQ(Path().with_slash(), "/");
  EXPECT_EQ(path.with_slash(), "/a/b/c/");
}

TEST(Path, ContainsWholeComponentsOnly) {
  const Path docs = *Path::parse("/docs");
  EXPECT_TRUE(docs.contains(docs));
  EXPECT_TRUE(docs.contains(*Path::parse("/docs/a")));
  EXPECT_FALSE(docs.contains(*Path::parse("/docs-archive")));
  EXPECT_FALSE(docs.contains(*Path::parse("/doc")));
  EXPECT_TRUE(Path().contains(docs));
}

TEST(Path, IsBuiltFromNamesInnermostFirst) {
  const std::string c = "c", b = "b";
  const std::vector<const std::string*> names = {&c, &b};
  EXPECT_EQ(Path::from_components(names).text(), "/b/c");
  EXPECT_EQ(Path::from_components({}).text(), "/");
}

TEST(CheckName, AllowsAnyBytesButSlashAndNul) {
  EXPECT_TRUE(check_name("a b\n\xff\x01"));
  EXPECT_EQ(check_name("").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(check_name(".").error(), std::errc::invalid_argument);
  EXPECT_EQ(check_name("..").error(), std::errc::invalid_argument);
  EXPECT_EQ(check_name("a/b").error(), std::errc::invalid_argument);
  EXPECT_TRUE(check_name("..."));
}

}  // namespace
}  // namespace prefixfs
