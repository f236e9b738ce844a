// What the raw operations consume and predict, and what they refuse, as scripts read it.

#include <nlohmann/json.hpp>

#include "tools/command_fixture.h"

namespace prefixfs {
namespace {

using nlohmann::json;

class RawUnitsTest : public CommandTest {
 protected:
  RawUnitsTest() { make_demo_file(); }

  json answer(std::vector<std::string> args) {
    args.push_back("--json");
    return json::parse(out_of(args));
  }
  // Of a request that DynamoDB would refuse.
  json refusal(std::vector<std::string> args) {
    args.push_back("--json");
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 1) << ran.err;
    const json error = json::parse(ran.out, nullptr, false);
    const std::string type = error.value("__type", "");
    const std::string name = type.substr(type.find('#') + 1);
    EXPECT_TRUE(ran.err.starts_with("prefixfs: " + at("home.db") + ": " + name + ": ")) << ran.err;
    return {{"name", name}, {"error", error}};
  }
  std::string name_of(const std::vector<std::string>& args) { return refusal(args)["name"]; }
  std::string message_of(const std::vector<std::string>& args) {
    return refusal(args)["error"]["message"];
  }
  static double units(const json& answer) {
    const json& consumed = answer["ConsumedCapacity"];
    return (consumed.is_array() ? consumed[0] : consumed)["CapacityUnits"];
  }
  std::vector<std::string> put_args(const std::string& sk, const std::string& item) {
    return {"put", at("home.db"), "p", sk, "--item", item};
  }
  bool exists(const std::string& sk) { return run({"get", at("home.db"), "p", sk}).status == 0; }
  static std::string text_item(std::size_t bytes) {
    return R"({"v": {"S": ")" + std::string(bytes, 'x') + R"("}})";
  }
  const std::string file() const { return at("home.db"); }
};

TEST_F(RawUnitsTest, QueryTakesExpressions) {
  const json got =
      answer({"query", file(), "--key-condition-expression", "pk = :p AND begins_with(sk, :s)",
              "--filter-expression", "#t = :t", "--projection-expression", "sk, #v",
              "--expression-attribute-names", R"({"#t": "type", "#v": "value"})",
              "--expression-attribute-values",
              R"({":p": {"S": "ENV#dev"}, ":s": {"S": "FLAG#"}, ":t": {"S": "bool"}})"});
  EXPECT_EQ(got["Count"], 2);
  EXPECT_EQ(got["ScannedCount"], 7);  // a filter reduces nothing that is paid for
  EXPECT_EQ(units(got), 0.5);
  EXPECT_EQ(got["Items"][0], (json{{"sk", {{"S", "FLAG#dark-mode"}}}, {"value", {{"S", "true"}}}}));
  const json counted = answer({"query", file(), "ENV#dev", "--select", "COUNT"});
  EXPECT_EQ(counted["Count"], 7);
  EXPECT_FALSE(counted.contains("Items"));
}

TEST_F(RawUnitsTest, ScanGoesThroughAllPartitionsPageByPage) {
  const json whole = answer({"scan", file(), "--all"});
  const json first = answer({"scan", file(), "--limit", "3"});
  EXPECT_EQ(first["Count"], 3);
  const json next = answer(
      {"scan", file(), "--limit", "3", "--exclusive-start-key", first["LastEvaluatedKey"].dump()});
  EXPECT_EQ(next["Items"][0], whole["Items"][3]);
  const json last = first["LastEvaluatedKey"];
  EXPECT_EQ(next,
            answer({"scan", file(), "--limit", "3", "--start", last["pk"]["S"], last["sk"]["S"]}));
  const json big = answer({"scan", file(), "--filter-expression", "sizeBytes > :n",
                           "--expression-attribute-values", R"({":n": {"N": "100000"}})"});
  EXPECT_LT(big["Count"], big["ScannedCount"]);
  EXPECT_GT(big["Count"], 0);
  EXPECT_EQ(units(big), units(whole));
}

TEST_F(RawUnitsTest, PutReplacesAndSaysWhatWasThere) {
  EXPECT_EQ(units(answer(put_args("a", text_item(2000)))), 2);
  std::vector<std::string> args = put_args("a", text_item(1));
  args.insert(args.end(), {"--return-values", "ALL_OLD"});
  const json got = answer(args);
  EXPECT_EQ(units(got), 2);  // by the larger
  EXPECT_EQ(got["Attributes"]["v"]["S"].get<std::string>().size(), 2000u);
  EXPECT_EQ(answer({"put", file(), "--item", R"({"pk": {"S": "p"}, "sk": {"S": "whole"}})"}).size(),
            1u);
  EXPECT_TRUE(exists("whole"));
  write_file(at("item.json"), text_item(5));
  answer(put_args("from-file", "file://" + at("item.json")));
  EXPECT_TRUE(exists("from-file"));
}

TEST_F(RawUnitsTest, AFailedConditionIsChargedAndChangesNothing) {
  answer(put_args("a", text_item(3000)));
  std::vector<std::string> args = put_args("a", text_item(10));
  args.insert(args.end(), {"--condition-expression", "attribute_not_exists(pk)"});
  const json got = refusal(args);
  EXPECT_EQ(got["name"], "ConditionalCheckFailedException");
  EXPECT_EQ(got["error"]["message"], "The conditional request failed");
  EXPECT_EQ(units(got["error"]), 3);
  EXPECT_EQ(answer({"get", file(), "p", "a"})["Item"]["v"]["S"].get<std::string>().size(), 3000u);
  EXPECT_EQ(run(args).err, "prefixfs: " + file() +
                               ": ConditionalCheckFailedException: The conditional request "
                               "failed, which cost 3 write units\n");
}

TEST_F(RawUnitsTest, UpdateReturnsWhatIsAskedFor) {
  answer(put_args("u", R"({"n": {"N": "1"}, "m": {"M": {"x": {"S": "old"}}}})"));
  const auto update = [&](const std::string& returns) {
    return answer({"update", file(), "p", "u", "--update-expression", "SET n = n + :o, m.x = :x",
                   "--expression-attribute-values", R"({":o": {"N": "1"}, ":x": {"S": "new"}})",
                   "--return-values", returns});
  };
  EXPECT_FALSE(update("NONE").contains("Attributes"));
  EXPECT_EQ(update("UPDATED_OLD")["Attributes"],
            (json{{"n", {{"N", "2"}}}, {"m", {{"M", {{"x", {{"S", "new"}}}}}}}}));
  EXPECT_EQ(update("UPDATED_NEW")["Attributes"]["n"]["N"], "4");
  EXPECT_EQ(update("ALL_OLD")["Attributes"]["n"]["N"], "4");
  const json all = update("ALL_NEW");
  EXPECT_EQ(all["Attributes"]["pk"]["S"], "p");
  EXPECT_EQ(all["Attributes"]["n"]["N"], "6");
  EXPECT_EQ(units(all), 1);
}

TEST_F(RawUnitsTest, DeleteTakesOneItem) {
  answer(put_args("d", text_item(1500)));
  const json got = answer({"delete", file(), "--key", R"({"pk": {"S": "p"}, "sk": {"S": "d"}})",
                           "--return-values", "ALL_OLD"});
  EXPECT_EQ(units(got), 2);
  EXPECT_EQ(got["Attributes"]["sk"]["S"], "d");
  EXPECT_FALSE(exists("d"));
  EXPECT_EQ(units(answer({"delete", file(), "p", "d"})), 1);  // nothing there is paid for, too
}

TEST_F(RawUnitsTest, ABatchGetRoundsEachItemByItself) {
  answer(put_args("a", text_item(10)));
  answer(put_args("b", text_item(5000)));
  const std::vector<std::string> ask = {"batch-get", file(), "p", "a", "p", "b", "p", "none"};
  const json got = answer(ask);
  EXPECT_EQ(units(got), 0.5 + 1 + 0.5);
  EXPECT_EQ(got["Responses"]["home.db"].size(), 2u);
  EXPECT_EQ(got["UnprocessedKeys"], json::object());
  const std::string key = R"({"pk": {"S": "p"}, "sk": {"S": "a"}})";
  const json strong = answer({"batch-get", file(), "--request-items",
                              R"({"home.db": {"Keys": [)" + key +
                                  R"(], "ConsistentRead": true, "ProjectionExpression": "sk"}})"});
  EXPECT_EQ(units(strong), 1);
  EXPECT_EQ(strong["Responses"]["home.db"][0], (json{{"sk", {{"S", "a"}}}}));
  EXPECT_EQ(name_of({"batch-get", file(), "p", "a", "p", "a"}), "ValidationException");
  EXPECT_EQ(
      name_of({"batch-get", file(), "--request-items", R"({"other": {"Keys": [)" + key + "]}}"}),
      "ResourceNotFoundException");
}

TEST_F(RawUnitsTest, ABatchWriteRoundsEachItemByItself) {
  answer(put_args("old", text_item(1500)));
  const std::string requests =
      R"([{"PutRequest": {"Item": {"pk": {"S": "p"}, "sk": {"S": "new"}}}},
          {"DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": "old"}}}}])";
  const json got = answer({"batch-write", file(), "--request-items", requests});
  EXPECT_EQ(units(got), 3);
  EXPECT_EQ(got["UnprocessedItems"], json::object());
  EXPECT_TRUE(exists("new"));
  EXPECT_FALSE(exists("old"));
}

TEST_F(RawUnitsTest, ATransactionIsAllOrNoneAndDoubled) {
  const std::string put = R"({"Put": {"Item": {"pk": {"S": "p"}, "sk": {"S": "t"}}}})";
  const auto check = [](const std::string& condition) {
    return R"({"ConditionCheck": {"Key": {"pk": {"S": "p"}, "sk": {"S": "none"}},
               "ConditionExpression": ")" +
           condition + R"("}})";
  };
  const auto transact = [&](const std::string& actions) {
    return std::vector<std::string>{"transact", file(), "--transact-items", "[" + actions + "]"};
  };
  const json refused = refusal(transact(put + "," + check("attribute_exists(pk)")));
  EXPECT_EQ(refused["name"], "TransactionCanceledException");
  const json& reasons = refused["error"]["CancellationReasons"];
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0]["Code"], "None");
  EXPECT_EQ(reasons[1]["Code"], "ConditionalCheckFailed");
  EXPECT_EQ(units(refused["error"]), 4);
  EXPECT_FALSE(exists("t"));
  EXPECT_EQ(units(answer(transact(put + "," + check("attribute_not_exists(pk)")))), 4);
  EXPECT_TRUE(exists("t"));
  EXPECT_EQ(message_of(transact(put + "," + put)),
            "Transaction request cannot include multiple operations on one item");
  const json read = answer(transact(
      R"({"Get": {"Key": {"pk": {"S": "p"}, "sk": {"S": "t"}}}},
         {"Get": {"Key": {"pk": {"S": "p"}, "sk": {"S": "none"}}}})"));
  EXPECT_EQ(read["Responses"][0]["Item"]["sk"]["S"], "t");
  EXPECT_EQ(read["Responses"][1], json::object());
  EXPECT_EQ(units(read), 4);
}

TEST_F(RawUnitsTest, RefusesInDynamosWords) {
  const std::string v = R"({":v": {"S": "x"}})";
  EXPECT_EQ(message_of({"scan", file(), "--filter-expression", "owner = :v",
                        "--expression-attribute-values", v}),
            "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: "
            "owner");
  EXPECT_EQ(message_of({"scan", file(), "--filter-expression", "attribute_exists(kind)",
                        "--expression-attribute-values", v}),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}");
  EXPECT_EQ(message_of({"get", file(), "--key", R"({"pk": {"S": "p"}})"}),
            "The provided key element does not match the schema");
  EXPECT_EQ(message_of({"put", file(), "--item", R"({"pk": {"S": "p"}})"}),
            "One or more parameter values were invalid: Missing the key sk in the item");
  EXPECT_EQ(message_of({"update", file(), "p", "none", "--update-expression", "SET a = b"}),
            "The provided expression refers to an attribute that does not exist in the item");
  EXPECT_EQ(run({"put", file(), "p", "s", "--item", "{"}).status, 2);
  EXPECT_EQ(run({"put", file(), "p", "s", "--item", "{}", "--condition-expression", "pk"}).status,
            1);
  EXPECT_EQ(run({"transact", file(), "--transact-items", "nonsense"}).status, 2);
}

TEST_F(RawUnitsTest, DynamosLimitsHoldUnlessTheyAreLifted) {
  const std::string long_key(1025, 'k');
  std::vector<std::string> args = put_args(long_key, "{}");
  EXPECT_EQ(name_of(args), "ValidationException");
  std::vector<std::string> large = put_args("large", text_item(400 * 1024));
  EXPECT_EQ(message_of(large), "Item size has exceeded the maximum allowed size");
  args.push_back("--no-limits");
  large.push_back("--no-limits");
  EXPECT_EQ(units(answer(args)), 2);
  EXPECT_EQ(units(answer(large)), 401);
  std::string requests;
  for (int i = 0; i < 26; ++i) {
    requests +=
        (i == 0 ? "[" : ",") + (R"({"DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": ")" +
                                std::to_string(i) + R"("}}}})");
  }
  args = {"batch-write", file(), "--request-items", requests + "]"};
  EXPECT_EQ(message_of(args), "Too many items requested for the BatchWriteItem call");
  args.push_back("--no-limits");
  EXPECT_EQ(units(answer(args)), 26);
}

// What --explain predicts is what the request then consumes, and explaining it changes nothing.
TEST_F(RawUnitsTest, ExplainPredictsWhatIsConsumed) {
  answer(put_args("a", text_item(2500)));
  const std::string one = R"({":o": {"N": "1"}})";
  const std::string get = R"([{"Get": {"Key": {"pk": {"S": "p"}, "sk": {"S": "a"}}}}])";
  const std::string put = R"([{"Put": {"Item": {"pk": {"S": "p"}, "sk": {"S": "a"}}}}])";
  const std::string batch = R"([{"DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": "a"}}}}])";
  std::vector<std::string> failing = put_args("a", "{}");
  failing.insert(failing.end(), {"--condition-expression", "attribute_not_exists(pk)"});
  const std::vector<std::vector<std::string>> requests = {
      {"get", file(), "p", "a", "--consistent"},
      {"query", file(), "DRIVE#home", "--begins-with", "PATH#/photos/"},
      {"query", file(), "DRIVE#home", "--limit", "2", "--all"},
      {"scan", file(), "--limit", "7"},
      {"batch-get", file(), "p", "a", "p", "none"},
      {"transact", file(), "--transact-items", get},
      failing,
      {"update", file(), "p", "a", "--update-expression", "ADD n :o",
       "--expression-attribute-values", one},
      put_args("new", text_item(1100)),
      {"transact", file(), "--transact-items", put},
      {"batch-write", file(), "--request-items", batch},
      {"delete", file(), "p", "new"},
  };
  for (std::vector<std::string> request : requests) {
    const std::string before = out_of({"scan", file(), "--all", "--json"});
    std::vector<std::string> explained = request;
    explained.push_back("--explain");
    EXPECT_NE(out_of(explained).find("predicted  "), std::string::npos);
    const json explanation = answer(explained);
    EXPECT_EQ(out_of({"scan", file(), "--all", "--json"}), before) << request[0];
    EXPECT_FALSE(explanation["SQL"].empty());
    EXPECT_FALSE(explanation["KeyRanges"].empty());
    const json& predicted = explanation["Predicted"];
    request.push_back("--json");
    const double used = units(json::parse(run(request).out));
    EXPECT_EQ(predicted["ReadCapacityUnits"].get<double>() +
                  predicted["WriteCapacityUnits"].get<double>(),
              used)
        << request[0];
  }
}

TEST_F(RawUnitsTest, ExplainShowsTheRequestItsKeysAndItsSql) {
  EXPECT_EQ(
      out_of({"query", file(), "DRIVE#home", "--begins-with", "PATH#/photos/", "--explain"}),
      "request    Query {\"TableName\": \"home.db\", \"KeyConditionExpression\": \"pk = :pk AND "
      "begins_with(sk, :sk)\", \"ExpressionAttributeValues\": {\":pk\":{\"S\":\"DRIVE#home\"},"
      "\":sk\":{\"S\":\"PATH#/photos/\"}}}\n"
      "key range  pk = DRIVE#home, PATH#/photos/ <= sk < PATH#/photos0\n"
      "SQL        SELECT sk, attrs FROM item WHERE pk = 'DRIVE#home' AND sk >= 'PATH#/photos/' "
      "AND sk < 'PATH#/photos0' ORDER BY sk;\n"
      "predicted  0.5 read units, 6 items evaluated, 1 page\n");
}

TEST_F(RawUnitsTest, CostIsWhatTheLedgerBooked) {
  const Ran ran = run({"batch-get", file(), "p", "a", "p", "b", "--cost"});
  EXPECT_EQ(ran.err, "cost: 1 request: 2 gets; 1 read unit\n");
}

}  // namespace
}  // namespace prefixfs
