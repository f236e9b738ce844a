// get and query: DynamoDB's shapes, their cost, and the trap.

#include <nlohmann/json.hpp>

#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

using nlohmann::json;

class QueryTest : public CommandTest {
 protected:
  QueryTest() { make_demo_file(); }

  std::string query_err(const std::string& prefix, const std::string& pk = "DRIVE#home") {
    const Ran ran = run({"query", at("home.db"), pk, "--begins-with", prefix, "--json"});
    EXPECT_EQ(ran.status, 0);
    return ran.err;
  }
};

TEST_F(QueryTest, AnswersInDynamosShape) {
  const json answer =
      json::parse(out_of({"query", at("home.db"), "ENV#prod", "--begins-with", "FLAG#", "--json"}));
  EXPECT_EQ(answer.size(), 4u);
  EXPECT_EQ(answer["Count"], 7);
  EXPECT_EQ(answer["ScannedCount"], 7);
  EXPECT_EQ(answer["ConsumedCapacity"], (json{{"TableName", "home.db"}, {"CapacityUnits", 0.5}}));
  ASSERT_EQ(answer["Items"].size(), 7u);
  EXPECT_EQ(answer["Items"][2], (json{{"pk", {{"S", "ENV#prod"}}},
                                      {"sk", {{"S", "FLAG#dark-mode"}}},
                                      {"value", {{"S", "false"}}},
                                      {"type", {{"S", "bool"}}},
                                      {"updatedBy", {{"S", "ana"}}}}));
}

TEST_F(QueryTest, PagesEndInALastEvaluatedKey) {
  const std::vector<std::string> ask = {"query",   at("home.db"), "ENV#dev",
                                        "--limit", "3",           "--json"};
  const json page = json::parse(out_of(ask));
  EXPECT_EQ(page["Count"], 3);
  EXPECT_EQ(page["LastEvaluatedKey"],
            (json{{"pk", {{"S", "ENV#dev"}}}, {"sk", {{"S", "FLAG#dark-mode"}}}}));

  std::vector<std::string> next = ask;
  next.insert(next.end(), {"--start", "FLAG#dark-mode"});
  EXPECT_EQ(json::parse(out_of(next))["Items"][0]["sk"]["S"], "FLAG#limits");

  std::vector<std::string> all = ask;
  all.push_back("--all");
  const json whole = json::parse(out_of(all));
  EXPECT_EQ(whole["Count"], 7);
  EXPECT_FALSE(whole.contains("LastEvaluatedKey"));
  EXPECT_EQ(whole["ConsumedCapacity"]["CapacityUnits"], 1.5);  // three pages
}

TEST_F(QueryTest, TakesEveryCondition) {
  const auto keys = [&](std::vector<std::string> condition) {
    std::vector<std::string> args = {"query", at("home.db"), "ENV#dev", "--json"};
    args.insert(args.end(), condition.begin(), condition.end());
    std::string text;
    const json answer = json::parse(out_of(args));
    for (const json& item : answer["Items"]) {
      text += item["sk"]["S"].get<std::string>().substr(5) + " ";
    }
    return text;
  };
  EXPECT_EQ(keys({"--eq", "FLAG#limits"}), "limits ");
  EXPECT_EQ(keys({"--lt", "FLAG#dark-mode"}), "banner checkout-ratio ");
  EXPECT_EQ(keys({"--le", "FLAG#dark-mode"}), "banner checkout-ratio dark-mode ");
  EXPECT_EQ(keys({"--gt", "FLAG#max-uploads"}), "new-search page-size ");
  EXPECT_EQ(keys({"--ge", "FLAG#max-uploads"}), "max-uploads new-search page-size ");
  EXPECT_EQ(keys({"--between", "FLAG#dark-mode", "FLAG#limits"}), "dark-mode limits ");
  EXPECT_EQ(keys({"--reverse", "--limit", "2"}), "page-size new-search ");
}

TEST_F(QueryTest, AConsistentReadCostsTwice) {
  const json answer =
      json::parse(out_of({"query", at("home.db"), "ENV#dev", "--consistent", "--json"}));
  EXPECT_EQ(answer["ConsumedCapacity"]["CapacityUnits"], 1);
}

TEST_F(QueryTest, PeopleSeeColumns) {
  EXPECT_EQ(out_of({"query", at("home.db"), "DRIVE#home", "--begins-with", "PATH#/docs-archive/"}),
            "PATH#/docs-archive/2019.txt        file    17     ana\n"
            "PATH#/docs-archive/2020.txt        file    24     ana\n"
            "PATH#/docs-archive/old             folder  0      bo\n"
            "PATH#/docs-archive/old/letter.txt  file    10240  bo\n"
            "\n4 items, 1 page, 0.5 read units (eventually consistent)\n");
  const std::string flags = out_of({"query", at("home.db"), "ENV#prod", "--limit", "1"});
  EXPECT_EQ(flags,
            "FLAG#banner    string  ana\n"
            "\n1 item, 1 page, 0.5 read units (eventually consistent)\n"
            "more may follow: --start 'FLAG#banner'\n");
}

TEST_F(QueryTest, SaysWhatAPrefixWithoutASlashTakesAlong) {
  EXPECT_EQ(query_err("PATH#/docs"),
            "prefixfs: PATH#/docs: also returns /docs-archive and 4 items below it, /docs.txt: "
            "end the prefix in /\n");
  EXPECT_EQ(query_err("PATH#/photos"),
            "prefixfs: PATH#/photos: also returns /photos-archive and 2 items below it: end the "
            "prefix in /\n");
  EXPECT_EQ(query_err("PATH#/photos/2024"), "");
  EXPECT_EQ(query_err("PATH#/docs/"), "");
  EXPECT_EQ(query_err("PATH#/"), "");
  EXPECT_EQ(query_err("PATH#"), "");
  EXPECT_EQ(query_err("PATH#/none"), "");
  EXPECT_EQ(query_err("FLAG#d", "ENV#dev"), "");
}

TEST_F(QueryTest, TheTrapNamesAFewAndCountsTheRest) {
  std::filesystem::create_directory(at("empty"));
  for (const char* name : {"f", "f1", "f2", "f2/x", "f3", "f4", "f5", "f5/y"}) {
    out_of({"import", at("empty"), in(std::string("/") + name)});
  }
  EXPECT_EQ(query_err("PATH#/f"),
            "prefixfs: PATH#/f: also returns /f1, /f2 and 1 item below it, /f3, and 3 more items: "
            "end the prefix in /\n");
  // Part of a name, on purpose: no node is called that.
  EXPECT_EQ(query_err("PATH#/photos-"), "");
}

TEST_F(QueryTest, GetTakesAKeyOrAPath) {
  const json by_path = json::parse(out_of({"get", in("/docs/a.txt"), "--json"}));
  EXPECT_EQ(
      by_path,
      json::parse(out_of({"get", at("home.db"), "DRIVE#home", "PATH#/docs/a.txt", "--json"})));
  EXPECT_EQ(by_path["Item"]["kind"], (json{{"S", "file"}}));
  EXPECT_EQ(by_path["Item"]["sizeBytes"], (json{{"N", "40"}}));
  EXPECT_EQ(by_path["ConsumedCapacity"], (json{{"TableName", "home.db"}, {"CapacityUnits", 0.5}}));
  EXPECT_EQ(out_of({"get", at("home.db"), "ENV#prod", "FLAG#dark-mode", "--consistent"}),
            "pk         S     ENV#prod\n"
            "sk         S     FLAG#dark-mode\n"
            "type       S     bool\n"
            "updatedBy  S     ana\n"
            "value      S     false\n"
            "\n56 bytes, 1 read unit (strongly consistent)\n");
}

TEST_F(QueryTest, AMissCostsToo) {
  const Ran miss = run({"get", at("home.db"), "ENV#prod", "FLAG#none"});
  EXPECT_EQ(miss.status, 1);
  EXPECT_EQ(miss.err, "prefixfs: " + at("home.db") +
                          ": no item (ENV#prod, FLAG#none), which cost 0.5 read units (eventually "
                          "consistent)\n");
  const Ran as_json = run({"get", at("home.db"), "ENV#prod", "FLAG#none", "--json"});
  EXPECT_EQ(as_json.status, 1);
  EXPECT_EQ(json::parse(as_json.out),
            (json{{"ConsumedCapacity", {{"TableName", "home.db"}, {"CapacityUnits", 0.5}}}}));
}

TEST_F(QueryTest, JsonIsUtf8WhateverTheNames) {
  write_file(at("x"), "");
  out_of({"import", at("x"), in("/docs/a\xFF\n\"b")});
  const json answer = json::parse(out_of(
      {"query", at("home.db"), "DRIVE#home", "--begins-with", "PATH#/docs/a\xFF", "--json"}));
  ASSERT_EQ(answer["Count"], 1);
  EXPECT_EQ(answer["Items"][0]["sk"]["S"], "PATH#/docs/a\xEF\xBF\xBD\n\"b");
  EXPECT_EQ(json::parse(out_of({"stat", "--json", in("/docs/a\xFF\n\"b")}))["path"],
            "/docs/a\xEF\xBF\xBD\n\"b");
}

}  // namespace
}  // namespace prefixfs
