#include "fs/control_files.h"

#include <gtest/gtest.h>

#include "fs/drive_fixture.h"
#include "fs/mount.h"

namespace prefixfs {
namespace {

class ControlFilesTest : public DriveFixture {
 protected:
  ControlFilesTest() {
    drive->on_folder_rename([this](const RenameCost& cost) { control.add(cost); });
  }
  Stat file(std::string_view name) {
    const auto folder = mount.lookup(kRootId, kControlFolder);
    EXPECT_TRUE(folder);
    const auto found = mount.lookup(folder->id, name);
    EXPECT_TRUE(found) << name;
    return found ? *found : Stat{};
  }
  std::string text(NodeId id) {
    std::string bytes(100'000, '\0');
    const auto read = mount.read(id, 0, std::as_writable_bytes(std::span(bytes)));
    EXPECT_TRUE(read);
    bytes.resize(read ? *read : 0);
    return bytes;
  }

  ControlFiles control{ledger, *store, {.owner = "0", .group = "0", .since = Time{1, 0}}};
  Mount mount{*drive, &control};
};
INSTANTIATE_TEST_SUITE_P(Layouts, ControlFilesTest, kLayouts);

TEST_P(ControlFilesTest, AreThereButNotListed) {
  ASSERT_TRUE(mount.create(kRootId, "f", {}));
  std::vector<std::string> names;
  ASSERT_TRUE(mount.readdir(kRootId, 0, false, [&](const DirEntry& entry) {
    names.push_back(entry.name);
    return true;
  }));
  EXPECT_EQ(names, (std::vector<std::string>{".", "..", "f"}));
  EXPECT_EQ(mount.lookup(kRootId, ".prefixfs")->kind, Kind::folder);
  EXPECT_EQ(mount.lookup(ControlFiles::folder_id(), "nothing").error(),
            std::errc::no_such_file_or_directory);
}

TEST_P(ControlFilesTest, CostIsTheLedgerAtTheLookup) {
  ASSERT_TRUE(mount.create(kRootId, "f", {}));
  const Stat first = file("cost");
  const std::string text_then = text(first.id);
  EXPECT_EQ(text_then.size(), first.size);
  EXPECT_NE(text_then.find(R"("create": {"calls": 1, )"), std::string::npos) << text_then;
  ASSERT_TRUE(mount.create(kRootId, "g", {}));
  EXPECT_EQ(text(first.id), text_then) << "one state, however long it is read";
  const Stat second = file("cost");
  EXPECT_NE(second.id, first.id);
  EXPECT_NE(text(second.id).find(R"("create": {"calls": 2, )"), std::string::npos);
  EXPECT_TRUE(second.fleeting);
  mount.forget(first.id, 1);
  EXPECT_EQ(mount.getattr(first.id).error(), std::errc(ESTALE));
}

TEST_P(ControlFilesTest, TruncatingCostCountsAnew) {
  ASSERT_TRUE(mount.create(kRootId, "f", {}));
  ASSERT_TRUE(mount.setattr(file("cost").id, {.size = 0}));
  EXPECT_NE(text(file("cost").id).find(R"({"operations": {}, )"), std::string::npos);
  EXPECT_FALSE(mount.setattr(file("renames").id, {.size = 0}));
}

TEST_P(ControlFilesTest, RenamesHasALineForEachFolder) {
  const NodeId a = mount.create(kRootId, "a", {.kind = Kind::folder})->id;
  ASSERT_TRUE(mount.create(a, "f", {}));
  ASSERT_TRUE(mount.rename(a, "f", a, "g", RenameMode::replace));
  EXPECT_EQ(text(file("renames").id), "");
  ASSERT_TRUE(mount.rename(kRootId, "a", kRootId, "b", RenameMode::replace));
  ASSERT_TRUE(mount.rename(kRootId, "b", kRootId, "c", RenameMode::replace));
  const std::string lines = text(file("renames").id);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_TRUE(lines.starts_with(R"({"from": "/a", "to": "/b", "layout": ")" + GetParam()));
}

TEST_P(ControlFilesTest, CannotBeChangedOrReplaced) {
  ASSERT_TRUE(mount.create(kRootId, "f", {}));
  EXPECT_EQ(mount.create(kRootId, ".prefixfs", {}).error(), std::errc::file_exists);
  EXPECT_EQ(mount.create(ControlFiles::folder_id(), "x", {}).error(), std::errc::permission_denied);
  EXPECT_EQ(mount.rmdir(kRootId, ".prefixfs").error(), std::errc::permission_denied);
  EXPECT_EQ(mount.unlink(ControlFiles::folder_id(), "cost").error(), std::errc::permission_denied);
  EXPECT_EQ(mount.rename(kRootId, "f", kRootId, ".prefixfs", RenameMode::replace).error(),
            std::errc::permission_denied);
  const std::string data = "x";
  EXPECT_EQ(mount.write(file("cost").id, 0, std::as_bytes(std::span(data)), {}).error(),
            std::errc::permission_denied);
  EXPECT_EQ(mount.setattr(file("cost").id, {.mode = 0666}).error(),
            std::errc::operation_not_permitted);
}

TEST_P(ControlFilesTest, TracesNameWhatWasAsked) {
  std::vector<table::Traced> traced;
  ledger.trace_to([&](const table::Traced& one) { traced.push_back(one); });
  make("/docs/");
  traced.clear();
  ASSERT_TRUE(drive->getattr(at("/docs")));
  ASSERT_EQ(traced.size(), 2u);  // at() looks it up
  EXPECT_EQ(traced[1].operation, "getattr");
  EXPECT_EQ(traced[1].subject, "/docs");
  ASSERT_EQ(traced[1].requests.size(), 1u);
  if (GetParam() == "path") {
    EXPECT_EQ(traced[1].requests[0], "GetItem DRIVE#home PATH#/docs");
  }
  EXPECT_EQ(traced[1].charge.gets, 1u);
}

}  // namespace
}  // namespace prefixfs
