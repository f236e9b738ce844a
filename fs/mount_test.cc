#include "fs/mount.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fs/drive_fixture.h"

namespace prefixfs {
namespace {

class MountTest : public DriveFixture {
 protected:
  MountTest() : mount(std::make_unique<Mount>(*drive)) {}

  NodeId create(NodeId parent, std::string_view name, Kind kind = Kind::file) {
    const auto made =
        mount->create(parent, name, {.kind = kind, .mode = kind == Kind::folder ? 0755u : 0644u});
    EXPECT_TRUE(made) << name;
    return made ? made->id : kNoId;
  }
  Result<Written> write(NodeId id, std::string_view text) {
    return mount->write(id, 0, std::as_bytes(std::span(text)), {});
  }
  std::string read(NodeId id) {
    std::string text(100, '?');
    const auto bytes = mount->read(id, 0, std::as_writable_bytes(std::span(text)));
    EXPECT_TRUE(bytes);
    text.resize(bytes ? *bytes : 0);
    return text;
  }
  // Reads up to `most` entries from after `cookie`; returns them.
  std::vector<DirEntry> entries(NodeId folder, std::uint64_t cookie, std::size_t most,
                                bool counted = false) {
    std::vector<DirEntry> taken;
    EXPECT_TRUE(mount->readdir(folder, cookie, counted, [&](const DirEntry& entry) {
      if (taken.size() == most) return false;
      taken.push_back(entry);
      return true;
    }));
    return taken;
  }

  std::unique_ptr<Mount> mount;
};
INSTANTIATE_TEST_SUITE_P(Layouts, MountTest, kLayouts);

TEST_P(MountTest, AnInodeNumberIsTheNodesId) {
  const NodeId f = create(kRootId, "f");
  EXPECT_EQ(mount->lookup(kRootId, "f")->id, f);
  EXPECT_EQ(mount->getattr(f)->id, f);
  EXPECT_EQ(mount->getattr(kRootId)->links, 2u);
  create(kRootId, "d", Kind::folder);
  EXPECT_EQ(mount->getattr(kRootId)->links, 3u);
}

TEST_P(MountTest, WhatWasForgottenIsStale) {
  const NodeId f = create(kRootId, "f");
  mount->forget(f, 1);
  EXPECT_EQ(mount->getattr(f).error(), std::errc(ESTALE));
  EXPECT_EQ(mount->lookup(kRootId, "f")->id, f);
  EXPECT_TRUE(mount->getattr(f));
}

TEST_P(MountTest, OpenFilesFollowTheRenameOfAFolderAbove) {
  const NodeId a = create(kRootId, "a", Kind::folder);
  const NodeId b = create(a, "b", Kind::folder);
  const NodeId f = create(b, "f");
  ASSERT_TRUE(write(f, "before"));
  ASSERT_TRUE(mount->rename(kRootId, "a", kRootId, "z", RenameMode::replace));
  EXPECT_EQ(read(f), "before");
  ASSERT_TRUE(write(f, "after!"));
  EXPECT_EQ(read(mount->lookup(b, "f")->id), "after!");
  EXPECT_EQ(mount->lookup(kRootId, "a").error(), std::errc::no_such_file_or_directory);
}

TEST_P(MountTest, ExchangedFoldersKeepTheirOpenFiles) {
  const NodeId a = create(kRootId, "a", Kind::folder), b = create(kRootId, "b", Kind::folder);
  const NodeId in_a = create(a, "f"), in_b = create(b, "f");
  ASSERT_TRUE(write(in_a, "a"));
  ASSERT_TRUE(write(in_b, "b"));
  ASSERT_TRUE(mount->rename(kRootId, "a", kRootId, "b", RenameMode::exchange));
  EXPECT_EQ(read(in_a), "a");
  EXPECT_EQ(read(in_b), "b");
  EXPECT_EQ(mount->lookup(kRootId, "b")->id, a);
}

TEST_P(MountTest, ThatThereAreNoCapabilitiesAndAclsIsKnownWithoutAsking) {
  const auto free = [&](NodeId id) {
    const auto before = ledger.total().calls;
    EXPECT_EQ(mount->getxattr(id, kCapabilityXattr).error(), std::errc(ENODATA));
    return ledger.total().calls == before;
  };
  const NodeId f = create(kRootId, "f"), g = create(kRootId, "g");
  EXPECT_TRUE(free(f));
  ASSERT_TRUE(mount->setxattr(f, "user.a", "1", XattrMode::set, {}));
  EXPECT_TRUE(free(f));
  // Whatever others wrote is asked for, and looked up again it is known.
  mount->foreign_change();
  EXPECT_FALSE(free(g));
  mount->forget(g, 1);
  ASSERT_TRUE(mount->lookup(kRootId, "g"));
  EXPECT_TRUE(free(g));

  for (const char* name : {"security.selinux", "system.posix_acl_access"}) {
    const auto before = ledger.total().calls;
    EXPECT_EQ(mount->getxattr(g, name).error(), std::errc(ENODATA));
    EXPECT_EQ(ledger.total().calls, before) << name;
  }

  ASSERT_TRUE(mount->setxattr(f, kCapabilityXattr, "cap", XattrMode::set, {}));
  EXPECT_EQ(*mount->getxattr(f, kCapabilityXattr), "cap");
  mount->forget(f, 1);
  EXPECT_TRUE(entries(kRootId, 0, 100, true).size() == 4u);
  EXPECT_EQ(*mount->getxattr(f, kCapabilityXattr), "cap");
  ASSERT_TRUE(mount->removexattr(f, kCapabilityXattr));
  EXPECT_EQ(mount->getxattr(f, kCapabilityXattr).error(), std::errc(ENODATA));
}

TEST_P(MountTest, AnUnlinkedFileLivesUntilItIsForgotten) {
  const NodeId f = create(kRootId, "f");
  ASSERT_TRUE(write(f, "content"));
  ASSERT_TRUE(mount->unlink(kRootId, "f"));
  EXPECT_EQ(mount->getattr(f)->links, 0u);
  EXPECT_EQ(read(f), "content");
  EXPECT_EQ(store->stats().blocks, 1u);
  mount->forget(f, 1);
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(MountTest, AReplacedFileLivesUntilItIsForgotten) {
  const NodeId f = create(kRootId, "f"), g = create(kRootId, "g");
  ASSERT_TRUE(write(f, "f"));
  ASSERT_TRUE(write(g, "g"));
  ASSERT_TRUE(mount->rename(kRootId, "f", kRootId, "g", RenameMode::replace));
  EXPECT_EQ(read(g), "g");
  EXPECT_EQ(read(f), "f");
  EXPECT_EQ(mount->lookup(kRootId, "g")->id, f);
  mount->forget(g, 1);
  EXPECT_EQ(store->stats().blocks, 1u);
}

TEST_P(MountTest, AFileNobodyHoldsGoesAtOnce) {
  const NodeId f = create(kRootId, "f");
  ASSERT_TRUE(write(f, "content"));
  mount->forget(f, 1);
  ASSERT_TRUE(mount->unlink(kRootId, "f"));
  EXPECT_EQ(store->stats().blocks, 0u);
}

TEST_P(MountTest, AnyNameOfANodeServesUntilTheLastGoes) {
  const NodeId d = create(kRootId, "d", Kind::folder);
  const NodeId f = create(kRootId, "f");
  ASSERT_TRUE(write(f, "content"));
  const auto linked = mount->link(f, d, "g");
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->id, f);
  EXPECT_EQ(linked->links, 2u);
  EXPECT_EQ(mount->getattr(f)->links, 2u);
  ASSERT_TRUE(mount->unlink(kRootId, "f"));
  EXPECT_EQ(mount->getattr(f)->links, 1u);
  EXPECT_EQ(read(f), "content");
  ASSERT_TRUE(mount->rename(kRootId, "d", kRootId, "e", RenameMode::replace));
  ASSERT_TRUE(mount->setattr(f, {.mode = 0600}));
  EXPECT_EQ(mount->lookup(d, "g")->mode, 0600u);
  ASSERT_TRUE(mount->unlink(d, "g"));
  EXPECT_EQ(read(f), "content");
  EXPECT_EQ(mount->getattr(f)->links, 0u);
  EXPECT_EQ(mount->link(f, kRootId, "again").error(), std::errc::no_such_file_or_directory);
  mount->forget(f, 3);
  EXPECT_EQ(store->stats().blocks, 0u);
}

// The kernel may know an inode by one name and its folder by another.
TEST_P(MountTest, ANameThatTheKernelNeverSawIsEnough) {
  const NodeId f = create(kRootId, "f");
  ASSERT_TRUE(write(f, "content"));
  ASSERT_TRUE(mount->link(f, kRootId, "g"));
  mount->forget(f, 2);
  ASSERT_TRUE(mount->lookup(kRootId, "f"));
  ASSERT_TRUE(mount->unlink(kRootId, "f"));
  EXPECT_EQ(read(f), "content");
  ASSERT_TRUE(write(f, "changed"));
  EXPECT_EQ(mount->lookup(kRootId, "g")->id, f);
  EXPECT_EQ(read(f), "changed");
}

TEST_P(MountTest, ANodeThatIsLeftWithOneNameIsStoredWithIt) {
  const NodeId f = create(kRootId, "f");
  const std::uint64_t before = store->stats().items;
  ASSERT_TRUE(mount->link(f, kRootId, "g"));
  ASSERT_TRUE(mount->unlink(kRootId, "f"));
  EXPECT_EQ(store->stats().items, before);
  EXPECT_EQ(mount->lookup(kRootId, "g")->links, 1u);
  ASSERT_TRUE(mount->rename(kRootId, "g", kRootId, "h", RenameMode::replace));
  EXPECT_EQ(mount->getattr(f)->links, 1u);
}

TEST_P(MountTest, RenamingOverANameLeavesTheNodeItsOthers) {
  const NodeId f = create(kRootId, "f");
  ASSERT_TRUE(write(f, "f"));
  const NodeId other = create(kRootId, "other");
  ASSERT_TRUE(write(other, "other"));
  ASSERT_TRUE(mount->link(f, kRootId, "g"));
  ASSERT_TRUE(mount->rename(kRootId, "other", kRootId, "f", RenameMode::replace));
  EXPECT_EQ(read(f), "f");
  EXPECT_EQ(mount->getattr(f)->links, 1u);
  EXPECT_EQ(mount->lookup(kRootId, "f")->id, other);
  ASSERT_TRUE(mount->rename(kRootId, "f", kRootId, "g", RenameMode::exchange));
  EXPECT_EQ(mount->lookup(kRootId, "f")->id, f);
  EXPECT_EQ(read(other), "other");
  EXPECT_EQ(read(f), "f");
}

// A listing in pieces: what comes later is the node as it is by then.
TEST_P(MountTest, AListingShowsChangesUnderOtherNames) {
  const NodeId d = create(kRootId, "d", Kind::folder);
  const NodeId e = create(kRootId, "e", Kind::folder);
  create(d, "a");
  const NodeId f = create(d, "f");
  ASSERT_TRUE(mount->link(f, e, "f"));
  ASSERT_TRUE(mount->unlink(d, "f"));  // found by the name in `e` from here on
  ASSERT_TRUE(mount->link(f, d, "f"));
  const auto first = entries(d, 0, 3);
  ASSERT_EQ(first.back().name, "a");
  mount->forget(f, 3);
  ASSERT_TRUE(mount->lookup(e, "f"));
  ASSERT_TRUE(write(f, "content"));
  const auto rest = entries(d, first.back().cookie, 10);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].stat.size, 7u);
}

TEST_P(MountTest, ListsDotsAndAllNamesOnce) {
  for (int i = 0; i < 50; ++i) create(kRootId, "f" + std::to_string(i));
  const auto all = entries(kRootId, 0, 1000);
  ASSERT_EQ(all.size(), 52u);
  EXPECT_EQ(all[0].name, ".");
  EXPECT_EQ(all[1].name, "..");
  EXPECT_EQ(entries(kRootId, all.back().cookie, 1000).size(), 0u);
}

TEST_P(MountTest, EveryCookieContinuesAfterItsEntry) {
  for (int i = 0; i < 30; ++i) create(kRootId, "f" + std::to_string(i));
  const auto all = entries(kRootId, 0, 1000);
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto rest = entries(kRootId, all[i].cookie, 1000);
    ASSERT_EQ(rest.size(), all.size() - i - 1);
    if (!rest.empty()) {
      EXPECT_EQ(rest[0].name, all[i + 1].name);
      EXPECT_EQ(rest[0].cookie, all[i + 1].cookie);
    }
  }
  EXPECT_FALSE(mount->readdir(kRootId, 1'000'000, false, [](const DirEntry&) { return true; }));
}

// The kernel goes on in the middle of a listing that it kept, long after that was read.
TEST_P(MountTest, ACookieStandsInAnyListing) {
  const NodeId other = create(kRootId, "other", Kind::folder);
  for (int i = 0; i < 50; ++i) {
    mount->forget(create(kRootId, "f" + std::to_string(i)), 1);
    mount->forget(create(other, "f" + std::to_string(i)), 1);
  }
  const auto all = entries(kRootId, 0, 1000);
  ASSERT_EQ(all.size(), 53u);
  for (int i = 0; i < 100; ++i) entries(other, 0, 5);  // drops what is kept of the folder
  EXPECT_EQ(entries(kRootId, all[10].cookie, 1).at(0).name, all[11].name);
  EXPECT_EQ(entries(kRootId, all[30].cookie, 1).at(0).name, all[31].name);
}

TEST_P(MountTest, ACookieStandsWhenItsNameIsGone) {
  for (const char* name : {"a", "b", "c", "d", "e"}) create(kRootId, name);
  const auto all = entries(kRootId, 2, 1000);
  ASSERT_EQ(all.size(), 5u);
  ASSERT_TRUE(mount->unlink(kRootId, "b"));
  ASSERT_TRUE(mount->rename(kRootId, "d", kRootId, "a", RenameMode::replace));
  EXPECT_EQ(entries(kRootId, all[1].cookie, 1).at(0).name, "c");
  EXPECT_EQ(entries(kRootId, all[3].cookie, 1).at(0).name, "e");
  EXPECT_EQ(entries(kRootId, all[4].cookie, 1).size(), 0u);
}

TEST_P(MountTest, ListingsOfOneFolderDoNotDisturbEachOther) {
  for (int i = 0; i < 20; ++i) create(kRootId, "f" + std::to_string(i));
  const auto all = entries(kRootId, 2, 1000);
  std::uint64_t one = 2, two = 2;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto next = entries(kRootId, one, 1);
    ASSERT_EQ(next.at(0).name, all[i].name);
    one = next[0].cookie;
    if (i % 2 == 1) continue;
    const auto slow = entries(kRootId, two, 1);
    ASSERT_EQ(slow.at(0).name, all[i / 2].name);
    two = slow[0].cookie;
  }
}

TEST_P(MountTest, DeletingWhileReadingSkipsNothing) {
  constexpr int kFiles = 2500;
  for (int i = 0; i < kFiles; ++i) mount->forget(create(kRootId, "f" + std::to_string(i)), 1);
  std::uint64_t cookie = 2;
  int deleted = 0;
  while (true) {
    const auto some = entries(kRootId, cookie, 7);
    if (some.empty()) break;
    cookie = some.back().cookie;
    for (const DirEntry& entry : some) {
      ASSERT_TRUE(mount->unlink(kRootId, entry.name)) << entry.name;
      ++deleted;
    }
  }
  EXPECT_EQ(deleted, kFiles);
}

TEST_P(MountTest, ReadingSeesNoStaleAttributes) {
  for (const char* name : {"a", "b", "c"}) create(kRootId, name);
  const auto first = entries(kRootId, 2, 1);
  ASSERT_EQ(first.size(), 1u);
  const NodeId c = mount->lookup(kRootId, "c")->id;
  ASSERT_TRUE(mount->setattr(c, {.mode = 0600}));
  const auto rest = entries(kRootId, first[0].cookie, 10);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[1].stat.mode, 0600u);
  EXPECT_EQ(rest[1].stat.id, c);
}

TEST_P(MountTest, OnlyEntriesThatFitAreCounted) {
  for (const char* name : {"a", "b", "c"}) mount->forget(create(kRootId, name), 1);
  EXPECT_EQ(mount->inodes().size(), 1u);
  const auto taken = entries(kRootId, 0, 4, true);  // ".", "..", "a", "b"
  ASSERT_EQ(taken.size(), 4u);
  EXPECT_EQ(mount->inodes().size(), 3u);
  EXPECT_TRUE(mount->inodes().holds(taken[2].stat.id));
  mount->forget(taken[2].stat.id, 1);
  mount->forget(taken[3].stat.id, 1);
  EXPECT_EQ(mount->inodes().size(), 1u);
}

TEST_P(MountTest, DotDotIsTheParent) {
  const NodeId a = create(kRootId, "a", Kind::folder);
  const NodeId b = create(a, "b", Kind::folder);
  const auto dots = entries(b, 0, 2);
  EXPECT_EQ(dots[0].stat.id, b);
  EXPECT_EQ(dots[1].stat.id, a);
  ASSERT_TRUE(mount->rename(a, "b", kRootId, "b", RenameMode::replace));
  EXPECT_EQ(entries(b, 0, 2)[1].stat.id, kRootId);
}

}  // namespace
}  // namespace prefixfs
