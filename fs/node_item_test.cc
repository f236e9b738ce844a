#include "fs/node_item.h"

#include <gtest/gtest.h>

#include <random>

#include "table/item_json.h"

namespace prefixfs {
namespace {

using table::Binary;
using table::Item;
using table::Number;
using table::Value;

TEST(NodeItem, TimesAreExactDecimals) {
  const struct {
    Time time;
    const char* text;
  } cases[] = {
      {{0, 0}, "0"},
      {{1, 500'000'000}, "1.5"},
      {{1'764'563'689, 123'456'789}, "1764563689.123456789"},
      {{1, 1}, "1.000000001"},
      {{-2, 500'000'000}, "-1.5"},
      {{-1, 999'999'999}, "-0.000000001"},
      {{-1, 0}, "-1"},
      {{-1, 1}, "-0.999999999"},
      {{4'102'444'800, 0}, "4102444800"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(encode_time(c.time).text(), c.text);
    EXPECT_EQ(decode_time(*Number::parse(c.text)), c.time) << c.text;
  }
}

TEST(NodeItem, TimesSurviveForAllNanoseconds) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const Time time{static_cast<std::int64_t>(random() % 20'000'000'000) - 10'000'000'000,
                    static_cast<std::int32_t>(random() % 1'000'000'000)};
    ASSERT_EQ(decode_time(encode_time(time)), time) << time.sec << " " << time.nsec;
  }
}

TEST(NodeItem, DecodesWhatItEncodes) {
  Node node;
  node.id = NodeId{42};
  node.kind = Kind::symlink;
  node.owner = "ana";
  node.group = "staff";
  node.mode = 0777;
  node.mtime = {1, 2};
  node.ctime = {3, 4};
  node.atime = {-5, 6};
  node.btime = {7, 8};
  node.target = "somewhere/\xff";
  node.size = node.target.size();
  node.extra.set("colour", "blue");
  node.xattrs.set("user.a", Binary{"b"});
  node.acls = {
      .access = {{AclEntry::Tag::user, 6, "ana"}, {AclEntry::Tag::owning_group, 4}},
      .default_acl = {
          {AclEntry::Tag::owner, 7}, {AclEntry::Tag::owning_group, 5}, {AclEntry::Tag::other, 0}}};
  const auto back = decode_node(*table::decode_item(table::encode_item(encode_node(node))));
  ASSERT_TRUE(back);
  EXPECT_EQ(encode_node(*back), encode_node(node));
  EXPECT_EQ(back->target, node.target);
  EXPECT_EQ(back->atime, node.atime);
  EXPECT_EQ(back->acls, node.acls);
  EXPECT_EQ(*back->extra.find("colour"), Value("blue"));
}

TEST(NodeItem, AnItemWrittenElsewhereIsANode) {
  const auto file = decode_node({{"kind", "file"}, {"sizeBytes", 12345}, {"owner", "ann"}});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->id, kNoId);
  EXPECT_EQ(file->size, 12345u);
  EXPECT_EQ(file->owner, "ann");
  EXPECT_EQ(file->mode, 0644u);
  EXPECT_EQ(file->mtime, Time{});
  EXPECT_EQ(decode_node({{"kind", "folder"}})->mode, 0755u);
}

TEST(NodeItem, SaysWhyAnItemIsNoNode) {
  const struct {
    Item item;
    const char* why;
  } cases[] = {
      {{}, "no kind"},
      {{{"kind", 1}}, "kind is not one of file, folder, symlink, fifo, socket, char, block"},
      {{{"kind", "directory"}},
       "kind is not one of file, folder, symlink, fifo, socket, char, block"},
      {{{"kind", "file"}, {"sizeBytes", "12"}}, "sizeBytes is not a number in range"},
      {{{"kind", "file"}, {"sizeBytes", -1}}, "sizeBytes is not a number in range"},
      {{{"kind", "file"}, {"mode", 010000}}, "mode is not a number in range"},
      {{{"kind", "file"}, {"mtime", "now"}}, "mtime is not a time"},
      {{{"kind", "file"}, {"owner", 0}}, "owner is not a string"},
      {{{"kind", "file"}, {"xattrs", "x"}}, "xattrs is not a map"},
      {{{"kind", "file"}, {"acl", "user:ana:rw-"}}, "acl is not an ACL"},
      {{{"kind", "file"}, {"acl", table::List{"user:ana:rw-"}}}, "acl is not an ACL"},
      {{{"kind", "folder"}, {"defaultAcl", table::List{"user::rwx"}}}, "defaultAcl is not an ACL"},
  };
  for (const auto& c : cases) {
    std::string why;
    EXPECT_FALSE(decode_node(c.item, &why));
    EXPECT_EQ(why, c.why);
  }
}

TEST(NodeItem, AFolderCountBelowZeroIsNone) {
  EXPECT_EQ(decode_node({{"kind", "folder"}, {"folders", -1}})->folders, 0u);
  EXPECT_EQ(decode_node({{"kind", "folder"}, {"folders", 3}})->folders, 3u);
}

}  // namespace
}  // namespace prefixfs
