// What a rename costs, said before it and after it: the two must be the same numbers.

#include "fs/rename_cost.h"

#include <gtest/gtest.h>

#include <random>

#include "fs/drive_fixture.h"

namespace prefixfs {
namespace {

class RenameCostTest : public DriveFixture {
 protected:
  Result<RenameCost> predict(std::string_view from, std::string_view to,
                             RenameMode mode = RenameMode::replace) {
    const Path a = *Path::parse(from), b = *Path::parse(to);
    return drive->predict_rename(at(a.parent().text()), a.name(), at(b.parent().text()), b.name(),
                                 mode);
  }
  // Renames a folder and returns what the drive told of it.
  RenameCost cost_of_rename(std::string_view from, std::string_view to) {
    RenameCost told;
    drive->on_folder_rename([&](const RenameCost& cost) { told = cost; });
    EXPECT_TRUE(rename(from, to));
    drive->on_folder_rename(nullptr);
    return told;
  }
  void expect_same(const RenameCost& predicted, const RenameCost& fact) {
    EXPECT_EQ(predicted.from, fact.from);
    EXPECT_EQ(predicted.to, fact.to);
    EXPECT_EQ(predicted.layout, fact.layout);
    EXPECT_EQ(predicted.items, fact.items);
    EXPECT_EQ(predicted.bytes, fact.bytes);
    EXPECT_EQ(predicted.charge, fact.charge);
    EXPECT_EQ(predicted.parents, fact.parents);
    EXPECT_EQ(predicted.batch_calls(), fact.batch_calls());
    EXPECT_EQ(predicted.transact_calls(), fact.transact_calls());
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, RenameCostTest, kLayouts);

TEST_P(RenameCostTest, IsAPutAndADeletePerNodeOfTheLayoutPath) {
  constexpr int kNodes = 1000;
  for (int i = 0; i < kNodes; ++i) make("/docs/" + std::to_string(i));
  const RenameCost cost = cost_of_rename("/docs", "/documents");
  EXPECT_EQ(cost.layout, GetParam());
  if (GetParam() == "path") {
    EXPECT_EQ(cost.items, 1001u);
    EXPECT_EQ(cost.charge.puts, 1001u);
    EXPECT_EQ(cost.charge.deletes, 1001u);
    EXPECT_EQ(cost.charge.write_units, 2002);
    EXPECT_EQ(cost.charge.gets, 2u);
    EXPECT_EQ(cost.charge.queries, 1u);
    EXPECT_EQ(cost.batch_calls(), 81u);
    EXPECT_EQ(cost.transact_calls(), 21u);
    EXPECT_FALSE(cost.atomic_on_dynamodb());
  } else {
    EXPECT_EQ(cost.items, 1u);
    EXPECT_EQ(cost.charge.puts, GetParam() == "node" ? 2u : 1u);
    EXPECT_EQ(cost.charge.deletes, 1u);
    EXPECT_TRUE(cost.atomic_on_dynamodb());
  }
  EXPECT_EQ(cost.parents.updates, 1u);
  EXPECT_EQ(cost.parents.write_units, 1);
}

TEST_P(RenameCostTest, FiftyMovesAreTheCeilingOfATransaction) {
  if (GetParam() != "path") GTEST_SKIP() << "the others move one node";
  for (int i = 0; i < 49; ++i) make("/docs/" + std::to_string(i));
  EXPECT_TRUE(predict("/docs", "/papers")->atomic_on_dynamodb());
  make("/docs/one more");
  EXPECT_FALSE(predict("/docs", "/papers")->atomic_on_dynamodb());
}

TEST_P(RenameCostTest, PredictionIsFactOverRandomTrees) {
  std::mt19937_64 random(11);
  make({"/a/", "/b/"});
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 15; ++i) {
      std::string path = random() % 2 == 0 ? "/a" : "/b";
      for (auto depth = 1 + random() % 4; depth > 0; --depth) {
        path += "/" + std::string(1 + random() % 60, static_cast<char>('a' + random() % 3));
      }
      path += random() % 2 == 0 ? "/" : "/x" + std::string(random() % 60, 'y');
      if (!exists(path)) make(path);
    }
    // A folder below one top goes into the other.
    std::vector<std::string> folders;
    for (const char* top : {"/a", "/b"}) {
      for (const std::string& name : list(top)) {
        if (node(std::string(top) + "/" + name).is_folder()) {
          folders.push_back(std::string(top) + "/" + name);
        }
      }
    }
    if (folders.empty()) continue;
    const std::string from = folders[random() % folders.size()];
    const std::string to =
        (random() % 2 == 0 ? "/a/to" : "/b/a longer name ") + std::to_string(round);
    const auto predicted = predict(from, to);
    ASSERT_TRUE(predicted) << from << " " << to;
    expect_same(*predicted, cost_of_rename(from, to));
  }
}

TEST_P(RenameCostTest, PredictionFailsAsTheRenameWould) {
  make({"/d/f", "/e/f", "/f"});
  EXPECT_EQ(predict("/x", "/y").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(predict("/d", "/e").error(), std::errc::directory_not_empty);
  EXPECT_EQ(predict("/d", "/d/x").error(), std::errc::invalid_argument);
  EXPECT_EQ(predict("/d", "/f").error(), std::errc::not_a_directory);
  EXPECT_EQ(predict("/d", "/e", RenameMode::no_replace).error(), std::errc::file_exists);
  EXPECT_EQ(predict("/f", "/f")->items, 0u);
}

TEST_P(RenameCostTest, PredictionNamesKeysThatWouldGrowTooLong) {
  if (GetParam() != "path") GTEST_SKIP() << "the others' keys do not hold the path";
  std::string deep = "/a";
  for (int i = 0; i < 5; ++i) deep += "/" + std::string(200, 'x');
  make(deep);  // "PATH#" and 2 + 5 * 201 bytes: 1,012
  EXPECT_EQ(predict("/a", "/" + std::string(13, 'b'))->keys_over_limit, 0u);
  const auto over = predict("/a", "/" + std::string(14, 'b'));
  EXPECT_EQ(over->keys_over_limit, 1u);
  EXPECT_EQ(over->some_over_limit, std::vector<std::string>{deep});
}

TEST_P(RenameCostTest, ALimitRefusesBeforeAnythingIsWritten) {
  make({"/docs/a", "/docs/b/c", "/papers/"});
  drive->limit_renames(2);
  const auto refused = rename("/docs", "/moved");
  if (GetParam() == "path") {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), std::errc::argument_list_too_long);
    EXPECT_EQ(list("/"), (std::vector<std::string>{"docs", "papers"}));
    EXPECT_FALSE(rename("/papers", "/docs", RenameMode::exchange));
    drive->limit_renames(3);
    EXPECT_TRUE(rename("/docs", "/moved"));
  } else {
    EXPECT_TRUE(refused) << "nothing below moves in this layout";
  }
  EXPECT_EQ(list("/moved"), (std::vector<std::string>{"a", "b"}));
}

TEST_P(RenameCostTest, JsonHasTheFieldsScriptsRead) {
  make({"/docs/a"});
  const RenameCost cost = cost_of_rename("/docs", "/p\"q");
  const std::string json = to_json(cost, Prices(), PartitionRate());
  for (const char* field :
       {"\"from\": \"/docs\"", "\"to\": \"/p\\\"q\"", "\"items\": ", "\"puts\": ", "\"deletes\": ",
        "\"read_units\": ", "\"write_units\": ", "\"write_units_transactional\": ",
        "\"batch_calls\": ", "\"transact_calls\": ", "\"atomic_on_dynamodb\": true",
        "\"usd\": ", "\"floor_seconds\": ", "\"bytes\": ", "\"seconds\": "}) {
    EXPECT_NE(json.find(field), std::string::npos) << field << " in " << json;
  }
  EXPECT_EQ(to_json(*predict("/p\"q", "/docs"), Prices(), PartitionRate()).find("\"seconds\""),
            std::string::npos);
}

}  // namespace
}  // namespace prefixfs
