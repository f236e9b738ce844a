// mkfs, demo, mv, rm and info: what changes, and what it cost.

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "table/schema.h"
#include "table/store.h"
#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ChangeTest : public CommandTest {
 protected:
  // A folder /big with `nodes` nodes below it, each of an item below 1 KB.
  void make_big_folder(int nodes) {
    make_empty_file();
    fs::create_directory(at("big"));
    for (int i = 0; i < nodes; ++i) write_file(at("big/" + std::to_string(i)), "");
    out_of({"import", at("big"), in("/")});
  }
};

TEST_F(ChangeTest, MkfsMakesDrives) {
  EXPECT_EQ(out_of({"mkfs", at("home.db")}),
            "made drive home (layout path) in " + at("home.db") + "\n");
  EXPECT_EQ(run({"mkfs", at("home.db")}).err,
            "prefixfs: " + at("home.db") + ": a drive \"home\" is there already\n");
  out_of({"mkfs", at("home.db"), "--drive", "work"});
  EXPECT_EQ(out_of({"ls", "--drive", "work", in("/")}), "");
  const Ran unknown = run({"mkfs", at("home.db"), "--drive", "x", "--layout", "spiral"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("spiral: no such layout, there is: path"), std::string::npos);
}

TEST_F(ChangeTest, DemoIsTheSameEachTime) {
  make_demo_file();
  out_of({"demo", at("other.db")});
  const auto items = [&](const std::string& file) {
    return json::parse(out_of({"query", at(file), "DRIVE#home", "--json", "--all"}))["Items"];
  };
  EXPECT_EQ(items("home.db"), items("other.db"));
}

TEST_F(ChangeTest, DemoRefusesADriveThatIsThere) {
  make_empty_file();
  const Ran ran = run({"demo", at("home.db")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "prefixfs: " + at("home.db") +
                         ": a drive \"home\" is there already, and its content is kept\n");
  EXPECT_EQ(out_of({"ls", in("/")}), "");
  // Beside another drive it has room.
  out_of({"mkfs", at("work.db"), "--drive", "work"});
  out_of({"demo", at("work.db")});
}

// MODEL.md, "The demo table".
TEST_F(ChangeTest, DemoHoldsWhatTheModelWants) {
  make_demo_file();
  const std::string all = out_of({"find", in("/")});
  for (const char* path :
       {"/docs", "/docs/a.txt", "/docs/reports", "/docs-archive", "/docs-archive/2019.txt",
        "/docs.txt", "/photos/2024/summer", "/photos-archive", "/docs/meeting notes.txt"}) {
    EXPECT_NE(all.find(std::string("\n") + path + "\n"), std::string::npos) << path;
  }
  EXPECT_NE(all.find("\xE6\xB5\xB7"), std::string::npos);

  std::set<std::string> owners;
  std::uint64_t largest = 0, smallest = 1;
  const json nodes = json::parse(out_of({"query", at("home.db"), "DRIVE#home", "--json"}));
  for (const json& item : nodes["Items"]) {
    owners.insert(item["owner"]["S"].get<std::string>());
    if (item["kind"]["S"] != "file") continue;
    const auto size = std::stoull(item["sizeBytes"]["N"].get<std::string>());
    largest = std::max<std::uint64_t>(largest, size);
    smallest = std::min<std::uint64_t>(smallest, size);
    EXPECT_EQ(out_of({"cat", in(item["sk"]["S"].get<std::string>().substr(5))}).size(), size);
  }
  EXPECT_EQ(owners, (std::set<std::string>{"ana", "bo", "root"}));
  EXPECT_EQ(smallest, 0u);
  EXPECT_GT(largest, 2u * 65536);

  std::map<std::string, std::map<std::string, std::string>> values;
  for (const char* environment : {"dev", "staging", "prod"}) {
    const json flags =
        json::parse(out_of({"query", at("home.db"), std::string("ENV#") + environment,
                            "--begins-with", "FLAG#", "--json"}));
    EXPECT_GE(flags["Count"], 6);
    std::set<std::string> types;
    for (const json& flag : flags["Items"]) {
      types.insert(flag["type"]["S"].get<std::string>());
      values[environment][flag["sk"]["S"].get<std::string>()] =
          flag["value"]["S"].get<std::string>();
      EXPECT_FALSE(flag["updatedBy"]["S"].get<std::string>().empty());
      if (flag["type"]["S"] == "json") {
        EXPECT_TRUE(json::accept(flag["value"]["S"].get<std::string>()));
      }
    }
    EXPECT_EQ(types, (std::set<std::string>{"bool", "float", "int", "json", "string"}));
  }
  EXPECT_NE(values["dev"], values["staging"]);
  EXPECT_NE(values["staging"], values["prod"]);
}

// MODEL.md, the table of layouts: a rename costs what lies below in one of them alone.
TEST_F(ChangeTest, MvCostsTheSameHoweverMuchLiesBelowWhereThePathIsNoKey) {
  fs::create_directory(at("big"));
  for (int i = 0; i < 100; ++i) write_file(at("big/" + std::to_string(i)), "");
  for (const std::string layout : {"node", "adjacency"}) {
    const std::string file = at(layout + ".db");
    out_of({"mkfs", file, "--layout", layout});
    out_of({"import", at("big"), file});
    const json cost = json::parse(out_of({"mv", file + ":/big", "/moved", "--json"}));
    EXPECT_EQ(cost["layout"], layout);
    // In the layout node the name and the node, whose ctime is new.
    EXPECT_EQ(cost["puts"], layout == "node" ? 2 : 1) << cost;
    EXPECT_EQ(cost["deletes"], 1) << cost;
    EXPECT_LE(cost["write_units"], 4) << cost;
    EXPECT_EQ(cost["atomic_on_dynamodb"], true) << cost;
    EXPECT_EQ(out_of({"ls", file}), "moved\n");
  }
}

// COST.md, "Worked": two writes for each of N + 1 items.
TEST_F(ChangeTest, MvSaysWhatItCost) {
  make_big_folder(1000);
  const json predicted = json::parse(out_of({"mv", "--dry-run", in("/big"), "/moved", "--json"}));
  EXPECT_EQ(out_of({"ls", in("/")}), "big\n");
  const json cost = json::parse(out_of({"mv", in("/big"), "/moved", "--json"}));
  EXPECT_EQ(cost["from"], "/big");
  EXPECT_EQ(cost["to"], "/moved");
  EXPECT_EQ(cost["layout"], "path");
  EXPECT_EQ(cost["items"], 1001);
  EXPECT_EQ(cost["puts"], 1001);
  EXPECT_EQ(cost["deletes"], 1001);
  EXPECT_EQ(cost["write_units"], 2002);
  EXPECT_EQ(cost["write_units_transactional"], 4004);
  EXPECT_EQ(cost["batch_calls"], 81);
  EXPECT_EQ(cost["transact_calls"], 21);
  EXPECT_EQ(cost["atomic_on_dynamodb"], false);
  const double read_units = cost["read_units"];
  EXPECT_GT(read_units, 12);
  EXPECT_NEAR(cost["usd"].get<double>(), (2002 * 0.625 + read_units * 0.125) / 1e6, 1e-12);
  EXPECT_DOUBLE_EQ(cost["floor_seconds"].get<double>(), 2.002);
  EXPECT_GT(cost["bytes"], 100000);
  EXPECT_GT(cost["seconds"], 0);
  for (const char* field : {"layout", "items", "puts", "deletes", "read_units", "write_units",
                            "usd", "floor_seconds", "bytes"}) {
    EXPECT_EQ(predicted[field], cost[field]) << field;
  }
  EXPECT_FALSE(predicted.contains("seconds"));
  EXPECT_EQ(out_of({"ls", in("/")}), "moved\n");
}

TEST_F(ChangeTest, MvTellsPeople) {
  make_big_folder(49);
  const std::string text = out_of({"mv", in("/big"), in("/moved")});
  EXPECT_EQ(text.rfind("moved /big to /moved: 50 items, ", 0), 0u) << text;
  EXPECT_NE(text.find("50 puts and 50 deletes: 100 write units, or 200 write units in "
                      "transactions; "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("4 batch calls or 1 transaction\n"), std::string::npos) << text;
}

TEST_F(ChangeTest, MvOfAFileIsTwoWrites) {
  make_demo_file();
  const json cost = json::parse(out_of({"mv", in("/docs/a.txt"), in("/shared/b.txt"), "--json"}));
  EXPECT_EQ(cost["items"], 1);
  EXPECT_EQ(cost["puts"], 1);
  EXPECT_EQ(cost["deletes"], 1);
  EXPECT_EQ(cost["write_units"], 2);
  EXPECT_EQ(cost["atomic_on_dynamodb"], true);
  EXPECT_EQ(out_of({"cat", in("/shared/b.txt")}), "The sort order of the keys is the tree.\n");
}

TEST_F(ChangeTest, MvGoesIntoFoldersAndReplacesFiles) {
  make_demo_file();
  out_of({"mv", in("/docs.txt"), "/docs"});
  EXPECT_EQ(out_of({"cat", in("/docs/docs.txt")}), "A file beside the folder /docs.\n");
  out_of({"mv", in("/docs"), in("/photos")});
  EXPECT_EQ(out_of({"ls", in("/photos/docs/reports")}), "2024-q4.csv\ndrafts\n");
  EXPECT_EQ(run({"mv", "-n", in("/shared/backup.sh"), "/shared/log.txt"}).err,
            "prefixfs: " + in("/shared/log.txt") + ": File exists\n");
  out_of({"mv", in("/shared/backup.sh"), "/shared/log.txt"});
  EXPECT_EQ(out_of({"ls", in("/shared")}), "log.txt\n");
}

TEST_F(ChangeTest, MvRefusesWhatRenameRefuses) {
  make_demo_file();
  EXPECT_EQ(run({"mv", in("/docs"), "/docs/reports/inside"}).err,
            "prefixfs: " + in("/docs") + ": Invalid argument\n");
  EXPECT_EQ(run({"mv", in("/"), "/root"}).status, 1);
  EXPECT_EQ(run({"mv", in("/docs"), "/docs"}).err,
            "prefixfs: " + in("/docs") + ": is there already\n");
  EXPECT_EQ(run({"mv", in("/docs"), "/"}).err, "prefixfs: " + in("/docs") + ": is there already\n");
  EXPECT_EQ(run({"mv", in("/none"), "/x"}).err,
            "prefixfs: " + in("/none") + ": No such file or directory\n");
  EXPECT_EQ(run({"mv", in("/docs"), "/none/x"}).err,
            "prefixfs: " + in("/none") + ": No such file or directory\n");
  out_of({"mkfs", at("other.db")});
  EXPECT_EQ(run({"mv", in("/docs"), at("other.db") + ":/docs"}).status, 1);
  // Another name of the same file is the same file.
  fs::create_symlink("home.db", at("alias.db"));
  out_of({"mv", in("/docs.txt"), at("alias.db") + ":/moved.txt"});
}

TEST_F(ChangeTest, RmGoesOn) {
  make_demo_file();
  const Ran ran =
      run({"rm", in("/docs.txt"), in("/none"), in("/docs"), in("/docs/a.txt"), in("/")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "prefixfs: " + in("/none") + ": No such file or directory\n" + "prefixfs: " +
                         in("/docs") + ": Is a directory (-r removes it and all below)\n" +
                         "prefixfs: " + in("/") + ": the root is not removed\n");
  EXPECT_EQ(out_of({"ls", in("/")}), "docs\ndocs-archive\nphotos\nphotos-archive\nshared\n");
  EXPECT_EQ(out_of({"find", in("/docs"), "-name", "a.txt"}), "");
  out_of({"rm", "-f", in("/none")});
}

TEST_F(ChangeTest, RmOfAFolderTakesNothingElse) {
  make_demo_file();
  const std::string before = out_of({"find", in("/docs-archive")});
  out_of({"rm", "-r", in("/docs")});
  EXPECT_EQ(out_of({"ls", in("/")}), "docs-archive\ndocs.txt\nphotos\nphotos-archive\nshared\n");
  EXPECT_EQ(out_of({"find", in("/docs-archive")}), before);
  out_of({"rm", "-r", in("/docs-archive"), in("/photos"), in("/photos-archive"), in("/shared"),
          in("/docs.txt")});
  const json info = json::parse(out_of({"info", at("home.db"), "--json"}));
  EXPECT_EQ(info["blocks"], 0);
  EXPECT_EQ(info["drives"][0]["nodes"], 1);
}

TEST_F(ChangeTest, ConvertIsThereAndBack) {
  make_demo_file();
  const std::string tree = out_of({"find", in("/")});
  const std::string items = out_of({"query", at("home.db"), "DRIVE#home", "--json", "--all"});
  EXPECT_EQ(out_of({"convert", at("home.db"), "--to", "adjacency"}),
            "converted drive home from path to adjacency: 30 nodes, 30 puts and 29 deletes: 60 "
            "write units, 2 read units\n");
  EXPECT_EQ(json::parse(out_of({"info", at("home.db"), "--json"}))["drives"][0]["layout"],
            "adjacency");
  EXPECT_EQ(out_of({"cat", in("/docs/a.txt")}), "The sort order of the keys is the tree.\n");
  out_of({"convert", at("home.db"), "--to", "node"});
  out_of({"convert", at("home.db"), "--to", "path"});
  EXPECT_EQ(out_of({"find", in("/")}), tree);
  EXPECT_EQ(out_of({"query", at("home.db"), "DRIVE#home", "--json", "--all"}), items);
}

TEST_F(ChangeTest, ConvertSaysWhatItRefuses) {
  make_demo_file();
  EXPECT_EQ(run({"convert", at("home.db"), "--to", "path"}).err,
            "prefixfs: " + at("home.db") + ": drive \"home\" has layout path already\n");
  EXPECT_EQ(run({"convert", at("home.db"), "--drive", "work", "--to", "node"}).err,
            "prefixfs: " + at("home.db") + ": no drive \"work\" in it, but \"home\"\n");
  EXPECT_EQ(run({"convert", at("home.db"), "--to", "spiral"}).status, 2);
  EXPECT_EQ(run({"convert", at("home.db")}).status, 2);
  EXPECT_EQ(run({"convert", at("none.db"), "--to", "node"}).status, 1);
  EXPECT_FALSE(fs::exists(at("none.db")));
  {
    const auto store = table::Store::open(at("home.db"), {.background = false});
    for (const std::string name : {"x", "y\n"}) {
      ASSERT_TRUE(store->table()
                      .write(table::Put{{"DRIVE#home", "PATH#/nowhere/" + name},
                                        {{"kind", "file"}, {"id", 7777}}})
                      .ok());
    }
  }
  const Ran ran = run({"convert", at("home.db"), "--to", "node"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(
      ran.err,
      "prefixfs: " + at("home.db") +
          ": DRIVE#home PATH#/nowhere/x: is no node of the tree\nprefixfs: " + at("home.db") +
          ": DRIVE#home PATH#/nowhere/y\\n: is no node of the tree\nprefixfs: " + at("home.db") +
          ": 2 rows of drive \"home\" would be lost: remove what is no node of "
          "the tree first; nothing was changed\n");
  EXPECT_EQ(out_of({"cat", in("/docs/a.txt")}), "The sort order of the keys is the tree.\n");
}

TEST_F(ChangeTest, InfoTellsWhatIsThere) {
  make_demo_file();
  out_of({"mkfs", at("home.db"), "--drive", "work"});
  const json info = json::parse(out_of({"info", at("home.db"), "--json"}));
  EXPECT_EQ(info["schema_version"], table::kSchemaVersion);
  EXPECT_GT(info["file_bytes"], 800000);
  ASSERT_EQ(info["drives"].size(), 2u);
  const json home = info["drives"][0];
  EXPECT_EQ(home["name"], "home");
  EXPECT_EQ(home["layout"], "path");
  EXPECT_EQ(home["nodes"], 30);
  EXPECT_EQ(home["depth"], 4);
  EXPECT_EQ(home["deepest_path"], "/docs/reports/drafts/plan.md");
  EXPECT_EQ(home["longest_key_bytes"], 34);
  EXPECT_EQ(home["keys_over_limit"], 0);
  EXPECT_FALSE(home.contains("mounted_by"));
  EXPECT_EQ(info["drives"][1]["nodes"], 1);
  EXPECT_EQ(info["environments"], (json{{{"name", "dev"}, {"flags", 7}},
                                        {{"name", "prod"}, {"flags", 7}},
                                        {{"name", "staging"}, {"flags", 7}}}));
  // Nodes of two drives, the drives, the flags, the count of ids.
  EXPECT_EQ(info["items"], 30 + 1 + 2 + 21 + 1);
}

TEST_F(ChangeTest, InfoNamesKeysThatDynamoCouldNotHold) {
  make_empty_file();
  fs::create_directory(at("empty"));
  std::string path;
  for (int i = 0; i < 8; ++i) {
    path += "/" + std::string(200, static_cast<char>('a' + i));
    out_of({"import", at("empty"), in(path)});
  }
  const json info = json::parse(out_of({"info", at("home.db"), "--json"}));
  EXPECT_EQ(info["drives"][0]["keys_over_limit"], 3);
  EXPECT_EQ(info["drives"][0]["longest_key_bytes"], 5 + 8 * 201);
  const std::string text = out_of({"info", at("home.db")});
  EXPECT_NE(text.find("3 keys over the 1,024 bytes of DynamoDB:\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace prefixfs
