// Raw operations as DynamoDB has them: answers, errors, units, predictions.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RawTest : public CommandTest {
 protected:
  RawTest() { make_demo_file(); }

  // COMMAND FILE ARGS...
  Ran raw(const std::string& command, std::vector<std::string> args) {
    args.insert(args.begin(), {command, at("home.db")});
    return run(args);
  }
  json answer(const std::string& command, std::vector<std::string> args) {
    args.emplace_back("--json");
    const Ran ran = raw(command, std::move(args));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return json::parse(ran.out, nullptr, false);
  }
  void refused(const std::string& command, const std::vector<std::string>& args,
               const std::string& name) {
    const Ran ran = raw(command, args);
    EXPECT_EQ(ran.status, 1) << ran.out;
    EXPECT_THAT(ran.err, AllOf(StartsWith("prefixfs: "), HasSubstr(name)));
  }
  json item(const std::string& pk, const std::string& sk) {
    return json::parse(raw("get", {pk, sk, "--json"}).out, nullptr, false)["Item"];
  }
  const std::string kKey = R"({"pk": {"S": "p"}, "sk": {"S": "s"}})";
};

TEST_F(RawTest, PutStoresAndSaysWhatItCost) {
  const json put = answer("put", {"p", "s", "--item", R"({"n": {"N": "1"}})"});
  EXPECT_EQ(put["ConsumedCapacity"], (json{{"TableName", "home.db"}, {"CapacityUnits", 1}}));
  EXPECT_EQ(item("p", "s")["n"], (json{{"N", "1"}}));
  const json over = answer(
      "put", {"--item", R"({"pk": {"S": "p"}, "sk": {"S": "s"}})", "--return-values", "ALL_OLD"});
  EXPECT_EQ(over["Attributes"]["n"], (json{{"N", "1"}}));
}

TEST_F(RawTest, AFailedConditionHasDynamosNameAndItsPrice) {
  const std::vector<std::string> args = {
      "p", "s", "--item", "{}", "--condition-expression", "attribute_not_exists(pk)"};
  EXPECT_EQ(raw("put", args).status, 0);
  refused("put", args,
          "ConditionalCheckFailedException: The conditional request failed, which cost 1 write");
}

TEST_F(RawTest, UpdateTakesExpressions) {
  EXPECT_EQ(raw("put", {"p", "s", "--item", R"({"n": {"N": "1"}, "l": {"L": []}})"}).status, 0);
  const json got =
      answer("update",
             {"p", "s", "--update-expression", "SET n = n + :i, l = list_append(l, :l)",
              "--expression-attribute-values", R"({":i": {"N": "41"}, ":l": {"L": [{"S": "x"}]}})",
              "--return-values", "ALL_NEW"});
  EXPECT_EQ(got["Attributes"]["n"], (json{{"N", "42"}}));
  EXPECT_EQ(got["Attributes"]["l"], (json{{"L", {{{"S", "x"}}}}}));
  refused("update",
          {"p", "s", "--update-expression", "SET owner = :i", "--expression-attribute-values",
           R"({":i": {"N": "1"}})"},
          "ValidationException: Invalid UpdateExpression: Attribute name is a reserved keyword");
  refused("update",
          {"p", "s", "--update-expression", "SET a.b = :i", "--expression-attribute-values",
           R"({":i": {"N": "1"}})"},
          "ValidationException: The document path provided in the update expression is invalid");
  refused("update",
          {"p", "s", "--update-expression", "SET n = :i", "--expression-attribute-values",
           R"({":i": {"N": "1"}, ":j": {"N": "1"}})"},
          "ValidationException: Value provided in ExpressionAttributeValues unused");
  EXPECT_EQ(item("p", "s")["n"], (json{{"N", "42"}}));
}

TEST_F(RawTest, DeleteRemoves) {
  EXPECT_EQ(raw("put", {"p", "s", "--item", "{}"}).status, 0);
  const json gone = answer("delete", {"--key", kKey, "--return-values", "ALL_OLD"});
  EXPECT_EQ(gone["Attributes"], json::parse(kKey));
  EXPECT_TRUE(item("p", "s").is_null());
  EXPECT_EQ(answer("delete", {"p", "s"})["ConsumedCapacity"]["CapacityUnits"], 1);
}

TEST_F(RawTest, QueryFiltersAndProjects) {
  const json got = answer(
      "query",
      {"--key-condition-expression", "pk = :p AND begins_with(sk, :s)", "--filter-expression",
       "kind = :f AND sizeBytes > :n", "--projection-expression", "sk, #o",
       "--expression-attribute-names", R"({"#o": "owner"})", "--expression-attribute-values",
       R"({":p": {"S": "DRIVE#home"}, ":s": {"S": "PATH#/photos/"}, ":f": {"S": "file"},
           ":n": {"N": "100000"}})"});
  EXPECT_EQ(got["Count"], 2);
  EXPECT_EQ(got["ScannedCount"], 6);
  EXPECT_EQ(got["ConsumedCapacity"]["CapacityUnits"], 0.5);
  EXPECT_EQ(got["Items"][0], (json{{"sk", {{"S", "PATH#/photos/2024/summer/beach.jpg"}}},
                                   {"owner", {{"S", "bo"}}}}));
  refused("query",
          {"--key-condition-expression", "pk = :p", "--filter-expression", "sk = :p",
           "--expression-attribute-values", R"({":p": {"S": "x"}})"},
          "ValidationException: Filter Expression can only contain non-primary key attributes");
}

TEST_F(RawTest, ScanGoesThroughAllPartitionsPageByPage) {
  json page = answer("scan", {"--limit", "5"});
  EXPECT_EQ(page["Count"], 5);
  std::size_t items = 5;
  while (page.contains("LastEvaluatedKey")) {
    page =
        answer("scan", {"--limit", "5", "--exclusive-start-key", page["LastEvaluatedKey"].dump()});
    items += page["Count"].get<std::size_t>();
  }
  EXPECT_EQ(answer("scan", {"--all"})["Count"], items);
}

TEST_F(RawTest, BatchesReadAndWrite) {
  const json wrote =
      answer("batch-write", {"--request-items",
                             R"([{"PutRequest": {"Item": {"pk": {"S": "p"}, "sk": {"S": "1"}}}},
           {"PutRequest": {"Item": {"pk": {"S": "p"}, "sk": {"S": "2"}}}},
           {"DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": "none"}}}}])"});
  EXPECT_EQ(wrote["UnprocessedItems"], json::object());
  EXPECT_EQ(wrote["ConsumedCapacity"][0]["CapacityUnits"], 3);
  const json read = answer(
      "batch-get", {"--request-items",
                    R"([{"pk": {"S": "p"}, "sk": {"S": "1"}}, {"pk": {"S": "p"}, "sk": {"S": "9"}},
                        {"pk": {"S": "p"}, "sk": {"S": "2"}}])"});
  EXPECT_EQ(read["Responses"]["home.db"].size(), 2u);
  EXPECT_EQ(read["ConsumedCapacity"][0]["CapacityUnits"], 1.5);
}

TEST_F(RawTest, TransactionsAreAllOrNothingAndSayWhy) {
  const std::string items =
      R"json([{"Put": {"Item": {"pk": {"S": "p"}, "sk": {"S": "1"}}}},
          {"ConditionCheck": {"Key": {"pk": {"S": "p"}, "sk": {"S": "2"}},
                              "ConditionExpression": "attribute_exists(pk)"}}])json";
  refused("transact", {"--transact-items", items},
          "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons "
          "for specific reasons [None, ConditionalCheckFailed], which cost 4 write units");
  const json told = json::parse(raw("transact", {"--transact-items", items, "--json"}).out);
  EXPECT_EQ(told["CancellationReasons"].size(), 2u);
  EXPECT_EQ(told["CancellationReasons"][1]["Code"], "ConditionalCheckFailed");
  EXPECT_TRUE(item("p", "1").is_null());
  EXPECT_EQ(raw("put", {"p", "2", "--item", "{}"}).status, 0);
  EXPECT_EQ(answer("transact", {"--transact-items", items})["ConsumedCapacity"][0]["CapacityUnits"],
            4);
  const json read =
      answer("transact",
             {"--transact-items", R"([{"Get": {"Key": {"pk": {"S": "p"}, "sk": {"S": "1"}}}}])"});
  EXPECT_EQ(read["ConsumedCapacity"][0]["CapacityUnits"], 2);
}

TEST_F(RawTest, ExplainShowsAndDoesNotRun) {
  const Ran query =
      raw("query", {"--key-condition-expression", "pk = :p", "--expression-attribute-values",
                    R"({":p": {"S": "ENV#dev"}})", "--explain"});
  EXPECT_THAT(query.out, AllOf(HasSubstr("Query {"), HasSubstr("pk = ENV#dev"),
                               HasSubstr("SELECT sk, attrs FROM item WHERE pk = 'ENV#dev'"),
                               HasSubstr("0.5 read units, 7 items")));
  const Ran put = raw("put", {"p", "s", "--item", "{}", "--explain"});
  EXPECT_THAT(put.out, AllOf(HasSubstr("PutItem {"), HasSubstr("1 write unit")));
  EXPECT_TRUE(item("p", "s").is_null());
  EXPECT_EQ(raw("delete", {"ENV#dev", "FLAG#dark-mode", "--explain"}).status, 0);
  EXPECT_FALSE(item("ENV#dev", "FLAG#dark-mode").is_null());
}

TEST_F(RawTest, LimitsHoldUnlessTheyAreLifted) {
  const std::string long_key(2000, 'k');
  refused("put", {"p", long_key, "--item", "{}"}, "ValidationException");
  EXPECT_EQ(raw("put", {"p", long_key, "--item", "{}", "--no-limits"}).status, 0);
  write_file(at("large.json"), R"({"v": {"S": ")" + std::string(410'000, 'x') + R"("}})");
  const std::string large = "file://" + at("large.json");
  refused("put", {"p", "s", "--item", large}, "Item size has exceeded the maximum allowed size");
  EXPECT_EQ(raw("put", {"p", "s", "--item", large, "--no-limits"}).status, 0);
  refused("put", {"--item", R"({"pk": {"S": "p"}})"}, "ValidationException");
  refused("put", {"--item", R"({"pk": {"S": ""}, "sk": {"S": "s"}})"}, "ValidationException");
}

TEST_F(RawTest, WrongUseIsSaid) {
  EXPECT_EQ(raw("put", {"p", "s"}).status, 2);
  EXPECT_EQ(raw("put", {"p", "s", "--item", "{bad"}).status, 2);
  EXPECT_EQ(raw("get", {"p"}).status, 2);
  EXPECT_EQ(raw("transact", {"--transact-items", "{}"}).status, 2);
}

}  // namespace
}  // namespace prefixfs
