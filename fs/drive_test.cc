#include "fs/drive.h"

#include <gtest/gtest.h>

#include "fs/drive_fixture.h"
#include "table/block_store.h"

namespace prefixfs {
namespace {

class DriveTest : public DriveFixture {};
INSTANTIATE_TEST_SUITE_P(Layouts, DriveTest, kLayouts);

using Names = std::vector<std::string>;

// ---- Making ----

TEST_P(DriveTest, StartsWithAnEmptyRoot) {
  const Node root = node("/");
  EXPECT_EQ(root.id, kRootId);
  EXPECT_EQ(root.kind, Kind::folder);
  EXPECT_EQ(list("/"), Names{});
}

TEST_P(DriveTest, CreatesWithAllAttributes) {
  make("/d/");
  const auto made = drive->create(at("/d"), "f", {.mode = 0640, .uid = 7, .gid = 8});
  ASSERT_TRUE(made);
  EXPECT_GT(made->id, kRootId);
  const Node stored = node("/d/f");
  EXPECT_EQ(stored.id, made->id);
  EXPECT_EQ(stored.mode, 0640u);
  EXPECT_EQ(stored.owner, "7");
  EXPECT_EQ(stored.group, "8");
  EXPECT_EQ(stored.mtime, now());
  EXPECT_EQ(stored.btime, now());
  EXPECT_EQ(node("/d").mtime, now()) << "a folder's mtime is that of its last entry";
  EXPECT_EQ(node("/d").ctime, now());
}

TEST_P(DriveTest, RefusesToCreate) {
  make({"/f", "/d/"});
  EXPECT_EQ(drive->create(at("/"), "f", {}).error(), std::errc::file_exists);
  EXPECT_EQ(drive->create(at("/"), "d", {}).error(), std::errc::file_exists);
  EXPECT_EQ(drive->create(at("/f"), "x", {}).error(), std::errc::not_a_directory);
  EXPECT_EQ(drive->create(at("/"), std::string(256, 'x'), {}).error(),
            std::errc::filename_too_long);
  NodeRef gone = at("/d");
  ASSERT_TRUE(rmdir("/d"));
  EXPECT_EQ(drive->create(gone, "x", {}).error(), std::errc::no_such_file_or_directory);
}

TEST_P(DriveTest, AChangeOfOwnerTakesSetIdBits) {
  make({"/f", "/d/"});
  const auto mode_after = [&](std::string_view path, std::uint32_t mode, AttrChange change) {
    EXPECT_TRUE(drive->setattr(at(path), {.mode = mode}));
    EXPECT_TRUE(drive->setattr(at(path), change));
    return node(path).mode;
  };
  EXPECT_EQ(mode_after("/f", 06755, {.uid = 1}), 0755u);
  EXPECT_EQ(mode_after("/f", 06755, {.gid = 1}), 0755u);
  // A mark for locking, and no privilege.
  EXPECT_EQ(mode_after("/f", 06644, {.gid = 1}), 02644u);
  EXPECT_EQ(mode_after("/f", 06755, {.mode = 06711, .uid = 1}), 06711u);
  EXPECT_EQ(mode_after("/f", 06755, {.mtime = Time{1, 0}}), 06755u);
  EXPECT_EQ(mode_after("/f", 06755, {.size = 1}), 06755u);
  EXPECT_EQ(mode_after("/f", 06755, {.size = 1, .drop_set_id = true}), 0755u);
  EXPECT_EQ(mode_after("/d", 07755, {.uid = 1}), 07755u);
}

TEST_P(DriveTest, AWriteTakesSetIdBitsWhereAskedTo) {
  make("/f");
  const std::string data = "data";
  const auto write = [&](WriteBy by) {
    const auto written = drive->write(at("/f"), 0, std::as_bytes(std::span(data)), by);
    EXPECT_TRUE(written);
    return written && written->set_id_dropped;
  };
  ASSERT_TRUE(drive->setattr(at("/f"), {.mode = 06755}));
  EXPECT_FALSE(write({}));
  EXPECT_EQ(node("/f").mode, 06755u);
  EXPECT_TRUE(write({.drop_set_id = true}));
  EXPECT_EQ(node("/f").mode, 0755u);
  EXPECT_FALSE(write({.drop_set_id = true}));
}

TEST_P(DriveTest, ASetGroupIdFolderPassesItsGroupOn) {
  ASSERT_TRUE(drive->create(at("/"), "d", {.kind = Kind::folder, .mode = 02755, .gid = 50}));
  ASSERT_TRUE(drive->create(at("/d"), "f", {.mode = 0644, .gid = 60}));
  ASSERT_TRUE(drive->create(at("/d"), "e", {.kind = Kind::folder, .mode = 0755, .gid = 60}));
  EXPECT_EQ(node("/d/f").group, "50");
  EXPECT_EQ(node("/d/f").mode, 0644u);
  EXPECT_EQ(node("/d/e").group, "50");
  EXPECT_EQ(node("/d/e").mode, 02755u);
}

TEST_P(DriveTest, CountsChildFolders) {
  make({"/a/b/", "/a/c/", "/a/f"});
  EXPECT_EQ(node("/a").folders, 2u);
  ASSERT_TRUE(rmdir("/a/b"));
  EXPECT_EQ(node("/a").folders, 1u);
  ASSERT_TRUE(rename("/a/c", "/c"));
  EXPECT_EQ(node("/a").folders, 0u);
  EXPECT_EQ(node("/").folders, 2u);
}

TEST_P(DriveTest, IdsAreNeverUsedAgain) {
  make("/f");
  const NodeId first = node("/f").id;
  ASSERT_TRUE(unlink("/f"));
  make("/f");
  EXPECT_GT(node("/f").id, first);
  reopen();
  make("/g");
  EXPECT_GT(node("/g").id, node("/f").id);
}

TEST_P(DriveTest, SymlinksKeepAnyBytes) {
  const std::string target = "../x\n\xff\xfe";
  ASSERT_TRUE(drive->create(at("/"), "l", {.kind = Kind::symlink, .mode = 0777, .target = target}));
  EXPECT_EQ(*drive->readlink(at("/l")), target);
  EXPECT_EQ(node("/l").size, target.size());
  make("/f");
  EXPECT_EQ(drive->readlink(at("/f")).error(), std::errc::invalid_argument);
}

// ---- Listing: the order, and the trap ----

TEST_P(DriveTest, ListsChildrenOnlyInKeyOrder) {
  make({"/a/x/y/z", "/a-/q", "/a!", "/a.b", "/a0", "/ab", "/a b"});
  EXPECT_EQ(list("/"), (Names{"a", "a b", "a!", "a-", "a.b", "a0", "ab"}));
  EXPECT_EQ(list("/a"), (Names{"x"}));
  for (std::size_t limit = 1; limit < 8; ++limit) {
    EXPECT_EQ(list("/", limit), (Names{"a", "a b", "a!", "a-", "a.b", "a0", "ab"})) << limit;
  }
}

TEST_P(DriveTest, ASiblingWithTheSamePrefixIsLeftAlone) {
  make({"/docs/a", "/docs/n/b", "/docs-archive/c", "/docs.txt", "/docs0"});
  ASSERT_TRUE(rename("/docs", "/papers"));
  EXPECT_EQ(list("/"), (Names{"docs-archive", "docs.txt", "docs0", "papers"}));
  EXPECT_EQ(list("/papers"), (Names{"a", "n"}));
  EXPECT_EQ(list("/papers/n"), (Names{"b"}));
  EXPECT_EQ(list("/docs-archive"), (Names{"c"}));
  ASSERT_TRUE(rename("/papers", "/docs"));
  EXPECT_EQ(*drive->remove_tree(at("/docs")), 4u);
  EXPECT_EQ(list("/"), (Names{"docs-archive", "docs.txt", "docs0"}));
  EXPECT_EQ(list("/docs-archive"), (Names{"c"}));
}

TEST_P(DriveTest, NamesAreAnyBytes) {
  const std::string longest(255, '\xfe');
  const Names names = {"\x01", "\n", " ", "a\nb", "\xc3\xa4", "\xff\xfe", longest};
  make("/d/");
  for (const std::string& name : names) {
    ASSERT_TRUE(drive->create(at("/d"), name, {.kind = Kind::folder, .mode = 0755}));
  }
  Names sorted = names;
  std::sort(sorted.begin(), sorted.end());
  Names listed = list("/d");
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, sorted);
  ASSERT_TRUE(rename("/d", "/e"));
  listed = list("/e");
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, sorted);
}

// Ids once were counted for each drive by itself, and content is kept by id: the files of two
// drives in one table shared their bytes.
TEST_P(DriveTest, TwoDrivesOfOneFileShareNothing) {
  put("/f", "home");
  ASSERT_TRUE(make_drive(*store, {.name = "work", .layout = GetParam()}, tick()));
  Drive work(*store, ledger, accounts, make_layout(GetParam(), "work"), "work", file(),
             [this] { return tick(); });
  const std::string data = "work";
  std::vector<NodeId> ids;
  for (int i = 0; i < 5; ++i) {
    const auto made = work.create(root_ref(), "f" + std::to_string(i), {});
    ASSERT_TRUE(made);
    ASSERT_TRUE(work.write({made->id, kRootId, Path().child("f" + std::to_string(i))}, 0,
                           std::as_bytes(std::span(data))));
    EXPECT_NE(made->id, node("/f").id);
  }
  EXPECT_EQ(content("/f"), "home");
  EXPECT_EQ(list("/"), Names{"f"});
  ASSERT_TRUE(work.unlink(root_ref(), "f0", nobody_holds));
  EXPECT_EQ(content("/f"), "home");
}

// ---- Removing ----

TEST_P(DriveTest, RefusesToRemove) {
  make({"/d/f", "/f"});
  EXPECT_EQ(unlink("/d").error(), std::errc::is_a_directory);
  EXPECT_EQ(unlink("/x").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(rmdir("/f").error(), std::errc::not_a_directory);
  EXPECT_EQ(rmdir("/d").error(), std::errc::directory_not_empty);
  EXPECT_EQ(rmdir("/x").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(drive->remove_tree(root_ref()).error(), std::errc::device_or_resource_busy);
  EXPECT_EQ(list("/"), (Names{"d", "f"}));
}

TEST_P(DriveTest, RemovedContentIsGone) {
  put("/f", "content");
  put("/d/g", "content");
  EXPECT_EQ(store->stats().blocks, 2u);
  ASSERT_TRUE(unlink("/f"));
  EXPECT_EQ(store->stats().blocks, 1u);
  ASSERT_TRUE(drive->remove_tree(at("/d")));
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(DriveTest, AHeldFileOutlivesItsName) {
  put("/f", "content");
  const NodeRef ref = at("/f");
  ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
  EXPECT_FALSE(exists("/f"));
  EXPECT_EQ(content(ref), "content");
  EXPECT_EQ(drive->getattr(ref)->links, 0u);
  const std::string more = "more";
  ASSERT_TRUE(drive->write(ref, 7, std::as_bytes(std::span(more))));
  ASSERT_TRUE(drive->setattr(ref, {.mode = 0600}));
  EXPECT_EQ(content(ref), "contentmore");
  EXPECT_EQ(drive->getattr(ref)->mode, 0600u);
  make("/f");  // the name is free, and another node
  EXPECT_EQ(content("/f"), "");
  EXPECT_EQ(content(ref), "contentmore");
  drive->release(ref.id);
  EXPECT_EQ(drive->reap_orphans(), 0u);
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(DriveTest, AHeldFolderIsEmptyForEver) {
  make("/d/");
  const NodeRef ref = at("/d");
  ASSERT_TRUE(rmdir("/d", [](NodeId) { return true; }));
  make("/d/inside");
  EXPECT_EQ(drive->getattr(ref)->kind, Kind::folder);
  EXPECT_EQ(drive->lookup(ref, "inside").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(drive->create(ref, "x", {}).error(), std::errc::no_such_file_or_directory);
  EXPECT_TRUE(drive->readdir(ref, "", 10)->entries.empty());
}

TEST_P(DriveTest, AHeldFileIsFoundAfterACrashAndReaped) {
  put("/f", "content");
  ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
  store->commit();
  reopen();  // nobody released it
  EXPECT_EQ(store->stats().blocks, 1u);
  EXPECT_EQ(drive->reap_orphans(), 1u);
  EXPECT_EQ(store->stats().blocks, 0u);
  EXPECT_EQ(drive->reap_orphans(), 0u);
}

TEST_P(DriveTest, ReleasedBeforeTheCommitItCostsNoRow) {
  put("/f", "content");
  const NodeRef ref = at("/f");
  store->commit();
  const table::Charge cost = cost_of([&] {
    ASSERT_TRUE(unlink("/f", [](NodeId) { return true; }));
    drive->release(ref.id);
    store->commit();
  });
  EXPECT_EQ(cost.puts, 0u);
  EXPECT_FALSE(ledger.accounts().contains("park"));
}

// ---- Renaming ----

TEST_P(DriveTest, RenamesAFolderWithAllBelow) {
  put("/a/b/c/f", "deep");
  put("/a/g", "flat");
  const NodeId id = node("/a/b/c/f").id;
  ASSERT_TRUE(rename("/a", "/z"));
  EXPECT_FALSE(exists("/a"));
  EXPECT_FALSE(exists("/a/b/c/f"));
  EXPECT_EQ(content("/z/b/c/f"), "deep");
  EXPECT_EQ(node("/z/b/c/f").id, id);
  make("/y/");
  ASSERT_TRUE(rename("/z/b", "/y/bb"));
  EXPECT_EQ(content("/y/bb/c/f"), "deep");
  EXPECT_EQ(list("/z"), (Names{"g"}));
}

TEST_P(DriveTest, RenameObeysItsTable) {
  make({"/f", "/g", "/d/", "/e/", "/full/x"});
  const struct {
    const char *from, *to;
    RenameMode mode;
    std::errc error;  // {}: it works
  } cases[] = {
      {"/x", "/y", RenameMode::replace, std::errc::no_such_file_or_directory},
      {"/f", "/d", RenameMode::replace, std::errc::is_a_directory},
      {"/d", "/f", RenameMode::replace, std::errc::not_a_directory},
      {"/d", "/full", RenameMode::replace, std::errc::directory_not_empty},
      {"/d", "/d/x", RenameMode::replace, std::errc::invalid_argument},
      {"/full", "/full/x/y", RenameMode::replace, std::errc::invalid_argument},
      {"/full/x", "/full", RenameMode::replace, std::errc::directory_not_empty},
      {"/f", "/g", RenameMode::no_replace, std::errc::file_exists},
      {"/f", "/f", RenameMode::no_replace, std::errc::file_exists},
      {"/f", "/new", RenameMode::exchange, std::errc::no_such_file_or_directory},
      {"/full", "/full/x", RenameMode::exchange, std::errc::invalid_argument},
      {"/full/x", "/full", RenameMode::exchange, std::errc::invalid_argument},
      {"/f", "/f", RenameMode::replace, {}},
      {"/f", "/f", RenameMode::exchange, {}},
      {"/f", "/g", RenameMode::replace, {}},
      {"/d", "/e", RenameMode::replace, {}},
      {"/e", "/new", RenameMode::no_replace, {}},
  };
  for (const auto& c : cases) {
    const auto renamed = rename(c.from, c.to, c.mode);
    EXPECT_EQ(renamed ? std::errc{} : renamed.error(), c.error) << c.from << " " << c.to;
  }
  EXPECT_EQ(list("/"), (Names{"full", "g", "new"}));
  EXPECT_EQ(list("/full"), (Names{"x"}));
  EXPECT_EQ(node("/").folders, 2u);
}

TEST_P(DriveTest, ExchangeSwapsWhatLiesBelow) {
  put("/a/x", "a's x");
  put("/a/only/deep", "a's");
  put("/b/x", "b's x");
  put("/b/other", "b's");
  const NodeId a = node("/a").id, b = node("/b").id;
  ASSERT_TRUE(rename("/a", "/b", RenameMode::exchange));
  EXPECT_EQ(node("/a").id, b);
  EXPECT_EQ(node("/b").id, a);
  EXPECT_EQ(content("/b/x"), "a's x");
  EXPECT_EQ(content("/a/x"), "b's x");
  EXPECT_EQ(content("/b/only/deep"), "a's");
  EXPECT_EQ(list("/a"), (Names{"other", "x"}));
  EXPECT_EQ(list("/b"), (Names{"only", "x"}));
}

TEST_P(DriveTest, ExchangeOfAFolderAndAFileInOtherFolders) {
  put("/p/folder/in", "in");
  put("/q/file", "file");
  ASSERT_TRUE(rename("/p/folder", "/q/file", RenameMode::exchange));
  EXPECT_EQ(content("/p/folder"), "file");
  EXPECT_EQ(content("/q/file/in"), "in");
  EXPECT_EQ(node("/p").folders, 0u);
  EXPECT_EQ(node("/q").folders, 1u);
  ASSERT_TRUE(rename("/p/folder", "/q/file", RenameMode::exchange));
  EXPECT_EQ(content("/p/folder/in"), "in");
  EXPECT_EQ(content("/q/file"), "file");
}

TEST_P(DriveTest, ReplacingDropsTheReplacedContent) {
  put("/f", "new");
  put("/g", "old");
  ASSERT_TRUE(rename("/f", "/g"));
  EXPECT_EQ(content("/g"), "new");
  EXPECT_EQ(store->stats().blocks, 1u);
}

TEST_P(DriveTest, TellsWhatAFolderRenameCost) {
  RenameCost told;
  drive->on_folder_rename([&](const RenameCost& cost) { told = cost; });
  make({"/docs/a", "/docs/b/c"});
  ASSERT_TRUE(rename("/docs/a", "/docs/x"));
  EXPECT_EQ(told.items, 0u) << "a file's rename is not told";
  ASSERT_TRUE(rename("/docs", "/papers"));
  EXPECT_EQ(told.from, "/docs");
  EXPECT_EQ(told.to, "/papers");
  EXPECT_EQ(told.items, GetParam() == "path" ? 4u : 1u);
}

// ---- Attributes ----

TEST_P(DriveTest, SetsWhatIsAskedAndNothingElse) {
  put("/f", "content");
  ASSERT_TRUE(drive->setattr(at("/f"), {.mtime = Time{5, 6}}));
  ASSERT_TRUE(drive->setattr(at("/f"), {.mode = 04711, .uid = 9, .gid = 10}));
  const Node changed = node("/f");
  EXPECT_EQ(changed.mode, 04711u);
  EXPECT_EQ(changed.owner, "9");
  EXPECT_EQ(changed.group, "10");
  EXPECT_EQ(changed.mtime, (Time{5, 6}));
  EXPECT_EQ(changed.ctime, now());
  EXPECT_EQ(content("/f"), "content");
  EXPECT_EQ(drive->setattr(at("/"), {.size = 0}).error(), std::errc::is_a_directory);
  EXPECT_EQ(drive->setattr(at("/f"), {.size = table::kMaxFileBytes + 1}).error(),
            std::errc::file_too_large);
}

// ---- Content ----

TEST_P(DriveTest, WritesAnywhereAndReadsZerosBetween) {
  put("/f", "end", 200'000);
  const Node sparse = node("/f");
  EXPECT_EQ(sparse.size, 200'003u);
  EXPECT_EQ(sparse.holes, 3u);
  put("/f", "start");
  EXPECT_EQ(node("/f").holes, 2u);
  const std::string all = content("/f");
  EXPECT_EQ(all.substr(0, 6), std::string("start\0", 6));
  EXPECT_EQ(all.substr(200'000), "end");
  EXPECT_EQ(all.substr(5, 199'995), std::string(199'995, '\0'));
}

TEST_P(DriveTest, TruncationForgetsAndGrowthReadsZeros) {
  put("/f", std::string(100'000, 'x'));
  ASSERT_TRUE(drive->setattr(at("/f"), {.size = 10}));
  ASSERT_TRUE(drive->setattr(at("/f"), {.size = 300'000}));
  EXPECT_EQ(content("/f"), std::string(10, 'x') + std::string(299'990, '\0'));
  EXPECT_EQ(node("/f").holes, 4u);
  ASSERT_TRUE(drive->setattr(at("/f"), {.size = 0}));
  EXPECT_EQ(node("/f").holes, 0u);
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(DriveTest, ReadsEndWhereTheFileEnds) {
  put("/f", "0123456789");
  std::string out(4, '?');
  const auto bytes = std::as_writable_bytes(std::span(out));
  EXPECT_EQ(*drive->read(at("/f"), 8, bytes), 2u);
  EXPECT_EQ(*drive->read(at("/f"), 10, bytes), 0u);
  EXPECT_EQ(*drive->read(at("/f"), 1'000'000, bytes), 0u);
  EXPECT_EQ(drive->read(at("/"), 0, bytes).error(), std::errc::is_a_directory);
}

TEST_P(DriveTest, RefusesToWritePastTheLargestFile) {
  make("/f");
  const std::string byte = "x";
  const auto one = std::as_bytes(std::span(byte));
  EXPECT_EQ(drive->write(at("/f"), table::kMaxFileBytes, one).error(), std::errc::file_too_large);
  EXPECT_EQ(drive->write(at("/f"), UINT64_MAX, one).error(), std::errc::file_too_large);
  EXPECT_TRUE(drive->write(at("/f"), table::kMaxFileBytes - 1, one));
  EXPECT_EQ(node("/f").size, table::kMaxFileBytes);
}

TEST_P(DriveTest, WritingKeepsTheTimesOnRequest) {
  put("/f", "a");
  ASSERT_TRUE(drive->setattr(at("/f"), {.mtime = Time{5, 6}}));
  const std::string more = "b";
  ASSERT_TRUE(drive->write(at("/f"), 0, std::as_bytes(std::span(more)), {.keep_times = true}));
  EXPECT_EQ(node("/f").mtime, (Time{5, 6}));
  put("/f", "c");
  EXPECT_EQ(node("/f").mtime, now());
}

// ---- Items of other tools ----

TEST_P(DriveTest, AnItemWithoutAnIdGetsOne) {
  if (GetParam() != "path") GTEST_SKIP() << "another tool's item is spelt for the layout path";
  ASSERT_TRUE(store->table()
                  .write(table::Put{path_key("home", *Path::parse("/new.txt")),
                                    {{"kind", "file"}, {"sizeBytes", 12345}, {"owner", "7"}}})
                  .ok());
  const auto found = drive->lookup(root_ref(), "new.txt");
  ASSERT_TRUE(found);
  EXPECT_GT(found->id, kRootId);
  EXPECT_EQ(found->size, 12345u);
  EXPECT_EQ(drive->lookup(root_ref(), "new.txt")->id, found->id);
  EXPECT_EQ(content("/new.txt"), std::string(12345, '\0'));
}

TEST_P(DriveTest, ADamagedItemHidesNothingElse) {
  if (GetParam() != "path") GTEST_SKIP() << "spelt for the layout path";
  make({"/a", "/c"});
  ASSERT_TRUE(
      store->table().write(table::Put{{"DRIVE#home", "PATH#/b"}, {{"kind", "nonsense"}}}).ok());
  ASSERT_TRUE(store->table().write(table::Put{{"DRIVE#home", "PATH#/d//e"}, {}}).ok());
  ASSERT_TRUE(store->table().write(table::Put{{"DRIVE#home", "PATH#/zz/orphan"}, {}}).ok());
  EXPECT_EQ(list("/"), (Names{"a", "c"}));
  EXPECT_EQ(drive->lookup(root_ref(), "b").error(), std::errc::io_error);
  EXPECT_EQ(list("/", 1), (Names{"a", "c"}));
}

TEST_P(DriveTest, AnotherNodeInTheSamePlaceIsNotTaken) {
  make("/f");
  NodeRef old = at("/f");
  ASSERT_TRUE(unlink("/f"));
  put("/f", "another");
  const auto is_gone = [](std::errc error) {
    return error == std::errc(ESTALE) || error == std::errc::no_such_file_or_directory;
  };
  EXPECT_TRUE(is_gone(drive->getattr(old).error()));
  const std::string data = "x";
  EXPECT_TRUE(is_gone(drive->write(old, 0, std::as_bytes(std::span(data))).error()));
  EXPECT_EQ(content("/f"), "another");
}

// ---- What it costs ----

TEST_P(DriveTest, ListingHopsOverWhatLiesBelow) {
  if (GetParam() != "path") GTEST_SKIP() << "hopping is the layout path's";
  std::vector<std::string> paths;
  for (int k = 0; k < 5; ++k) {
    for (int n = 0; n < 300; ++n) {
      make("/top/" + std::to_string(k) + "/" + std::to_string(n % 10) + "/" + std::to_string(n));
    }
  }
  const table::Charge cost = cost_of([&] { EXPECT_EQ(list("/top").size(), 5u); });
  // at("/top") is one get; each child folder is one Query more.
  EXPECT_EQ(cost.gets, 1u);
  EXPECT_EQ(cost.queries, 6u);
  EXPECT_LE(cost.items_read, 5u * (1 + 17));
}

TEST_P(DriveTest, ABranchIsOneRead) {
  if (GetParam() != "path") GTEST_SKIP() << "the order is the layout path's";
  for (int n = 0; n < 500; ++n) {
    make("/top/" + std::to_string(n % 7) + "/" + std::to_string(n % 11) + "/" + std::to_string(n));
  }
  const NodeRef top = at("/top");
  std::size_t nodes = 0;
  const table::Charge cost = cost_of([&] {
    const auto branch = drive->branch(top);
    const BranchPage page = drive->next_page(*branch);
    nodes = page.entries.size();
    EXPECT_FALSE(page.more);
  });
  EXPECT_EQ(nodes, 500u + 7u + 77u);
  EXPECT_EQ(cost.queries, 1u);
  EXPECT_EQ(cost.pages, 1u);
  EXPECT_EQ(cost.items_read, nodes);
}

}  // namespace
}  // namespace prefixfs
