#include "fs/keys.h"

#include <gtest/gtest.h>

namespace prefixfs {
namespace {

TEST(Keys, SpellTheModel) {
  const Path a = *Path::parse("/docs/a.txt");
  EXPECT_EQ(path_key("home", a), (table::Key{"DRIVE#home", "PATH#/docs/a.txt"}));
  EXPECT_EQ(path_key("home", Path()), (table::Key{"DRIVE#home", "PATH#/"}));
  EXPECT_EQ(below_prefix(a), "PATH#/docs/a.txt/");
  EXPECT_EQ(below_prefix(Path()), "PATH#/");
  EXPECT_EQ(drive_key("home"), (table::Key{"DRIVES", "DRIVE#home"}));
  EXPECT_EQ(ids_key(), (table::Key{"DRIVES", "IDS"}));
  EXPECT_EQ(orphan_key("home", NodeId{7}), (table::Key{"DRIVE#home#ORPHAN", "NODE#7"}));
  EXPECT_EQ(flag_key("prod", "dark-mode"), (table::Key{"ENV#prod", "FLAG#dark-mode"}));
}

TEST(Keys, ReadBackWhatTheySpell) {
  for (const char* text : {"/", "/a", "/a/b c/\xff\n"}) {
    const Path path = *Path::parse(text);
    EXPECT_EQ(path_of_sk(path_sk(path)), path);
  }
  EXPECT_EQ(id_of_orphan_sk("NODE#7"), NodeId{7});
}

TEST(Keys, RefuseWhatIsNoNodeKey) {
  for (const char* sk : {"", "PATH", "PATH#", "PATH#a", "PATH#/a/", "PATH#/a//b", "PATH#/../a",
                         "FLAG#/a", "PATH#/a/./b"}) {
    EXPECT_EQ(path_of_sk(sk), std::nullopt) << sk;
  }
  for (const char* sk : {"NODE#", "NODE#0", "NODE#x", "NODE#7x", "NODE#-1", "7"}) {
    EXPECT_EQ(id_of_orphan_sk(sk), std::nullopt) << sk;
  }
}

TEST(Keys, DriveNamesCannotReachIntoOtherPartitions) {
  for (const char* good : {"home", "a", "A-b_c.9"}) EXPECT_TRUE(valid_drive_name(good)) << good;
  for (const char* bad : {"", ".", "..", "a#b", "a/b", "a b", "\xc3\xa4"}) {
    EXPECT_FALSE(valid_drive_name(bad)) << bad;
  }
  EXPECT_TRUE(valid_drive_name(std::string(64, 'x')));
  EXPECT_FALSE(valid_drive_name(std::string(65, 'x')));
}

}  // namespace
}  // namespace prefixfs
