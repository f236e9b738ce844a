#include "fs/acl.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fs/drive_fixture.h"
#include "fs/node_item.h"

namespace prefixfs {
namespace {

using Tag = AclEntry::Tag;
using Raw = std::vector<std::array<std::uint32_t, 3>>;  // tag, permissions, number

constexpr std::uint32_t kUserObj = 1, kUser = 2, kGroupObj = 4, kGroup = 8, kMask = 16, kOther = 32;
constexpr std::uint32_t kNobody = 0xffffffff;

// As the kernel spells it, which is what Linux 2.6 wrote to disks.
std::string raw(const Raw& entries, std::uint32_t version = 2) {
  std::string bytes;
  const auto add = [&](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
  };
  add(version, 4);
  for (const auto& [tag, permissions, id] : entries) {
    add(tag, 2);
    add(permissions, 2);
    add(id, 4);
  }
  return bytes;
}

const Raw kMode640 = {{kUserObj, 6, kNobody}, {kGroupObj, 4, kNobody}, {kOther, 0, kNobody}};
const Raw kNamed = {{kUserObj, 6, kNobody}, {kUser, 7, 1000},    {kGroupObj, 4, kNobody},
                    {kGroup, 5, 50},        {kMask, 6, kNobody}, {kOther, 1, kNobody}};

std::vector<std::string> texts(const Acl& acl) {
  std::vector<std::string> out;
  for (const AclEntry& entry : acl) out.push_back(acl_text(entry));
  return out;
}

TEST(AclTest, ReadsAndWritesWhatTheKernelDoes) {
  NumberAccounts accounts;
  const auto acl = acl_from_xattr(raw(kNamed), accounts);
  ASSERT_TRUE(acl);
  EXPECT_EQ(texts(*acl), (std::vector<std::string>{"user::rw-", "user:1000:rwx", "group::r--",
                                                   "group:50:r-x", "mask::rw-", "other::--x"}));
  EXPECT_EQ(acl_to_xattr(*acl, accounts), raw(kNamed));
  EXPECT_EQ(acl_from_xattr("", accounts)->size(), 0u);
  EXPECT_EQ(acl_from_xattr(raw({}), accounts)->size(), 0u);
}

TEST(AclTest, RefusesWhatExt4Refuses) {
  NumberAccounts accounts;
  const auto error = [&](const std::string& value) {
    const auto acl = acl_from_xattr(value, accounts);
    return acl ? std::errc{} : acl.error();
  };
  EXPECT_EQ(error(raw(kMode640)), std::errc{});
  EXPECT_EQ(error(raw(kMode640, 1)), std::errc::operation_not_supported);
  EXPECT_EQ(error("abc"), std::errc::invalid_argument);
  EXPECT_EQ(error(raw(kMode640) + "x"), std::errc::invalid_argument);
  const auto with = [&](std::size_t at, std::array<std::uint32_t, 3> entry) {
    Raw changed = kNamed;
    changed[at] = entry;
    return error(raw(changed));
  };
  EXPECT_EQ(with(0, {kUserObj, 8, kNobody}), std::errc::invalid_argument);  // no such permission
  EXPECT_EQ(with(0, {3, 7, kNobody}), std::errc::invalid_argument);         // no such tag
  EXPECT_EQ(with(1, {kUser, 7, kNobody}), std::errc::invalid_argument);     // nobody's number
  for (std::size_t missing : {0, 2, 4, 5}) {
    Raw changed = kNamed;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(missing));
    EXPECT_EQ(error(raw(changed)), std::errc::invalid_argument) << missing;
  }
  for (std::size_t twice : {0, 2, 4, 5}) {
    Raw changed = kNamed;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(twice), kNamed[twice]);
    EXPECT_EQ(error(raw(changed)), std::errc::invalid_argument) << twice;
  }
  for (std::size_t i = 0; i + 1 < kNamed.size(); ++i) {
    Raw changed = kNamed;
    std::swap(changed[i], changed[i + 1]);
    EXPECT_EQ(error(raw(changed)), std::errc::invalid_argument) << i;
  }
  Raw same_user = kNamed;
  same_user.insert(same_user.begin() + 1, {kUser, 4, 1000});
  EXPECT_EQ(error(raw(same_user)), std::errc{});  // setfacl refuses it, the kernel does not

  Raw many = kNamed;
  while (raw(many).size() + 8 <= kMaxAclBytes) many.insert(many.begin() + 1, {kUser, 1, 7});
  EXPECT_EQ(error(raw(many)), std::errc{});
  many.insert(many.begin() + 1, {kUser, 1, 7});
  EXPECT_EQ(error(raw(many)), std::errc::argument_list_too_long);
}

TEST(AclTest, TheModeIsPartOfIt) {
  NumberAccounts accounts;
  std::uint32_t mode = 04777;
  const Acl kept = split_acl(*acl_from_xattr(raw(kNamed), accounts), mode);
  EXPECT_EQ(mode, 04661u);
  EXPECT_EQ(texts(kept), (std::vector<std::string>{"user:1000:rwx", "group::r--", "group:50:r-x"}));
  EXPECT_EQ(acl_to_xattr(whole_acl(mode, kept), accounts), raw(kNamed));

  EXPECT_TRUE(split_acl(*acl_from_xattr(raw(kMode640), accounts), mode).empty());
  EXPECT_EQ(mode, 04640u);
  EXPECT_EQ(acl_to_xattr(whole_acl(mode, {}), accounts), raw(kMode640));
  // A mask makes it more than a mode.
  const Raw masked = {
      {kUserObj, 6, kNobody}, {kGroupObj, 4, kNobody}, {kMask, 7, kNobody}, {kOther, 0, kNobody}};
  EXPECT_EQ(texts(split_acl(*acl_from_xattr(raw(masked), accounts), mode)),
            std::vector<std::string>{"group::r--"});
  EXPECT_EQ(mode, 04670u);
}

TEST(AclTest, InheritingTakesNoMoreThanWasAskedFor) {
  NumberAccounts accounts;
  const Acl named = *acl_from_xattr(raw(kNamed), accounts);  // 661
  std::uint32_t mode = 02755;
  EXPECT_EQ(texts(inherited_acl(named, mode)),
            (std::vector<std::string>{"user:1000:rwx", "group::r--", "group:50:r-x"}));
  EXPECT_EQ(mode, 02641u);
  mode = 0777;
  EXPECT_TRUE(inherited_acl(*acl_from_xattr(raw(kMode640), accounts), mode).empty());
  EXPECT_EQ(mode, 0640u);
}

// Knows two users and a group; others are for other machines.
class FewAccounts final : public Accounts {
 public:
  std::string user_name(std::uint32_t uid) override {
    return uid == 1000 ? "ana" : uid == kOverflowId ? "nobody" : std::to_string(uid);
  }
  std::string group_name(std::uint32_t gid) override { return gid == 50 ? "staff" : "?"; }
  std::uint32_t user_id(std::string_view name) override {
    return name == "ana" ? 1000 : kOverflowId;
  }
  std::uint32_t group_id(std::string_view name) override {
    return name == "staff" ? 50 : kOverflowId;
  }
};

TEST(AclTest, NamesUnknownHereSurviveAChange) {
  FewAccounts accounts;
  const Acl before = {{Tag::user, 6, "ana"},
                      {Tag::user, 4, "bo"},
                      {Tag::user, 5, "cy"},
                      {Tag::owning_group, 4, ""},
                      {Tag::group, 6, "elsewhere"}};
  const Acl whole = whole_acl(0664, before);
  EXPECT_EQ(*acl_from_xattr(acl_to_xattr(whole, accounts), accounts, before), whole);
  // Without what was there, it is nobody who is meant.
  EXPECT_EQ(acl_text((*acl_from_xattr(acl_to_xattr(whole, accounts), accounts))[2]),
            "user:nobody:r--");
}

TEST(AclTest, IsSpeltAsTextInTheItem) {
  const Acl access = {{Tag::user, 6, "a:b"}, {Tag::owning_group, 4}, {Tag::group, 0, "staff"}};
  EXPECT_EQ(encode_acl(access),
            table::Value(table::List{"user:a:b:rw-", "group::r--", "group:staff:---"}));
  EXPECT_EQ(decode_access_acl(encode_acl(access)), access);
  const Acl whole = whole_acl(0750, access);
  EXPECT_EQ(decode_default_acl(encode_acl(whole)), whole);
  using table::List;
  for (const List& list :
       {List{"user:ana:rw-"}, List{"group::rw"}, List{"group::rwz"}, List{"group:rwx"},
        List{"other::r--", "group::r--"}, List{1}, List{"group::r--", "group::r--"},
        List{"team::r--"}, List{"group::r--", "user:ana:r--"}, List{"group::r--", "mask:a:r--"}}) {
    EXPECT_EQ(decode_access_acl(list), std::nullopt) << acl_text({}) << list.size();
    EXPECT_EQ(decode_default_acl(list), std::nullopt);
  }
  EXPECT_EQ(decode_access_acl("group::r--"), std::nullopt);
  EXPECT_EQ(decode_default_acl(List{"user::r--", "group::r--", "other::r--"})->size(), 3u);
}

class DriveAclTest : public DriveFixture {
 protected:
  Result<void> set(std::string_view path, std::string_view name, const Raw& entries,
                   const SetBy& by = {}) {
    return drive->setxattr(at(path), name, raw(entries), XattrMode::set, by);
  }
  std::string get(std::string_view path, std::string_view name) {
    const auto value = drive->getxattr(at(path), name);
    EXPECT_TRUE(value) << path;
    return value ? *value : "";
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveAclTest, kLayouts);

TEST_P(DriveAclTest, AreKeptWithTheModeThroughRenameAndReopening) {
  make({"/docs/a", "/docs/plain"});
  ASSERT_TRUE(set("/docs/a", kAccessAclXattr, kNamed));
  ASSERT_TRUE(set("/docs", kDefaultAclXattr, kNamed));
  EXPECT_EQ(node("/docs/a").mode, 0661u);
  EXPECT_EQ(node("/docs/a").ctime, Time({seconds_ - 1, 0}));
  ASSERT_TRUE(rename("/docs", "/papers"));
  reopen();
  EXPECT_EQ(get("/papers/a", kAccessAclXattr), raw(kNamed));
  EXPECT_EQ(get("/papers", kDefaultAclXattr), raw(kNamed));
  EXPECT_EQ(*drive->listxattr(at("/papers/a")),
            std::vector<std::string>{std::string(kAccessAclXattr)});
  EXPECT_EQ(*drive->listxattr(at("/papers")),
            std::vector<std::string>{std::string(kDefaultAclXattr)});
  EXPECT_EQ(drive->getxattr(at("/papers/plain"), kAccessAclXattr).error(), std::errc(ENODATA));
  EXPECT_EQ(drive->listxattr(at("/papers/plain"))->size(), 0u);

  ASSERT_TRUE(drive->setattr(at("/papers/a"), {.mode = 0750}));
  Raw changed = kNamed;
  changed[0][1] = 7;
  changed[4][1] = 5;
  changed[5][1] = 0;
  EXPECT_EQ(get("/papers/a", kAccessAclXattr), raw(changed));
}

TEST_P(DriveAclTest, WhatAModeCanSayIsStoredAsTheMode) {
  make("/f");
  Node before = node("/f");
  ASSERT_TRUE(set("/f", kAccessAclXattr, kMode640));
  before.mode = 0640;
  before.ctime = now();
  EXPECT_EQ(encode_node(node("/f")), encode_node(before));
  ASSERT_TRUE(set("/f", kAccessAclXattr, kNamed));
  ASSERT_TRUE(set("/f", kAccessAclXattr, kMode640));
  before.ctime = node("/f").ctime;
  EXPECT_EQ(encode_node(node("/f")), encode_node(before));
  // Removed, it leaves the permissions that it had.
  ASSERT_TRUE(set("/f", kAccessAclXattr, kNamed));
  ASSERT_TRUE(drive->removexattr(at("/f"), kAccessAclXattr));
  EXPECT_EQ(node("/f").mode, 0661u);
  // Removing none changes nothing.
  before = node("/f");
  ASSERT_TRUE(drive->removexattr(at("/f"), kAccessAclXattr));
  ASSERT_TRUE(drive->removexattr(at("/f"), kDefaultAclXattr));
  EXPECT_EQ(encode_node(node("/f")), encode_node(before));
}

TEST_P(DriveAclTest, WhoIsNotInTheGroupTakesItsBitAway) {
  make("/f");
  const auto mode_after = [&](const SetBy& by, std::string_view name = kAccessAclXattr) {
    EXPECT_TRUE(drive->setattr(at("/f"), {.mode = 02755, .gid = 50}));
    EXPECT_TRUE(drive->setattr(at("/f"), {.mode = 02755}));
    EXPECT_TRUE(drive->setxattr(at("/f"), name, name == kAccessAclXattr ? raw(kNamed) : "",
                                XattrMode::set, by));
    return node("/f").mode;
  };
  EXPECT_EQ(mode_after({.uid = 0}), 02661u);
  EXPECT_EQ(mode_after({.uid = 7, .groups = {7, 50}}), 02661u);
  EXPECT_EQ(mode_after({.uid = 7, .groups = {7, 51}}), 0661u);
  EXPECT_EQ(mode_after({.uid = 7}, kDefaultAclXattr), 02755u);
}

TEST_P(DriveAclTest, BelongToWhatCanHaveThem) {
  make({"/d/", "/d/f"});
  ASSERT_TRUE(drive->create(at("/d"), "l", {.kind = Kind::symlink, .target = "f"}));
  const auto error = [&](std::string_view path, std::string_view name) {
    const auto done = set(path, name, kNamed);
    return done ? std::errc{} : done.error();
  };
  EXPECT_EQ(error("/d/l", kAccessAclXattr), std::errc::operation_not_supported);
  EXPECT_EQ(error("/d/f", kDefaultAclXattr), std::errc::permission_denied);
  EXPECT_EQ(error("/d", kDefaultAclXattr), std::errc{});
  EXPECT_EQ(drive->setxattr(at("/d/f"), "system.other", "x").error(),
            std::errc::operation_not_supported);
  EXPECT_EQ(drive->setxattr(at("/d/f"), kAccessAclXattr, "x").error(), std::errc::invalid_argument);
}

TEST_P(DriveAclTest, AreInheritedInPlaceOfTheUmask) {
  make("/d/");
  const auto made = [&](const char* name, Kind kind, std::uint32_t umask) {
    const auto node = drive->create(at("/d"), name, {.kind = kind, .mode = 0666, .umask = umask});
    EXPECT_TRUE(node) << name;
    return node ? *node : Node{};
  };
  EXPECT_EQ(made("before", Kind::file, 027).mode, 0640u);
  ASSERT_TRUE(set("/d", kDefaultAclXattr, kNamed));
  for (const Kind kind : {Kind::file, Kind::fifo, Kind::socket}) {
    const std::string name(kind_name(kind));
    EXPECT_EQ(made(name.c_str(), kind, 077).mode, 0660u);
    EXPECT_EQ(texts(node("/d/" + name).acls.access),
              (std::vector<std::string>{"user:1000:rwx", "group::r--", "group:50:r-x"}));
    EXPECT_TRUE(node("/d/" + name).acls.default_acl.empty());
  }
  made("sub", Kind::folder, 077);
  EXPECT_EQ(get("/d/sub", kDefaultAclXattr), raw(kNamed));
  EXPECT_EQ(node("/d/sub").acls.access, node("/d/file").acls.access);
  EXPECT_EQ(made("link", Kind::symlink, 0).acls, Acls{});
  // Unless others are given.
  const auto given = drive->create(at("/d"), "given", {.mode = 0604, .acls = Acls{}});
  EXPECT_EQ(given->mode, 0604u);
  EXPECT_EQ(given->acls, Acls{});
}

TEST_P(DriveAclTest, ANodeWithoutANameKeepsThem) {
  make("/f");
  const NodeRef f = at("/f");
  ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
  ASSERT_TRUE(drive->setxattr(f, kAccessAclXattr, raw(kNamed)));
  EXPECT_EQ(*drive->getxattr(f, kAccessAclXattr), raw(kNamed));
  EXPECT_EQ(drive->getattr(f)->mode, 0661u);
  drive->release(f.id);
}

}  // namespace
}  // namespace prefixfs
