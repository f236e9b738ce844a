// ls, tree, find, du, stat, cat: what they read, and what it costs.

#include <nlohmann/json.hpp>

#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

using nlohmann::json;

class ListingTest : public CommandTest {
 protected:
  ListingTest() {
    ::setenv("TZ", "UTC", 1);
    make_demo_file();
  }
};

TEST_F(ListingTest, LsShowsNamesInByteOrder) {
  EXPECT_EQ(out_of({"ls", in("/")}),
            "docs\ndocs-archive\ndocs.txt\nphotos\nphotos-archive\nshared\n");
  EXPECT_EQ(out_of({"ls", at("home.db")}), out_of({"ls", in("/")}));
  EXPECT_EQ(out_of({"ls", in("/docs")}),
            "a.txt\nempty.txt\nlatest\nmeeting notes.txt\nreports\nr\xC3\xA9sum\xC3\xA9.txt\n");
  EXPECT_EQ(out_of({"ls", in("/docs.txt")}), "/docs.txt\n");
}

TEST_F(ListingTest, LsShowsLongLines) {
  EXPECT_EQ(out_of({"ls", "-l", in("/docs")}),
            "-rw-r--r-- 1 ana ana 40 2025-01-15 09:00 a.txt\n"
            "-rw-r--r-- 1 ana ana  0 2025-01-15 09:00 empty.txt\n"
            "lrwxrwxrwx 1 ana ana 19 2025-01-15 09:00 latest -> reports/2024-q4.csv\n"
            "-rw-r--r-- 1 bo  bo  36 2025-01-15 09:00 meeting notes.txt\n"
            "drwxr-xr-x 3 ana ana  0 2025-01-15 09:00 reports\n"
            "-rw-r--r-- 1 ana ana 22 2025-01-15 09:00 r\xC3\xA9sum\xC3\xA9.txt\n");
}

TEST_F(ListingTest, LsGoesDown) {
  EXPECT_EQ(out_of({"ls", "-R", in("/docs-archive")}),
            "/docs-archive:\n2019.txt\n2020.txt\nold\n\n/docs-archive/old:\nletter.txt\n");
}

TEST_F(ListingTest, TreeNests) {
  EXPECT_EQ(out_of({"tree", in("/docs")}),
            "/docs\n"
            "├── a.txt\n"
            "├── empty.txt\n"
            "├── latest -> reports/2024-q4.csv\n"
            "├── meeting notes.txt\n"
            "├── reports\n"
            "│   ├── 2024-q4.csv\n"
            "│   └── drafts\n"
            "│       └── plan.md\n"
            "└── r\xC3\xA9sum\xC3\xA9.txt\n"
            "\n2 folders, 7 files\n");
  EXPECT_EQ(out_of({"tree", "-L", "1", in("/docs-archive")}),
            "/docs-archive\n├── 2019.txt\n├── 2020.txt\n└── old\n\n1 folder, 2 files\n");
}

TEST_F(ListingTest, EveryLayoutShowsTheSameTree) {
  for (const std::string layout : {"node", "adjacency"}) {
    const std::string file = at(layout + ".db");
    out_of({"demo", file, "--layout", layout});
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"tree"}, {"ls", "-l"}, {"ls", "-R"}, {"du", "-s"}}) {
      const auto on = [&](const std::string& table) {
        std::vector<std::string> args = command;
        args.push_back(table);
        return out_of(args);
      };
      EXPECT_EQ(on(file), on(at("home.db"))) << layout << " " << command.front();
    }
    EXPECT_EQ(out_of({"cat", file + ":/docs/a.txt"}), out_of({"cat", in("/docs/a.txt")}));
    EXPECT_EQ(run({"get", file + ":/docs"}).err, "prefixfs: " + file + ": in the layout " + layout +
                                                     " of drive \"home\" a path is not a key\n");
    out_of({"rm", "-r", file + ":/docs"});
    EXPECT_EQ(out_of({"ls", file}), "docs-archive\ndocs.txt\nphotos\nphotos-archive\nshared\n");
  }
}

// "a!" sorts between "a" and "a/x": key order is not tree order.
TEST_F(ListingTest, TreeNestsWhereKeyOrderDoesNot) {
  out_of({"mkfs", at("order.db")});
  std::filesystem::create_directory(at("empty"));
  for (const char* path : {"/a", "/a/x", "/a!", "/a!/y", "/b"}) {
    out_of({"import", at("empty"), at("order.db") + ":" + path});
  }
  EXPECT_EQ(out_of({"tree", at("order.db")}),
            "/\n├── a\n│   └── x\n├── a!\n│   └── y\n└── b\n\n5 folders, 0 files\n");
  EXPECT_EQ(out_of({"find", at("order.db")}), "/\n/a\n/a!\n/a!/y\n/a/x\n/b\n");
  EXPECT_EQ(out_of({"du", at("order.db")}), "0\t/a/x\n0\t/a\n0\t/a!/y\n0\t/a!\n0\t/b\n0\t/\n");
}

TEST_F(ListingTest, FindFilters) {
  EXPECT_EQ(out_of({"find", in("/docs-archive")}),
            "/docs-archive\n/docs-archive/2019.txt\n/docs-archive/2020.txt\n/docs-archive/old\n"
            "/docs-archive/old/letter.txt\n");
  EXPECT_EQ(out_of({"find", in("/"), "-type", "l"}), "/docs/latest\n");
  EXPECT_EQ(out_of({"find", in("/"), "-name", "20*", "-type", "d"}),
            "/photos-archive/2019\n/photos/2024\n");
  EXPECT_EQ(out_of({"find", in("/docs"), "-name", "*.txt", "-print0"}),
            std::string("/docs/a.txt\0/docs/empty.txt\0/docs/meeting notes.txt\0"
                        "/docs/r\xC3\xA9sum\xC3\xA9.txt\0",
                        71));
  EXPECT_EQ(out_of({"find", in("/docs.txt")}), "/docs.txt\n");
}

TEST_F(ListingTest, ABranchIsOneQuery) {
  const Ran find = run({"find", in("/"), "--cost"});
  EXPECT_EQ(find.status, 0);
  EXPECT_EQ(find.err, "cost: 2 requests: 1 get, 1 query of 1 page, 29 items read; 1 read unit\n");
  const Ran du = run({"du", "-s", in("/docs"), "--cost"});
  EXPECT_EQ(du.err, "cost: 2 requests: 1 get, 1 query of 1 page, 9 items read; 1 read unit\n");
}

TEST_F(ListingTest, DuSumsUp) {
  EXPECT_EQ(out_of({"du", in("/docs-archive")}), "10\t/docs-archive/old\n11\t/docs-archive\n");
  EXPECT_EQ(out_of({"du", "-s", in("/photos/2024/summer")}), "364\t/photos/2024/summer\n");
  EXPECT_EQ(out_of({"du", "-h", "-s", in("/photos")}), "495K\t/photos\n");
  EXPECT_EQ(out_of({"du", in("/shared/log.txt")}), "200\t/shared/log.txt\n");
}

TEST_F(ListingTest, CatWritesAllBytes) {
  EXPECT_EQ(out_of({"cat", in("/docs/a.txt")}), "The sort order of the keys is the tree.\n");
  EXPECT_EQ(out_of({"cat", in("/docs/empty.txt")}), "");
  EXPECT_EQ(out_of({"cat", in("/photos/2024/winter/snow.jpg")}).size(), 130u * 1024 + 7);
}

TEST_F(ListingTest, StatShowsTheKey) {
  const std::string text = out_of({"stat", in("/docs/a.txt")});
  EXPECT_NE(text.find("pk       DRIVE#home\nsk       PATH#/docs/a.txt\n"), std::string::npos);
  EXPECT_NE(text.find("mode     0644 -rw-r--r--\n"), std::string::npos);

  const json answer = json::parse(out_of({"stat", "--json", in("/docs/latest")}));
  EXPECT_EQ(answer["path"], "/docs/latest");
  EXPECT_EQ(answer["kind"], "symlink");
  EXPECT_EQ(answer["target"], "reports/2024-q4.csv");
  EXPECT_EQ(answer["owner"], "ana");
  EXPECT_EQ(answer["sk"], "PATH#/docs/latest");
  EXPECT_GT(answer["itemBytes"], 100);
}

}  // namespace
}  // namespace prefixfs
