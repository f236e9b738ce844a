#include "fs/convert.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "fs/drive_fixture.h"
#include "fs/node_item.h"
#include "table/error.h"
#include "table/item_json.h"

namespace prefixfs {
namespace {

class ConvertTest : public DriveFixture {
 protected:
  std::vector<std::string_view> others() const {
    std::vector<std::string_view> names;
    for (const std::string_view name : kLayoutNames) {
      if (name != GetParam()) names.push_back(name);
    }
    return names;
  }
  // What is spelt as rows of any drive, in the order of the keys.
  std::vector<table::Row> rows() {
    std::vector<table::Row> all;
    table::Scan scan{};
    while (true) {
      auto page = store->table().scan(scan);
      for (table::Row& row : page.rows) {
        if (row.key.pk.starts_with("DRIVE")) all.push_back(std::move(row));
      }
      if (!page.last) return all;
      scan.exclusive_start = page.last;
    }
  }
  static std::string text(const std::vector<table::Row>& rows) {
    std::string text;
    for (const table::Row& row : rows) {
      text += table::to_dynamo_json(row.key.pk, row.key.sk, row.item) + "\n";
    }
    return text;
  }

  std::variant<Conversion, StrayRows> convert(std::string_view to) {
    drive.reset();
    const auto info = find_drive(store->table(), "home");
    auto done = convert_drive(*store, ledger, *info, to, [](std::uint64_t) {});
    const auto now = find_drive(store->table(), "home");
    drive = std::make_unique<Drive>(*store, ledger, accounts, make_layout(now->layout, "home"),
                                    "home", file(), [this] { return tick(); });
    return done;
  }
  void make_tree() {
    make({"/docs/a.txt", "/docs/sub/deep/x", "/docs-archive/old", "/docs.txt", "/docs0/y",
          "/empty/", "/with space/z"});
    put("/docs/a.txt", "some content");
    put("/docs/sub/deep/x", std::string(200'000, 'x'));
  }
  std::string tree() {
    std::string all;
    const auto branch = drive->branch(root_ref());
    std::map<std::string, std::string> nodes;
    for (bool more = true; more;) {
      const BranchPage page = drive->next_page(*branch);
      for (const BranchEntry& entry : page.entries) {
        nodes[entry.below] = table::to_dynamo_json(encode_node(entry.node));
      }
      more = page.more;
    }
    for (const auto& [below, node] : nodes) all += below + " " + node + "\n";
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, ConvertTest, kLayouts);

TEST_P(ConvertTest, NamesOfOneNodeStayThat) {
  make_tree();
  const auto link = [&](std::string_view from, std::string_view to) {
    const Path path = *Path::parse(to);
    ASSERT_TRUE(drive->link(at(from), at(path.parent().text()), path.name()));
  };
  link("/docs/a.txt", "/docs/sub/second");
  link("/docs/a.txt", "/a third");
  link("/docs0/y", "/empty/y");
  for (const std::string_view layout : others()) {
    const auto before = rows();
    const std::string was = tree();
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(layout)));
    EXPECT_EQ(tree(), was);
    EXPECT_EQ(content("/a third"), "some content");
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(GetParam())));
    EXPECT_EQ(text(rows()), text(before));
    for (const char* path : {"/docs/a.txt", "/docs/sub/second", "/a third"}) {
      EXPECT_EQ(node(path).links, 3u);
    }
  }
}

TEST_P(ConvertTest, WhatIsLeftWithOneNameIsStoredWithIt) {
  make_tree();
  const auto before = rows().size();
  ASSERT_TRUE(drive->link(at("/docs/a.txt"), root_ref(), "second"));
  ASSERT_TRUE(unlink("/docs/a.txt"));
  for (const std::string_view layout : others()) {
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(layout)));
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(GetParam())));
    EXPECT_EQ(rows().size(), before);
    EXPECT_EQ(content("/second"), "some content");
  }
}

TEST_P(ConvertTest, TheTreeAndItsContentStay) {
  make_tree();
  for (const std::string_view to : others()) {
    const std::string before = tree();
    const auto done = convert(to);
    ASSERT_TRUE(std::holds_alternative<Conversion>(done)) << to;
    EXPECT_EQ(std::get<Conversion>(done).nodes, 14u);
    EXPECT_EQ(drive->layout().name(), to);
    EXPECT_EQ(tree(), before) << to;
    EXPECT_EQ(content("/docs/a.txt"), "some content");
    EXPECT_EQ(content("/docs/sub/deep/x"), std::string(200'000, 'x'));
    EXPECT_EQ(list("/"), (std::vector<std::string>{"docs", "docs-archive", "docs.txt", "docs0",
                                                   "empty", "with space"}));
    // It is a drive to work in.
    make("/docs/new");
    EXPECT_TRUE(rename("/docs", "/moved"));
    EXPECT_TRUE(exists("/moved/sub/deep/x"));
    EXPECT_TRUE(rename("/moved", "/docs"));
    EXPECT_TRUE(unlink("/docs/new"));
    convert(GetParam());
  }
}

TEST_P(ConvertTest, ThereAndBackIsTheSameRows) {
  make_tree();
  const std::string before = text(rows());
  for (const std::string_view to : others()) {
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(to)));
    EXPECT_NE(text(rows()), before);
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(GetParam())));
    EXPECT_EQ(text(rows()), before) << to;
  }
}

// More nodes than a page of any reader holds, in folders whose names sort around '/'.
TEST_P(ConvertTest, ManyPages) {
  for (const std::string folder : {"/a", "/a-b", "/a-b/c"}) {
    make(folder + "/");
    for (int i = 0; i < 1200; ++i) make(folder + "/" + std::to_string(i));
  }
  const std::string before = text(rows());
  std::uint64_t last = 0;
  for (const std::string_view to : others()) {
    drive.reset();
    const auto info = find_drive(store->table(), "home");
    const auto done = convert_drive(*store, ledger, *info, to, [&](std::uint64_t nodes) {
      EXPECT_GE(nodes, last == 3604 ? 0 : last);
      last = nodes;
    });
    EXPECT_EQ(std::get<Conversion>(done).nodes, 3604u);
    EXPECT_EQ(last, 3604u);
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(GetParam())));
    EXPECT_EQ(text(rows()), before) << to;
  }
}

TEST_P(ConvertTest, AnotherDriveAndOtherItemsAreLeftAlone) {
  make_tree();
  for (const std::string name : {"home-2", "home2"}) {
    ASSERT_TRUE(make_drive(*store, {.name = name, .layout = GetParam()}, tick()));
  }
  const table::Key note{"DRIVE#home", "NOTE#1"};
  ASSERT_TRUE(store->table().write(table::Put{note, {{"text", "mine"}}}).ok());
  const auto others_rows = [&] {
    std::vector<table::Row> of_others;
    for (table::Row& row : rows()) {
      if (!in_drive("home", row.key.pk) && row.key.sk != "DRIVE#home") {
        of_others.push_back(std::move(row));
      }
    }
    return text(of_others);
  };
  const std::string before = others_rows();
  ASSERT_TRUE(std::holds_alternative<Conversion>(convert(others()[0])));
  // Ids that were reserved stay reserved, whoever did it.
  EXPECT_EQ(others_rows(), before);
  EXPECT_TRUE(store->table().get(note).item);
}

// Written by another program with just what MODEL.md asks for.
TEST_P(ConvertTest, NodesWithoutAnIdAreGivenOne) {
  make("/docs/");
  const table::Item item{{"kind", "file"}, {"sizeBytes", 0}, {"owner", "ana"}};
  table::Batch batch;
  Node bare = *decode_node(item);
  if (GetParam() == "node") return;  // there the id is the key
  make_layout(GetParam(), "home")->add(batch, at("/docs"), "bare", bare);
  std::get<table::Put>(batch[0]).item = item;
  ASSERT_TRUE(store->table().apply(batch).ok());
  for (const std::string_view to : others()) {
    ASSERT_TRUE(std::holds_alternative<Conversion>(convert(to)));
    EXPECT_EQ(node("/docs/bare").owner, "ana");
    EXPECT_GT(number(node("/docs/bare").id), 1u);
  }
}

TEST_P(ConvertTest, RowsThatNoNodeLeadsToRefuse) {
  make_tree();
  const std::string pk = GetParam() == "path" ? "DRIVE#home" : "DRIVE#home#DIR#999999";
  const std::string sk = GetParam() == "path" ? "PATH#/nowhere/x" : "NAME#x";
  ASSERT_TRUE(store->table()
                  .write(table::Put{{pk, sk}, {{"kind", "file"}, {"id", 77777}, {"owner", "o"}}})
                  .ok());
  const std::string before = text(rows());
  const auto done = convert(others()[0]);
  ASSERT_TRUE(std::holds_alternative<StrayRows>(done));
  const StrayRows& strays = std::get<StrayRows>(done);
  EXPECT_EQ(strays.count, 1u);
  ASSERT_EQ(strays.some.size(), 1u);
  EXPECT_EQ(strays.some[0], (table::Key{pk, sk}));
  EXPECT_EQ(text(rows()), before);
}

// Else the row of one would be written over by the other's.
TEST_P(ConvertTest, TwoNodesOfOneIdRefuse) {
  if (GetParam() == "node") return;  // there the id is the key
  make({"/a/x", "/b/y"});
  Node copy = node("/a/x");
  table::Batch batch;
  const auto layout = make_layout(GetParam(), "home");
  layout->remove(batch, at("/b/y"));
  ASSERT_TRUE(store->table().apply(batch).ok());
  batch.clear();
  layout->add(batch, at("/b"), "y", copy);
  ASSERT_TRUE(store->table().apply(batch).ok());
  const std::string before = text(rows());
  EXPECT_THROW(convert("node"), table::TableError);
  EXPECT_EQ(text(rows()), before);
}

TEST_P(ConvertTest, WithoutARootThereIsNoTree) {
  make_tree();
  table::Batch batch;
  make_layout(GetParam(), "home")->remove(batch, root_ref());
  ASSERT_TRUE(store->table().apply(batch).ok());
  const std::string before = text(rows());
  EXPECT_THROW(convert(others()[0]), table::TableError);
  EXPECT_EQ(text(rows()), before);
}

}  // namespace
}  // namespace prefixfs
