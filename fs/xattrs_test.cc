#include "fs/xattrs.h"

#include <gtest/gtest.h>

#include "fs/drive_fixture.h"
#include "fs/node_item.h"

namespace prefixfs {
namespace {

using table::Item;

std::errc error_of(const Result<void>& result) { return result ? std::errc{} : result.error(); }

TEST(Xattrs, NamesAreInASpaceThatIsHonoured) {
  for (const char* name :
       {"user.a", "trusted.overlay.opaque", "security.capability", "user.\xc3\xa9"})
    EXPECT_TRUE(check_xattr_name(name)) << name;
  for (const char* name : {"", "user", "colour", "system.posix_acl_access", "system.x", "User.a"})
    EXPECT_EQ(error_of(check_xattr_name(name)), std::errc::operation_not_supported) << name;
  EXPECT_EQ(error_of(check_xattr_name("user.")), std::errc::invalid_argument);
  EXPECT_EQ(error_of(check_xattr_name("user.\xff")), std::errc::invalid_argument);
  EXPECT_TRUE(check_xattr_name("user." + std::string(250, 'n')));
  EXPECT_EQ(error_of(check_xattr_name("user." + std::string(251, 'n'))),
            std::errc::result_out_of_range);
}

TEST(Xattrs, ValuesAreAnyBytes) {
  Item xattrs;
  for (const std::string& value :
       {std::string(), std::string("red"), std::string("a\0b", 3), std::string("\xff\xfe")}) {
    ASSERT_TRUE(set_xattr(xattrs, "user.x", value, XattrMode::set));
    EXPECT_EQ(find_xattr(xattrs, "user.x"), value);
  }
  ASSERT_TRUE(set_xattr(xattrs, "user.text", "red", XattrMode::set));
  EXPECT_EQ(*xattrs.find("user.text"), table::Value("red"));
  EXPECT_EQ(*xattrs.find("user.x"), table::Value(table::Binary{"\xff\xfe"}));
}

TEST(Xattrs, ModesAreObeyed) {
  Item xattrs;
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.a", "1", XattrMode::replace)), std::errc(ENODATA));
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.a", "1", XattrMode::create)), std::errc{});
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.a", "2", XattrMode::create)), std::errc::file_exists);
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.a", "3", XattrMode::replace)), std::errc{});
  EXPECT_EQ(find_xattr(xattrs, "user.a"), "3");
  EXPECT_EQ(error_of(remove_xattr(xattrs, "user.a")), std::errc{});
  EXPECT_EQ(error_of(remove_xattr(xattrs, "user.a")), std::errc(ENODATA));
  EXPECT_TRUE(xattrs.empty());
}

TEST(Xattrs, SizesAreBounded) {
  Item xattrs;
  const std::string largest(kMaxXattrValue, 'v');
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.a", largest + "v", XattrMode::set)),
            std::errc::argument_list_too_long);
  for (const char* name : {"user.a", "user.b", "user.c"})
    EXPECT_TRUE(set_xattr(xattrs, name, largest, XattrMode::set));
  EXPECT_EQ(error_of(set_xattr(xattrs, "user.d", largest, XattrMode::set)),
            std::errc::no_space_on_device);
  EXPECT_TRUE(set_xattr(xattrs, "user.c", largest, XattrMode::replace));

  Item many;
  const std::string long_name = "user." + std::string(245, 'n');
  std::size_t names = 0;
  while (set_xattr(many, long_name + std::to_string(10000 + names), "", XattrMode::set)) ++names;
  EXPECT_EQ(names, kMaxXattrNames / 256);
}

TEST(Xattrs, WhatOtherToolsWroteIsShownWhereItCanBe) {
  const Item xattrs = {{"user.number", 42},
                       {"user.list", table::List{1}},
                       {"system.posix_acl_access", table::Binary{"x"}}};
  EXPECT_EQ(xattr_names(xattrs), std::vector<std::string>{"user.number"});
  EXPECT_EQ(find_xattr(xattrs, "user.number"), "42");
  EXPECT_EQ(find_xattr(xattrs, "user.list"), std::nullopt);
}

class DriveXattrTest : public DriveFixture {};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveXattrTest, kLayouts);

TEST_P(DriveXattrTest, AreKeptWithTheNodeThroughRenameAndReopening) {
  make({"/docs/a", "/docs/sub/"});
  for (const char* path : {"/", "/docs", "/docs/a"}) {
    ASSERT_TRUE(drive->setxattr(at(path), "user.path", path));
    ASSERT_TRUE(drive->setxattr(at(path), "trusted.raw", std::string_view("\0\xff", 2)));
  }
  ASSERT_TRUE(rename("/docs", "/papers"));
  reopen();
  EXPECT_EQ(*drive->getxattr(at("/"), "user.path"), "/");
  EXPECT_EQ(*drive->getxattr(at("/papers"), "user.path"), "/docs");
  EXPECT_EQ(*drive->getxattr(at("/papers/a"), "user.path"), "/docs/a");
  EXPECT_EQ(*drive->getxattr(at("/papers/a"), "trusted.raw"), std::string("\0\xff", 2));
  EXPECT_EQ(*drive->listxattr(at("/papers/a")),
            (std::vector<std::string>{"trusted.raw", "user.path"}));
  EXPECT_EQ(drive->listxattr(at("/papers/sub"))->size(), 0u);
}

TEST_P(DriveXattrTest, ChangingOneSetsTheCtimeAndNothingElse) {
  make("/f");
  const Node before = node("/f");
  ASSERT_TRUE(drive->setxattr(at("/f"), "user.a", "1"));
  Node after = node("/f");
  EXPECT_EQ(after.ctime, now());
  EXPECT_EQ(after.mtime, before.mtime);
  ASSERT_TRUE(drive->removexattr(at("/f"), "user.a"));
  EXPECT_EQ(drive->getxattr(at("/f"), "user.a").error(), std::errc(ENODATA));
  EXPECT_EQ(drive->removexattr(at("/f"), "user.a").error(), std::errc(ENODATA));
  after = node("/f");
  after.ctime = before.ctime;
  EXPECT_EQ(encode_node(after), encode_node(before));
}

TEST_P(DriveXattrTest, RefusedOnesLeaveTheNodeAsItWas) {
  make("/f");
  const Node before = node("/f");
  EXPECT_EQ(drive->setxattr(at("/f"), "system.nfs4_acl", "x").error(),
            std::errc::operation_not_supported);
  EXPECT_EQ(drive->setxattr(at("/f"), "user.a", "x", XattrMode::replace).error(),
            std::errc(ENODATA));
  EXPECT_EQ(encode_node(node("/f")), encode_node(before));
}

TEST_P(DriveXattrTest, ANodeWithoutANameKeepsThem) {
  make("/f");
  const NodeRef f = at("/f");
  ASSERT_TRUE(drive->setxattr(f, "user.a", "1"));
  ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
  EXPECT_EQ(*drive->getxattr(f, "user.a"), "1");
  ASSERT_TRUE(drive->setxattr(f, "user.a", "2"));
  EXPECT_EQ(*drive->getxattr(f, "user.a"), "2");
  drive->release(f.id);
}

}  // namespace
}  // namespace prefixfs
