// Nodes with several names, on every layout.

#include <gtest/gtest.h>

#include "fs/drive_fixture.h"
#include "fs/node_item.h"

namespace prefixfs {
namespace {

class DriveLinksTest : public DriveFixture {
 protected:
  Result<Node> link(std::string_view from, std::string_view to) {
    const Path path = *Path::parse(to);
    return drive->link(at(from), at(path.parent().text()), path.name());
  }
  bool keeps_attributes_with_name() const { return GetParam() != "node"; }
  // Items of the drive's nodes and names, and the bytes in them.
  std::pair<std::uint64_t, std::uint64_t> rows() {
    std::uint64_t items = 0, bytes = 0;
    for (const table::Row& row : store->table().scan({}).rows) {
      if (!in_drive("home", row.key.pk) || !is_node_row("home", row.key)) continue;
      ++items;
      bytes += table::billed_bytes(row.key.pk, row.key.sk, row.item);
    }
    return {items, bytes};
  }
  void expect_one_node(std::initializer_list<std::string_view> paths, std::uint32_t links) {
    const NodeId id = node(*paths.begin()).id;
    for (const std::string_view path : paths) {
      EXPECT_EQ(node(path).id, id) << path;
      EXPECT_EQ(node(path).links, links) << path;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveLinksTest, kLayouts);

TEST_P(DriveLinksTest, AllNamesAreOfOneNode) {
  make({"/a/", "/b/"});
  put("/a/x", "content");
  const auto linked = link("/a/x", "/b/y");
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->links, 2u);
  ASSERT_TRUE(link("/b/y", "/z"));
  expect_one_node({"/a/x", "/b/y", "/z"}, 3);
  put("/b/y", "more", 7);
  ASSERT_TRUE(drive->setattr(at("/z"), {.mode = 0600}));
  ASSERT_TRUE(drive->setxattr(at("/a/x"), "user.a", "1"));
  for (const char* path : {"/a/x", "/b/y", "/z"}) {
    EXPECT_EQ(content(path), "contentmore") << path;
    EXPECT_EQ(node(path).mode, 0600u) << path;
    EXPECT_EQ(*drive->getxattr(at(path), "user.a"), "1") << path;
  }
}

TEST_P(DriveLinksTest, ALinkIsAChangeOfTheNodeAndOfTheFolder) {
  make({"/a/", "/b/"});
  make("/a/x");
  const Time before = node("/a/x").mtime;
  const Time a_before = node("/a").mtime;
  ASSERT_TRUE(link("/a/x", "/b/y"));
  EXPECT_GT(node("/a/x").ctime, before);
  EXPECT_EQ(node("/a/x").mtime, before);
  EXPECT_GT(node("/b").mtime, before);
  EXPECT_EQ(node("/a").mtime, a_before);
  const Time linked = now();
  ASSERT_TRUE(unlink("/a/x"));
  EXPECT_GT(node("/b/y").ctime, linked);
}

TEST_P(DriveLinksTest, RefusesWhatIsNoFileOrHasNoPlace) {
  make({"/folder/", "/file", "/other"});
  EXPECT_EQ(link("/folder", "/x").error(), std::errc::operation_not_permitted);
  EXPECT_EQ(link("/file", "/other").error(), std::errc::file_exists);
  EXPECT_EQ(link("/file", "/file").error(), std::errc::file_exists);
  EXPECT_EQ(node("/file").links, 1u);
  NodeRef gone = at("/folder");
  ASSERT_TRUE(rmdir("/folder"));
  EXPECT_EQ(drive->link(at("/file"), gone, "x").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(drive->link(at("/file"), root_ref(), std::string(256, 'n')).error(),
            std::errc::filename_too_long);
  const NodeRef file = at("/file");
  ASSERT_TRUE(unlink("/file", [](NodeId) { return true; }));
  EXPECT_EQ(drive->link(file, root_ref(), "again").error(), std::errc::no_such_file_or_directory);
  drive->release(file.id);
}

TEST_P(DriveLinksTest, ThereAreNoMoreNamesThanTheLimit) {
  make("/a");
  ASSERT_TRUE(link("/a", "/b"));
  const table::Update full{.key = node_key("home", node("/a").id),
                           .set = {{"links", std::uint64_t{kMaxLinks}}},
                           .condition = table::item_exists()};
  ASSERT_TRUE(store->table().write(full).ok());
  EXPECT_EQ(link("/a", "/c").error(), std::errc::too_many_links);
  EXPECT_FALSE(exists("/c"));
  ASSERT_TRUE(unlink("/b"));
  EXPECT_TRUE(link("/a", "/c"));
}

TEST_P(DriveLinksTest, WhatHasOneNameIsStoredAsItAlwaysWas) {
  make({"/docs/", "/docs/a"});
  const auto before = rows();
  ASSERT_TRUE(link("/docs/a", "/docs/b"));
  EXPECT_EQ(rows().first, before.first + (keeps_attributes_with_name() ? 2 : 1));
  ASSERT_TRUE(drive->unlink(at("/docs"), "b", {nobody_holds, [&](const NodeRef& gone) {
                                                 EXPECT_EQ(gone.path.name(), "b");
                                                 return std::optional(at("/docs/a"));
                                               }}));
  EXPECT_EQ(rows(), before);
}

TEST_P(DriveLinksTest, TheLastNameTakesTheAttributesBackWhenItIsRenamed) {
  make({"/docs/", "/docs/a"});
  const auto before = rows();
  ASSERT_TRUE(link("/docs/a", "/docs/b"));
  ASSERT_TRUE(unlink("/docs/a"));
  EXPECT_EQ(node("/docs/b").links, 1u);
  EXPECT_EQ(rows().first, before.first + (keeps_attributes_with_name() ? 1 : 0));
  ASSERT_TRUE(rename("/docs/b", "/docs/c"));
  EXPECT_EQ(rows(), before);
  make("/docs/d");
  ASSERT_TRUE(link("/docs/c", "/docs/e"));
  ASSERT_TRUE(unlink("/docs/c"));
  ASSERT_TRUE(rename("/docs/d", "/docs/e", RenameMode::exchange));
  EXPECT_EQ(rows().first, before.first + (keeps_attributes_with_name() ? 1 : 2));
}

// The caller's idea of where the other name is may be old.
TEST_P(DriveLinksTest, AnotherNodeUnderTheOtherNameIsLeftAlone) {
  make({"/a", "/other"});
  put("/other", "precious");
  const Node other = node("/other");
  ASSERT_TRUE(link("/a", "/b"));
  for (const char* where : {"/other", "/nowhere"}) {
    if (!exists("/b")) {
      ASSERT_TRUE(link("/a", "/b"));
    }
    const NodeRef wrong{node("/a").id, kRootId, *Path::parse(where)};
    ASSERT_TRUE(drive->unlink(
        root_ref(), "b", {nobody_holds, [&](const NodeRef&) { return std::optional(wrong); }}));
    EXPECT_FALSE(exists("/b"));
    EXPECT_EQ(node("/a").links, 1u);
  }
  EXPECT_EQ(node("/other").id, other.id);
  EXPECT_EQ(content("/other"), "precious");
  EXPECT_FALSE(exists("/nowhere"));
}

TEST_P(DriveLinksTest, ContentGoesWithTheLastName) {
  put("/a", "content");
  ASSERT_TRUE(link("/a", "/b"));
  ASSERT_TRUE(link("/a", "/c"));
  const auto left = unlink("/a");
  ASSERT_TRUE(left);
  EXPECT_EQ(left->links, 2u);
  ASSERT_TRUE(unlink("/b"));
  EXPECT_EQ(content("/c"), "content");
  EXPECT_EQ(store->stats().blocks, 1u);
  const auto last = unlink("/c");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->links, 0u);
  EXPECT_EQ(store->stats().blocks, 0u);
  EXPECT_EQ(rows().first, 1u) << "the root";
}

TEST_P(DriveLinksTest, AHeldNodeLivesOnAfterItsLastNameOnly) {
  put("/a", "content");
  ASSERT_TRUE(link("/a", "/b"));
  const NodeRef ref = at("/b");
  const auto held = [](NodeId) { return true; };
  ASSERT_TRUE(unlink("/a", held));
  EXPECT_EQ(drive->getattr(ref)->links, 1u);
  ASSERT_TRUE(unlink("/b", held));
  EXPECT_EQ(drive->getattr(ref)->links, 0u);
  EXPECT_EQ(content(ref), "content");
  // As after a crash: nobody said that it is let go.
  store->commit();
  reopen();
  EXPECT_EQ(drive->reap_orphans(), 1u);
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(DriveLinksTest, RenamingANameLeavesTheOthers) {
  make({"/a/", "/b/"});
  put("/a/x", "content");
  ASSERT_TRUE(link("/a/x", "/b/y"));
  ASSERT_TRUE(rename("/a/x", "/b/z"));
  expect_one_node({"/b/y", "/b/z"}, 2);
  ASSERT_TRUE(rename("/b", "/c"));
  ASSERT_TRUE(rename("/c/y", "/a/y"));
  ASSERT_TRUE(rename("/a", "/d"));
  expect_one_node({"/c/z", "/d/y"}, 2);
  EXPECT_EQ(content("/d/y"), "content");
  ASSERT_TRUE(drive->remove_tree(at("/c")));
  expect_one_node({"/d/y"}, 1);
  EXPECT_EQ(content("/d/y"), "content");
}

TEST_P(DriveLinksTest, RenamingOverAnotherNameOfTheNodeDoesNothing) {
  make("/a");
  ASSERT_TRUE(link("/a", "/b"));
  const Node before = node("/a");
  for (const RenameMode mode : {RenameMode::replace, RenameMode::exchange}) {
    ASSERT_TRUE(rename("/a", "/b", mode));
    expect_one_node({"/a", "/b"}, 2);
    EXPECT_EQ(node("/a").ctime, before.ctime);
  }
  EXPECT_EQ(rename("/a", "/b", RenameMode::no_replace).error(), std::errc::file_exists);
}

TEST_P(DriveLinksTest, ReplacingANameTakesOneFromTheNode) {
  put("/a", "old");
  put("/new", "new");
  ASSERT_TRUE(link("/a", "/b"));
  const auto renamed = rename("/new", "/b");
  ASSERT_TRUE(renamed);
  EXPECT_EQ(renamed->target_links, 1u);
  EXPECT_EQ(content("/b"), "new");
  expect_one_node({"/a"}, 1);
  EXPECT_EQ(content("/a"), "old");
  put("/newer", "newer");
  ASSERT_TRUE(rename("/newer", "/a"));
  EXPECT_EQ(content("/a"), "newer");
  EXPECT_EQ(store->stats().blocks, 2u);
}

TEST_P(DriveLinksTest, ExchangingNamesOfTwoNodes) {
  make({"/one/", "/two/"});
  put("/one/a", "a");
  put("/two/b", "b");
  ASSERT_TRUE(link("/one/a", "/one/a2"));
  ASSERT_TRUE(link("/two/b", "/two/b2"));
  ASSERT_TRUE(rename("/one/a", "/two/b", RenameMode::exchange));
  expect_one_node({"/one/a2", "/two/b"}, 2);
  expect_one_node({"/two/b2", "/one/a"}, 2);
  EXPECT_EQ(content("/one/a"), "b");
  ASSERT_TRUE(rename("/one", "/two", RenameMode::exchange));
  EXPECT_EQ(content("/two/a"), "b");
  expect_one_node({"/one/b2", "/two/a"}, 2);
}

TEST_P(DriveLinksTest, ListingsShowTheNodeUnderEachName) {
  make({"/d/", "/d/plain"});
  put("/d/a", "content");
  ASSERT_TRUE(link("/d/a", "/d/b"));
  const auto page = drive->readdir(at("/d"), "", 100);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->entries.size(), 3u);
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_EQ(page->entries[i].node.size, 7u);
    EXPECT_EQ(page->entries[i].node.links, 2u);
  }
  const auto names = drive->readdir(at("/d"), "", 100, Detail::names);
  ASSERT_TRUE(names);
  EXPECT_EQ(names->entries[0].node.id, names->entries[1].node.id);
  std::size_t found = 0;
  const auto reader = drive->branch(root_ref());
  for (bool more = true; more;) {
    const BranchPage below = drive->next_page(*reader);
    for (const BranchEntry& entry : below.entries) found += entry.node.links == 2 ? 1 : 0;
    more = below.more;
  }
  EXPECT_EQ(found, 2u);
}

// What a walk has read ahead of a folder is old when the node changes under a name elsewhere.
TEST_P(DriveLinksTest, AWalkShowsNodesAsTheyAreNow) {
  for (const char* path : {"/w/a/x", "/w/b/x", "/w/c/x", "/w/d/y", "/else/y"}) make(path);
  ASSERT_TRUE(unlink("/else/y"));
  ASSERT_TRUE(link("/w/d/y", "/else/y"));
  for (const char* path : {"/w", "/w/a", "/w/b", "/w/c"}) {
    ASSERT_TRUE(drive->readdir(at(path), "", 100));
  }
  put("/else/y", "content");
  const auto page = drive->readdir(at("/w/d"), "", 100);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->entries.at(0).node.size, 7u);
}

TEST_P(DriveLinksTest, ATreeIsRemovedWithAllNamesThatAreInIt) {
  make({"/t/sub/", "/other/"});
  put("/t/inside", "1");
  put("/t/outside", "2");
  ASSERT_TRUE(link("/t/inside", "/t/sub/inside"));
  ASSERT_TRUE(link("/t/inside", "/t/inside2"));
  ASSERT_TRUE(link("/t/outside", "/t/sub/outside"));
  ASSERT_TRUE(link("/t/outside", "/other/outside"));
  EXPECT_EQ(*drive->remove_tree(at("/t")), 7u);
  EXPECT_EQ(content("/other/outside"), "2");
  EXPECT_EQ(node("/other/outside").links, 1u);
  EXPECT_EQ(store->stats().blocks, 1u);
  EXPECT_EQ(*drive->remove_tree(at("/other")), 2u);
  EXPECT_EQ(store->stats().blocks, 0u);
  EXPECT_EQ(rows().first, 1u) << "the root";
}

TEST_P(DriveLinksTest, SymlinksAndFifosHaveNamesToo) {
  ASSERT_TRUE(drive->create(root_ref(), "s", {.kind = Kind::symlink, .target = "to"}));
  ASSERT_TRUE(drive->create(root_ref(), "f", {.kind = Kind::fifo, .mode = 0600}));
  ASSERT_TRUE(link("/s", "/s2"));
  ASSERT_TRUE(link("/f", "/f2"));
  EXPECT_EQ(*drive->readlink(at("/s2")), "to");
  EXPECT_EQ(node("/f2").kind, Kind::fifo);
  ASSERT_TRUE(unlink("/s"));
  ASSERT_TRUE(unlink("/f"));
  EXPECT_EQ(*drive->readlink(at("/s2")), "to");
  EXPECT_EQ(node("/f2").mode, 0600u);
}

TEST_P(DriveLinksTest, ANameThatLeadsNowhereHidesNothingElse) {
  make({"/d/", "/d/a", "/d/plain"});
  ASSERT_TRUE(link("/d/a", "/d/b"));
  const table::Delete lost{node_key("home", node("/d/a").id), table::item_exists()};
  ASSERT_TRUE(store->table().write(lost).ok());
  EXPECT_EQ(list("/d"), std::vector<std::string>{"plain"});
  const auto found = drive->lookup(at("/d"), "a");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error(), keeps_attributes_with_name() ? std::errc::io_error
                                                        : std::errc::no_such_file_or_directory);
}

// An attribute of that name in an item that another tool wrote.
TEST_P(DriveLinksTest, SomebodysOwnAttributeSharedIsKept) {
  make("/a");
  const table::Key key = GetParam() == "path"   ? path_key("home", *Path::parse("/a"))
                         : GetParam() == "node" ? node_key("home", node("/a").id)
                                                : name_key("home", kRootId, "a");
  ASSERT_TRUE(store->table().write(table::Update{.key = key, .set = {{"shared", true}}}).ok());
  EXPECT_EQ(node("/a").links, 1u);
  ASSERT_TRUE(link("/a", "/b"));
  expect_one_node({"/a", "/b"}, 2);
  EXPECT_EQ(*node("/b").extra.find("shared"), table::Value(true));
  ASSERT_TRUE(drive->unlink(
      root_ref(), "b", {nobody_holds, [&](const NodeRef&) { return std::optional(at("/a")); }}));
  EXPECT_EQ(*node("/a").extra.find("shared"), table::Value(true));
}

}  // namespace
}  // namespace prefixfs
