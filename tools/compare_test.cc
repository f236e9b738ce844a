// compare: the numbers against the worked table of the cost model, and what can go wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fs/layout.h"
#include "tools/command_fixture.h"
#include "tools/compared_tree.h"
#include "tools/scratch_drive.h"

namespace prefixfs {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CompareTest : public CommandTest {
 protected:
  // Of the operations of that name the one with n, or the only one.
  static json operation(const json& all, const std::string& name, std::uint64_t n = 0) {
    for (const json& one : all["operations"]) {
      if (one["operation"] == name && (n == 0 || one["n"] == n)) return one;
    }
    ADD_FAILURE() << "no operation " << name << " " << n;
    return {};
  }
};

TEST_F(CompareTest, RenamingAFolderCostsWhatTheModelSays) {
  const json all =
      json::parse(out_of({"compare", "--n", "100000,50,1000", "--rounds", "1", "--json"}));
  const struct {
    std::uint64_t n;
    double write_units, read_units;
    std::uint64_t batch_calls;
  } worked[] = {{50, 100, 1, 4}, {1000, 2000, 12.5, 80}, {100000, 200000, 1221, 8000}};
  for (const auto& row : worked) {
    const json path = operation(all, "rename a folder", row.n)["layouts"]["path"];
    // The folder's own item is one more; the folder around it is updated; both are got first.
    EXPECT_EQ(path["puts"], row.n + 1);
    EXPECT_EQ(path["deletes"], row.n + 1);
    EXPECT_EQ(path["updates"], 1);
    EXPECT_EQ(path["write_units"], row.write_units + 3);
    EXPECT_EQ(path["read_units"], row.read_units + 1);
    EXPECT_EQ(path["items_read"], row.n);
    const auto got = path["gets"].get<std::uint64_t>();
    EXPECT_EQ(path["requests"], got + path["pages"].get<std::uint64_t>() + row.batch_calls + 1 + 1);
    EXPECT_DOUBLE_EQ(path["usd"], (path["write_units"].get<double>() * 0.625 +
                                   path["read_units"].get<double>() * 0.125) /
                                      1e6);
    EXPECT_DOUBLE_EQ(path["floor_seconds"], path["write_units"].get<double>() / 1000);

    const json branch = operation(all, "read a whole branch", row.n)["layouts"]["path"];
    EXPECT_EQ(branch["read_units"], row.read_units);
    for (const char* layout : {"node", "adjacency"}) {
      const json other = operation(all, "rename a folder", row.n)["layouts"][layout];
      EXPECT_LE(other["write_units"], 4) << layout;
    }
    EXPECT_EQ(operation(all, "rename a folder", row.n)["cheapest"], json({"adjacency"}));
  }
}

TEST_F(CompareTest, EveryOperationIsMeasuredOnEveryLayout) {
  const json all = json::parse(out_of({"compare", "--n", "120", "--rounds", "2", "--json"}));
  EXPECT_EQ(all["rounds"], 2);
  EXPECT_EQ(all["nodes"], 121 + 51 + 8);
  std::vector<std::string> names;
  for (const json& one : all["operations"]) {
    names.push_back(one["operation"]);
    for (const std::string_view layout : kLayoutNames) {
      const json& measured = one["layouts"][std::string(layout)];
      EXPECT_GT(measured["requests"], 0) << names.back();
      EXPECT_GT(measured["seconds"], 0) << names.back();
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"resolve a path 8 deep", "list the names in a folder",
                                             "list a folder with attributes", "read a whole branch",
                                             "create a file", "rename a file", "rename a folder",
                                             "delete a tree"}));

  const auto gets = [&](const char* name) {
    std::vector<int> each;
    for (const char* layout : {"path", "node", "adjacency"}) {
      each.push_back(operation(all, name)["layouts"][layout]["gets"]);
    }
    return each;
  };
  EXPECT_EQ(gets("resolve a path 8 deep"), (std::vector{1, 9, 8}));
  EXPECT_EQ(operation(all, "resolve a path 8 deep")["cheapest"], json({"path"}));
  EXPECT_EQ(gets("list a folder with attributes"), (std::vector{0, 50, 0}));
  EXPECT_EQ(gets("list the names in a folder"), (std::vector{0, 0, 0}));
  // 120 nodes are three groups.
  EXPECT_EQ(operation(all, "read a whole branch")["layouts"]["path"]["queries"], 1);
  EXPECT_EQ(operation(all, "read a whole branch")["layouts"]["adjacency"]["queries"], 4);
  EXPECT_EQ(operation(all, "delete a tree")["layouts"]["path"]["deletes"], 121);
}

TEST_F(CompareTest, EveryItemOfAMadeTreeIsBilledAHundredBytes) {
  const auto session = make_scratch_drive("path");
  const ComparedTree tree = make_compared_tree(*session, {1, 7, 12345});
  table::Count count{.pk = "DRIVE#d", .prefix = ""};
  for (const ComparedTree::Folder& folder : tree.folders) {
    count.prefix = "PATH#" + folder.path.text() + "/";
    const table::CountResult counted = session->store().table().count(count);
    EXPECT_EQ(counted.items, folder.below);
    EXPECT_EQ(counted.billed_bytes, folder.below * 100);
  }
  EXPECT_EQ(session->store().stats().items, tree.nodes + 3);  // the root, the drive, the ids
}

TEST_F(CompareTest, AMadeTreeIsATree) {
  for (const std::string_view layout : kLayoutNames) {
    const auto session = make_scratch_drive(layout);
    const ComparedTree tree = make_compared_tree(*session, {70});
    EXPECT_EQ(session->locate(Path()).node.folders, 3) << layout;
    EXPECT_EQ(session->locate(tree.folders[0].path).node.folders, 2) << layout;
    EXPECT_TRUE(session->locate(tree.deepest).node.is_file()) << layout;
    std::uint64_t seen = 0;
    const auto reader = session->drive().branch(session->locate(Path()).ref);
    while (true) {
      const BranchPage page = session->drive().next_page(*reader);
      seen += page.entries.size();
      if (!page.more) break;
    }
    EXPECT_EQ(seen, tree.nodes) << layout;
  }
}

TEST_F(CompareTest, TheUsersOwnTree) {
  const std::string root = at("own");
  std::filesystem::create_directories(root + "/a/deep/er");
  std::filesystem::create_directories(root + "/b");
  for (int i = 0; i < 5; ++i) write_file(root + "/a/f" + std::to_string(i), "x");
  write_file(root + "/a/deep/er/g", "y");
  const json all =
      json::parse(out_of({"compare", "--import", root, "--n", "1,8", "--rounds", "1", "--json"}));
  EXPECT_EQ(all["tree"], root);
  EXPECT_EQ(all["nodes"], 10);
  // a/deep/er holds 1, a holds 8, the whole 10.
  for (const int n : {1, 8, 10}) {
    EXPECT_EQ(operation(all, "rename a folder", n)["layouts"]["path"]["puts"], n + 1);
  }
  EXPECT_EQ(operation(all, "list the names in a folder")["n"], 6);
  EXPECT_EQ(operation(all, "resolve a path 5 deep")["layouts"]["node"]["gets"], 6);
  EXPECT_EQ(operation(all, "delete a tree")["n"], 10);
}

TEST_F(CompareTest, TheTableMarksWhatNobodyUndercuts) {
  const std::string out = out_of({"compare", "--n", "50", "--rounds", "1"});
  EXPECT_THAT(out, testing::ContainsRegex("rename a folder, 50 +path +9 +2 +103 +\\$0.0000646"));
  EXPECT_THAT(out, testing::ContainsRegex("adjacency +4 \\* +1 +3 +\\$0.000002 \\*"));
  EXPECT_THAT(out_of({"compare", "--n", "50", "--rounds", "1", "--prices", "1:1:2026-01"}),
              HasSubstr("Prices of 2026-01: $1 a million write units"));
}

TEST_F(CompareTest, WrongUseIsNamed) {
  for (const char* sizes : {"", "0", "x", "50,,60", "50,", "-1", "10000001", "1,2,3,4,5,6,7,8,9"}) {
    const Ran ran = run({"compare", "--n", sizes});
    EXPECT_EQ(ran.status, 2) << sizes;
    EXPECT_THAT(ran.err, HasSubstr("--n " + std::string(sizes)));
  }
  EXPECT_EQ(run({"compare", "--rounds", "0"}).status, 2);
  EXPECT_EQ(run({"compare", "--prices", "cheap"}).status, 2);
  EXPECT_THAT(run({"compare", "--import", at("absent")}).err, HasSubstr("absent: No such file"));
  write_file(at("file"), "");
  EXPECT_THAT(run({"compare", "--import", at("file")}).err, HasSubstr("file: Not a directory"));
  std::filesystem::create_directory(at("empty"));
  EXPECT_THAT(run({"compare", "--import", at("empty")}).err, HasSubstr("empty: holds no file"));
}

TEST_F(CompareTest, APlotIsAnSvgOrAClearWord) {
  const std::string svg = at("cost.svg");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", at("").c_str(), 1);
  const Ran without = run({"compare", "--n", "50", "--rounds", "1", "--plot", svg});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("--plot: needs gnuplot, which is not installed"));
  EXPECT_FALSE(std::filesystem::exists(svg));

  if (std::system("gnuplot --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot here";
  out_of({"compare", "--n", "50,1000", "--rounds", "1", "--plot", svg});
  const std::string drawn = content_of(svg);
  EXPECT_THAT(drawn, HasSubstr("<svg"));
  for (const char* text : {"path", "node", "adjacency", "renaming a folder", "1,000"}) {
    EXPECT_THAT(drawn, HasSubstr(text));
  }
  EXPECT_EQ(run({"compare", "--n", "50", "--rounds", "1", "--plot", at("no/such.svg")}).status, 1);
}

TEST_F(CompareTest, NothingIsLeftBehind) {
  const std::string temporary = at("tmp");
  std::filesystem::create_directory(temporary);
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", temporary.c_str(), 1);
  out_of({"compare", "--n", "50", "--rounds", "1"});
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

}  // namespace
}  // namespace prefixfs
