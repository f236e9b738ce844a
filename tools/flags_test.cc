#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class FlagsTest : public CommandTest {
 protected:
  FlagsTest() { make_demo_file(); }
  std::string get(const std::string& env, const std::string& key) {
    return out_of({"flags", "get", at("home.db"), env, key});
  }
  Ran flags(std::vector<std::string> args) {
    args.insert(args.begin(), "flags");
    args.insert(args.begin() + 2, at("home.db"));
    return run(args);
  }
};

TEST_F(FlagsTest, ListsEnvironmentsAndFlags) {
  EXPECT_EQ(out_of({"flags", "list", at("home.db")}), "dev\nprod\nstaging\n");
  EXPECT_THAT(out_of({"flags", "list", at("home.db"), "prod"}),
              HasSubstr("dark-mode       bool    ana       false\n"));
  const json all = json::parse(out_of({"flags", "list", at("home.db"), "prod", "--json"}));
  EXPECT_EQ(all.size(), 7u);
  EXPECT_EQ(all["page-size"], (json{{"value", "50"}, {"type", "int"}, {"updatedBy", "ana"}}));
}

TEST_F(FlagsTest, SetKeepsTheTypeAndSaysWho) {
  EXPECT_EQ(flags({"set", "prod", "dark-mode", "true", "--by", "bo"}).status, 0);
  EXPECT_EQ(json::parse(out_of({"flags", "get", at("home.db"), "prod", "dark-mode", "--json"})),
            (json{{"value", "true"}, {"type", "bool"}, {"updatedBy", "bo"}}));
  EXPECT_EQ(flags({"set", "qa", "ratio", "0.5", "--type", "float"}).status, 0);
  EXPECT_EQ(get("qa", "ratio"), "0.5\n");
  EXPECT_EQ(flags({"set", "qa", "ratio", "-5"}).status, 0);
  EXPECT_EQ(get("qa", "ratio"), "-5\n");
}

TEST_F(FlagsTest, WhatIsNoValueIsRefusedAndTheOldOneStays) {
  const Ran bad = flags({"set", "prod", "dark-mode", "maybe"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.err, "prefixfs: prod/dark-mode: \"maybe\" is no bool: true or false\n");
  EXPECT_EQ(get("prod", "dark-mode"), "false\n");
  EXPECT_THAT(flags({"set", "prod", "x", "1", "--type", "number"}).err, HasSubstr("is no type"));
  EXPECT_THAT(flags({"set", "prod", "x", "\xff"}).err, HasSubstr("not UTF-8"));
  EXPECT_THAT(flags({"set", "", "x", "1"}).err, HasSubstr("environment is empty"));
  EXPECT_EQ(flags({"set", "prod", std::string(1020, 'k'), "1"}).status, 1);
}

TEST_F(FlagsTest, UnsetRemoves) {
  EXPECT_EQ(flags({"unset", "prod", "banner"}).status, 0);
  const Ran gone = flags({"get", "prod", "banner"});
  EXPECT_EQ(gone.status, 1);
  EXPECT_EQ(gone.err, "prefixfs: prod/banner: no such flag\n");
  EXPECT_EQ(flags({"unset", "prod", "banner"}).status, 1);
}

TEST_F(FlagsTest, DiffShowsWhatDiffers) {
  EXPECT_EQ(out_of({"flags", "diff", at("home.db"), "staging", "prod"}),
            "- banner string staging\n+ banner string \n"
            "- checkout-ratio float 0.5\n+ checkout-ratio float 0.05\n"
            "- dark-mode bool true\n+ dark-mode bool false\n"
            "- limits json {\"items\": 10000, \"burst\": true}\n"
            "+ limits json {\"items\": 1000, \"burst\": false}\n"
            "- max-uploads int 100\n+ max-uploads int 10\n");
  EXPECT_EQ(out_of({"flags", "diff", at("home.db"), "prod", "prod"}), "");
}

TEST_F(FlagsTest, ExportIsWhatImportTakes) {
  const std::string exported = out_of({"flags", "export", at("home.db"), "prod"});
  write_file(at("flags.json"), exported);
  EXPECT_EQ(out_of({"flags", "import", at("home.db"), "copy", at("flags.json")}),
            "7 flags in copy\n");
  EXPECT_EQ(out_of({"flags", "export", at("home.db"), "copy"}), exported);
}

TEST_F(FlagsTest, ImportIsAllOrNothing) {
  write_file(at("bad.json"), R"({"a": {"value": "1"}, "b": {"value": "x", "type": "int"}})");
  const Ran bad = flags({"import", "copy", at("bad.json")});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, HasSubstr("copy/b: \"x\" is no int"));
  EXPECT_EQ(out_of({"flags", "list", at("home.db"), "copy"}), "");
  write_file(at("no.json"), "[1]");
  EXPECT_THAT(flags({"import", "copy", at("no.json")}).err, HasSubstr("no JSON object"));
  EXPECT_THAT(flags({"import", "copy", at("none.json")}).err, HasSubstr("No such file"));
}

TEST_F(FlagsTest, WrongUseIsSaid) {
  EXPECT_EQ(flags({"show"}).status, 2);
  EXPECT_EQ(flags({"get", "prod"}).status, 2);
  EXPECT_EQ(flags({"set", "prod", "x"}).status, 2);
}

}  // namespace
}  // namespace prefixfs
