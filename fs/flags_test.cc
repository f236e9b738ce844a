// Flags as items, and as files through a Mount: rules and costs.

#include "fs/flags.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fs/drive_fixture.h"
#include "fs/flag_tree.h"
#include "fs/mount.h"

namespace prefixfs {
namespace {

TEST(FlagTest, ValuesAreOfTheirType) {
  const struct {
    const char *type, *value;
    bool good;
  } cases[] = {
      {"bool", "true", true},
      {"bool", "false", true},
      {"bool", "TRUE", false},
      {"bool", "", false},
      {"bool", "1", false},
      {"int", "0", true},
      {"int", "-5", true},
      {"int", "+5", true},
      {"int", "5.0", false},
      {"int", "", false},
      {"int", " 5", false},
      {"int", "9223372036854775807", true},
      {"int", "+-5", false},
      {"float", "0.05", true},
      {"int", "9223372036854775808", false},
      {"float", "1e3", true},
      {"float", "nan", false},
      {"float", "inf", false},
      {"float", "0.5x", false},
      {"string", "", true},
      {"string", "any\nthing", true},
      {"json", "{\"a\": [1, null, true, \"x\"]}", true},
      {"json", "{\"a\": }", false},
      {"json", "5", true},
      {"json", "", false},
      {"json", "{} {}", false},
      {"json", "[1,]", false},
      {"unknown", "what", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(!flag_problem(c.type, c.value), c.good) << c.type << " " << c.value;
  }
  EXPECT_TRUE(flag_problem("json", std::string(100'000, '[')));
}

class FlagTreeTest : public DriveFixture {
 protected:
  FlagTreeTest() {
    for (const auto& [key, type, value] : {std::tuple{"dark", "bool", "true"},
                                           {"limits", "json", "{\"a\": 1}"},
                                           {"page", "int", "50"},
                                           {"text", "string", ""}}) {
      set("prod", key, {.value = value, .type = type, .updated_by = "ana"});
    }
    set("dev", "dark", {.value = "false", .type = "bool", .updated_by = "bo"});
  }
  // Committed, so that others can write.
  void set(const std::string& env, const std::string& key, const Flag& flag) {
    ASSERT_TRUE(store->table().write(put_of(env, key, flag)).ok());
    store->commit();
  }
  Flag stored(const std::string& env, const std::string& key) {
    return get_flag(store->table(), env, key).value_or(Flag{.value = "<none>"});
  }

  NodeId look(NodeId dir, std::string_view name) {
    const auto found = mount.lookup(dir, name);
    EXPECT_TRUE(found) << name;
    return found ? found->id : kNoId;
  }
  NodeId prod() { return look(kRootId, "prod"); }
  std::string text(NodeId id) {
    std::string out(1000, '?');
    const auto got = mount.read(id, 0, std::as_writable_bytes(std::span(out)));
    EXPECT_TRUE(got);
    out.resize(got ? *got : 0);
    return out;
  }
  std::vector<std::string> names(NodeId dir) {
    std::vector<std::string> found;
    EXPECT_TRUE(mount.readdir(dir, 0, false, [&](const DirEntry& entry) {
      if (entry.name != "." && entry.name != "..") found.push_back(entry.name);
      return true;
    }));
    return found;
  }
  std::errc write(NodeId id, std::string_view data, std::uint64_t offset = 0) {
    const auto done = mount.write(id, offset, std::as_bytes(std::span(data)), {.uid = 7});
    return done ? std::errc{} : done.error();
  }
  // As `echo data > file` does, copies of the descriptor closed on the way.
  std::errc save(NodeId id, std::string_view data) {
    mount.opened(id);
    EXPECT_TRUE(mount.setattr(id, {.size = 0}));
    (void)mount.flush(id, 7);
    std::errc error = write(id, data);
    const auto flushed = mount.flush(id, 7);
    if (error == std::errc{} && !flushed) error = flushed.error();
    mount.closed(id);
    return error;
  }

  FlagTree tree{*store, ledger, accounts, file(), 0, 0, [this] { return tick(); }};
  Mount mount{tree};
};
INSTANTIATE_TEST_SUITE_P(Layouts, FlagTreeTest, testing::Values("path"));

TEST_P(FlagTreeTest, EnvironmentsAreFoldersAndFlagsAreFiles) {
  EXPECT_EQ(names(kRootId), (std::vector<std::string>{"dev", "prod"}));
  EXPECT_EQ(names(prod()), (std::vector<std::string>{"dark", "limits", "page", "text"}));
  EXPECT_EQ(text(look(prod(), "dark")), "true\n");
  EXPECT_EQ(text(look(prod(), "text")), "");
  EXPECT_EQ(mount.lookup(kRootId, "none").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(mount.lookup(prod(), "none").error(), std::errc::no_such_file_or_directory);
  const auto stat = mount.getattr(look(prod(), "dark"));
  EXPECT_EQ(stat->size, 5u);
  EXPECT_EQ(stat->kind, Kind::file);
}

TEST_P(FlagTreeTest, AListingIsOneQueryAndAFlagOneGet) {
  const NodeId env = prod();
  const table::Charge list = cost_of([&] { names(env); });
  EXPECT_EQ(
      list,
      (table::Charge{.requests = 1, .queries = 1, .pages = 1, .items_read = 4, .read_units = 0.5}));
  set("prod", "dark", {.value = "false", .type = "bool"});  // what was read is out of date
  const table::Charge cat = cost_of([&] {
    const NodeId id = look(env, "dark");
    mount.opened(id);
    EXPECT_TRUE(mount.getattr(id));
    EXPECT_EQ(text(id), "false\n");
    EXPECT_TRUE(mount.flush(id, 0));
    mount.closed(id);
  });
  EXPECT_EQ(cat, (table::Charge{.requests = 1, .gets = 1, .read_units = 0.5}));
  const NodeId id = look(env, "dark");
  const table::Charge put = cost_of([&] { EXPECT_EQ(save(id, "true\n"), std::errc{}); });
  EXPECT_EQ(put, (table::Charge{.requests = 1, .puts = 1, .write_units = 1}));
}

TEST_P(FlagTreeTest, AWrittenValueIsTheFlagsAndSaysWho) {
  const NodeId dark = look(prod(), "dark");
  EXPECT_EQ(save(dark, "false\n"), std::errc{});
  EXPECT_EQ(stored("prod", "dark"), (Flag{.value = "false", .type = "bool", .updated_by = "7"}));
  EXPECT_EQ(save(dark, "true"), std::errc{});  // without a newline, as printf does
  EXPECT_EQ(stored("prod", "dark").value, "true");
  EXPECT_EQ(save(look(prod(), "text"), "two\nlines\n"), std::errc{});
  EXPECT_EQ(stored("prod", "text").value, "two\nlines");
  EXPECT_EQ(save(look(prod(), "text"), ""), std::errc{});
  EXPECT_EQ(stored("prod", "text").value, "");
}

TEST_P(FlagTreeTest, WhatIsNoValueIsRefusedAndTheOldOneStays) {
  const NodeId dark = look(prod(), "dark"), limits = look(prod(), "limits");
  EXPECT_EQ(save(dark, "maybe\n"), std::errc::invalid_argument);
  EXPECT_EQ(text(dark), "true\n");
  EXPECT_EQ(save(dark, ""), std::errc::invalid_argument);
  EXPECT_EQ(text(dark), "true\n");
  EXPECT_EQ(save(look(prod(), "page"), "5.5\n"), std::errc::invalid_argument);
  EXPECT_EQ(save(limits, "{bad\n"), std::errc::invalid_argument);
  EXPECT_EQ(save(limits, "{\"a\": "), std::errc::invalid_argument);
  EXPECT_EQ(text(limits), "{\"a\": 1}\n");
  EXPECT_EQ(stored("prod", "limits").updated_by, "ana");
}

TEST_P(FlagTreeTest, ALongTextComesInSeveralWrites) {
  const NodeId limits = look(prod(), "limits");
  const std::string value = "[\"" + std::string(9000, 'x') + "\",\n1]\n";
  mount.opened(limits);
  ASSERT_TRUE(mount.setattr(limits, {.size = 0}));
  EXPECT_EQ(write(limits, value.substr(0, 8192), 0), std::errc{});
  EXPECT_EQ(stored("prod", "limits").value, "{\"a\": 1}");  // until it is whole
  EXPECT_EQ(write(limits, value.substr(8192), 8192), std::errc{});
  mount.closed(limits);
  EXPECT_EQ(stored("prod", "limits").value, value.substr(0, value.size() - 1));
  const std::string huge(table::kMaxItemBytes + 1, 'x');
  EXPECT_EQ(write(look(prod(), "text"), huge), std::errc::file_too_large);
}

TEST_P(FlagTreeTest, AnEditorsNewFileTakesTheFlagsPlaceAndType) {
  const NodeId env = prod();
  look(env, "page");
  const auto made = mount.create(env, ".page.tmp", {.mode = 0600});
  ASSERT_TRUE(made);
  EXPECT_EQ(save(made->id, "75\n"), std::errc{});
  ASSERT_TRUE(mount.rename(env, ".page.tmp", env, "page", RenameMode::replace));
  EXPECT_EQ(stored("prod", "page"), (Flag{.value = "75", .type = "int", .updated_by = "7"}));
  EXPECT_EQ(names(env), (std::vector<std::string>{"dark", "limits", "page", "text"}));

  const auto bad = mount.create(env, ".page.tmp", {.mode = 0600});
  ASSERT_TRUE(bad);
  EXPECT_EQ(save(bad->id, "many\n"), std::errc{});
  EXPECT_EQ(mount.rename(env, ".page.tmp", env, "page", RenameMode::replace).error(),
            std::errc::invalid_argument);
  EXPECT_EQ(stored("prod", "page").value, "75");
}

TEST_P(FlagTreeTest, EnvironmentsAreMadeAndRemoved) {
  ASSERT_TRUE(mount.create(kRootId, "qa", {.kind = Kind::folder}));
  EXPECT_EQ(names(kRootId), (std::vector<std::string>{"dev", "prod", "qa"}));
  EXPECT_EQ(mount.create(kRootId, "qa", {.kind = Kind::folder}).error(), std::errc::file_exists);
  EXPECT_EQ(names(look(kRootId, "qa")), (std::vector<std::string>{}));
  EXPECT_TRUE(mount.rmdir(kRootId, "qa"));
  EXPECT_EQ(mount.rmdir(kRootId, "prod").error(), std::errc::directory_not_empty);
  // There for its flag alone, it goes with that.
  const NodeId dev = look(kRootId, "dev");
  ASSERT_TRUE(mount.unlink(dev, "dark"));
  EXPECT_EQ(names(kRootId), (std::vector<std::string>{"prod"}));
  EXPECT_TRUE(mount.rmdir(kRootId, "dev"));
  EXPECT_EQ(mount.create(kRootId, "x", {}).error(), std::errc::operation_not_permitted);
  EXPECT_EQ(mount.create(prod(), "x", {.kind = Kind::folder}).error(),
            std::errc::operation_not_permitted);
}

TEST_P(FlagTreeTest, AnEnvironmentMovesWithItsFlags) {
  look(prod(), "dark");
  ASSERT_TRUE(mount.rename(kRootId, "prod", kRootId, "live", RenameMode::replace));
  EXPECT_EQ(names(kRootId), (std::vector<std::string>{"dev", "live"}));
  EXPECT_EQ(text(look(look(kRootId, "live"), "dark")), "true\n");
  EXPECT_EQ(stored("live", "page").type, "int");
  EXPECT_EQ(mount.rename(kRootId, "dev", kRootId, "live", RenameMode::replace).error(),
            std::errc::directory_not_empty);
}

TEST_P(FlagTreeTest, IdsFollowTheNameAndAreNotGivenTwice) {
  const NodeId env = prod(), dark = look(env, "dark");
  ASSERT_TRUE(mount.rename(env, "dark", env, "dark~", RenameMode::replace));
  EXPECT_EQ(look(env, "dark~"), dark);
  const auto again = mount.create(env, "dark", {});
  ASSERT_TRUE(again);
  EXPECT_NE(again->id, dark);
  EXPECT_EQ(text(dark), "true\n");
}

TEST_P(FlagTreeTest, AHeldFlagOutlivesItsName) {
  const NodeId env = prod(), dark = look(env, "dark");
  ASSERT_TRUE(mount.unlink(env, "dark"));
  EXPECT_EQ(text(dark), "true\n");
  EXPECT_EQ(mount.getattr(dark)->links, 0u);
  mount.forget(dark, 1);
}

TEST_P(FlagTreeTest, WhatOthersWriteIsSeenAtOnce) {
  const NodeId env = prod(), dark = look(env, "dark");
  EXPECT_EQ(text(dark), "true\n");
  const Time before = mount.getattr(dark)->mtime;
  {
    const auto other = table::Store::open(file(), {.background = false});
    ASSERT_TRUE(other->table().write(put_of("prod", "dark", {.value = "false"})).ok());
    other->sync();
  }
  EXPECT_GT(mount.getattr(dark)->mtime, before);
  EXPECT_EQ(text(dark), "false\n");
}

TEST_P(FlagTreeTest, BytesThatAreNoTextAreKept) {
  const auto made = mount.create(prod(), ".swap", {});
  ASSERT_TRUE(made);
  EXPECT_EQ(save(made->id, std::string_view("\xff\x00\x01", 3)), std::errc{});
  EXPECT_EQ(text(made->id).size(), 4u);
}

}  // namespace
}  // namespace prefixfs
