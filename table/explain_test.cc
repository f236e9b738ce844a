#include "table/explain.h"

#include "table/item_json.h"
#include "table/store_fixture.h"

namespace table {
namespace {

class ExplainTest : public StoreFixture {
 protected:
  ExplainTest() {
    open();
    for (const char* pk : {"p", "it's", "q"}) {
      for (const char* sk : {"PATH#/a", "PATH#/a b'c", "PATH#/a/x", "PATH#/b\xff", "PATH#/c\n"}) {
        put(pk, sk, {{"v", "o'clock"}});
      }
    }
  }

  // The values of a column of the statement's rows, as an SQL shell gets them.
  std::vector<std::string> column(const std::string& sql, int column) {
    std::vector<std::string> values;
    Statement statement = database().prepare(sql, "explain");
    Statement::Run run(statement);
    while (run.step()) values.emplace_back(run.text(column));
    return values;
  }
};

TEST_F(ExplainTest, TheSqlOfAQueryGivesItsRows) {
  const std::vector<SkCondition> conditions = {SkAll{},
                                               SkBeginsWith{"PATH#/a"},
                                               SkBeginsWith{"PATH#/b\xff"},
                                               SkCompare{Compare::gt, "PATH#/a b'c"},
                                               SkCompare{Compare::eq, "PATH#/c\n"},
                                               SkBetween{"PATH#/a", "PATH#/b"}};
  for (const char* pk : {"p", "it's", "none"}) {
    for (const SkCondition& sk : conditions) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const std::optional<std::string>& start :
             {std::optional<std::string>(), std::optional<std::string>("PATH#/a b'c")}) {
          const Query query{.pk = pk, .sk = sk, .direction = direction, .exclusive_start = start};
          EXPECT_EQ(column(sql_of(query), 0), sort_keys(table().query(query).rows))
              << sql_of(query);
        }
      }
    }
  }
}

TEST_F(ExplainTest, TheSqlOfAScanGivesItsRows) {
  EXPECT_EQ(column(sql_of(Scan{}), 1), sort_keys(table().scan({}).rows));
  const Scan rest{.exclusive_start = Key{"p", "PATH#/c\n"}};
  EXPECT_EQ(column(sql_of(rest), 1), sort_keys(table().scan(rest).rows));
  EXPECT_EQ(column(sql_of(rest), 1).size(), 5u);
}

TEST_F(ExplainTest, TheSqlOfSingleItems) {
  const Key key{"it's", "PATH#/\x01"};
  const Item item{{"v", "o'clock\n"}};
  EXPECT_EQ(column(sql_of_get(key), 0).size(), 0u);
  column(sql_of_put(key, item), 0);
  EXPECT_EQ(table().get(key).item, item);
  EXPECT_EQ(column(sql_of_get(key), 0), std::vector{encode_item(item)});
  column(sql_of_delete(key), 0);
  EXPECT_FALSE(table().get(key).item);
}

TEST_F(ExplainTest, ReadsAsWritten) {
  EXPECT_EQ(sql_of(Query{.pk = "p", .sk = SkBeginsWith{"PATH#/a/"}}),
            "SELECT sk, attrs FROM item WHERE pk = 'p' AND sk >= 'PATH#/a/' AND sk < 'PATH#/a0' "
            "ORDER BY sk;");
}

class LimitsTest : public StoreFixture {
 protected:
  void open_with(Limits limits) {
    StoreOptions with = options();
    with.limits = limits;
    open(with);
  }
  static std::vector<Write> puts(int n) {
    std::vector<Write> writes;
    for (int i = 0; i < n; ++i) writes.push_back(Put{{"p", std::to_string(i)}, {}});
    return writes;
  }
};

TEST_F(LimitsTest, AreLiftedWhereAskedFor) {
  const Item large{{"v", std::string(kMaxItemBytes, 'x')}};
  const Put long_key{{"p", std::string(kMaxSkBytes + 1, 'k')}, {}};
  std::vector<Action> many;
  for (int i = 0; i < 101; ++i) many.push_back(Put{{"m", std::to_string(i)}, {}});
  open_with(Limits::dynamo);
  EXPECT_EQ(table().write(Put{{"p", "large"}, large}).status, WriteStatus::item_too_large);
  EXPECT_EQ(table().batch_write(puts(26)).status, WriteStatus::too_many_actions);
  EXPECT_EQ(table().transact(many).status, WriteStatus::too_many_actions);
  EXPECT_EQ(table().transact(std::vector<Action>{long_key}).status, WriteStatus::key_too_long);
  open_with(Limits::none);
  EXPECT_TRUE(table().write(Put{{"p", "large"}, large}).ok());
  EXPECT_TRUE(table().batch_write(puts(26)).ok());
  EXPECT_TRUE(table().transact(many).ok());
  EXPECT_TRUE(table().transact(std::vector<Action>{long_key}).ok());
  EXPECT_EQ(table().transact(std::vector<Action>{long_key, long_key}).status,
            WriteStatus::duplicate_key);
}

TEST_F(LimitsTest, APageWithoutThemIsBilledByTheMegabyte) {
  open_with(Limits::dynamo);
  for (int i = 0; i < 5; ++i) put(std::to_string(i), {{"v", std::string(300 * 1024, 'x')}});
  EXPECT_TRUE(table().query({.pk = "p"}).last);
  open_with(Limits::none);
  const QueryResult whole = table().query({.pk = "p"});
  EXPECT_FALSE(whole.last);
  EXPECT_EQ(whole.rows.size(), 5u);
  EXPECT_EQ(whole.charge.pages, 2u);
}

TEST_F(LimitsTest, ABatchGetLeavesWhatIsOverSixteenMegabytes) {
  open_with(Limits::dynamo);
  std::vector<Key> keys;
  for (int i = 0; i < 50; ++i) {
    keys.push_back({"p", std::to_string(100 + i)});
    put(keys.back().sk, {{"v", std::string(399 * 1024, 'x')}});
  }
  const BatchGetResult result = table().batch_get(keys);
  EXPECT_EQ(result.rows.size(), 41u);
  ASSERT_EQ(result.unprocessed.size(), 9u);
  EXPECT_EQ(result.unprocessed.front(), keys[41]);
  EXPECT_EQ(result.charge.gets, 41u);
  EXPECT_EQ(result.charge.read_units, 41 * 50.0);
}

class UpdateTest : public StoreFixture {};

TEST_F(UpdateTest, WhatOnlyTakesAwayMakesNoItem) {
  open();
  const Update update{.key = {"p", "s"}, .expression = {.remove = {{"a"}}}};
  const WriteResult result = table().write(update);
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result.updated);
  EXPECT_EQ(result.charge.write_units, 1);
  EXPECT_FALSE(table().get({"p", "s"}).item);
  EXPECT_TRUE(table().write(Update{.key = {"p", "s"}}).ok());
  EXPECT_TRUE(table().get({"p", "s"}).item);
}

TEST_F(UpdateTest, NothingIsStoredThatCouldNotBeReadBack) {
  open();
  Value deep = List{};
  for (int i = 0; i < 31; ++i) deep = List{deep};
  put("s", {{"m", Item{}}, {"deep", deep}});
  Update update{.key = {"p", "s"}};
  update.expression.set.push_back({{"m", "deeper"}, {SetTerm::Path{{"deep"}}}});
  EXPECT_EQ(table().write(update).status, WriteStatus::too_deep);
  EXPECT_FALSE(table().get({"p", "s"}).damaged);
}

}  // namespace
}  // namespace table
