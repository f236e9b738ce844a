#include "table/sqlite_table.h"

#include "table/item_json.h"
#include "table/store_fixture.h"

namespace table {
namespace {

using Keys = std::vector<std::string>;

class SqliteTableTest : public StoreFixture {
 protected:
  SqliteTableTest() { open(); }

  // An item of `p` that is billed `bytes` under the sort key `sk`.
  void put_sized(const std::string& sk, std::size_t bytes) {
    put(sk, Item{{"v", std::string(bytes - sk.size() - 6, 'x')}});
  }
  void put_damaged(const std::string& sk) {
    const std::string sql = "INSERT INTO item VALUES('p', '" + sk + "', '{\"broken')";
    database().exec(sql.c_str(), "test");
  }
};

// ---- get ----

TEST_F(SqliteTableTest, GetGivesBackWhatWasPut) {
  const Item item{{"b", Binary{std::string("\0\xff", 2)}},
                  {"l", List{1, "two", Null{}}},
                  {"m", Item{{"x", true}}},
                  {"n", *Number::parse("0.1")},
                  {"s", "caf\xc3\xa9"}};
  put("s", item);
  EXPECT_EQ(table().get({"p", "s"}).item, item);
  EXPECT_FALSE(table().get({"p", "t"}).item);
  EXPECT_FALSE(table().get({"q", "s"}).item);
}

TEST_F(SqliteTableTest, GetIsChargedByTheItemAndOneUnitForAMiss) {
  put_sized("a", 4096);
  put_sized("b", 4097);
  EXPECT_EQ(table().get({"p", "a"}).charge, (Charge{.requests = 1, .gets = 1, .read_units = 0.5}));
  EXPECT_EQ(table().get({"p", "b"}, Consistency::strong).charge.read_units, 2);
  EXPECT_EQ(table().get({"p", "b"}, Consistency::transactional).charge.read_units, 4);
  EXPECT_EQ(table().get({"p", "c"}, Consistency::strong).charge.read_units, 1);
}

TEST_F(SqliteTableTest, KeysAreBytes) {
  const Keys keys{"a", "a!", "a-", "a.b", "a/x", "a0", "\x7f", "\xc3\xa9", "\xff", "\xff\xfe"};
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) put(*key);
  EXPECT_EQ(sort_keys(table().query({.pk = "p"}).rows), keys);
  for (const std::string& key : keys) EXPECT_TRUE(table().get({"p", key}).item) << key;
}

TEST_F(SqliteTableTest, KeysLongerThanDynamoDbAllowsAreKept) {
  const std::string sk = "PATH#/" + std::string(5000, 'x');
  put(sk);
  EXPECT_TRUE(table().get({"p", sk}).item);
}

TEST_F(SqliteTableTest, BatchGetRoundsEachItem) {
  put_sized("a", 100);
  put_sized("b", 5000);
  const std::vector<Key> keys{{"p", "b"}, {"p", "missing"}, {"p", "a"}};
  const BatchGetResult result = table().batch_get(keys);
  EXPECT_EQ(sort_keys(result.rows), (Keys{"b", "a"}));
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .gets = 3, .read_units = 1 + 0.5 + 0.5}));
}

TEST_F(SqliteTableTest, ADamagedRowIsShownAsOne) {
  put("a");
  put_damaged("b");
  const GetResult got = table().get({"p", "b"});
  EXPECT_TRUE(got.damaged);
  EXPECT_TRUE(got.item && got.item->empty());
  const QueryResult page = table().query({.pk = "p"});
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_FALSE(page.rows[0].damaged);
  EXPECT_TRUE(page.rows[1].damaged);
  EXPECT_EQ(table().scan({}).rows.size(), 2u);
}

// ---- query and scan ----

TEST_F(SqliteTableTest, QueryReadsOnePartition) {
  put("p", "a", {});
  put("p", "b", {});
  put("p2", "a", {});
  put("o", "z", {});
  const QueryResult result = table().query({.pk = "p"});
  EXPECT_EQ(sort_keys(result.rows), (Keys{"a", "b"}));
  EXPECT_FALSE(result.last);
  EXPECT_EQ(result.scanned, 2u);
  EXPECT_EQ(result.charge,
            (Charge{.requests = 1, .queries = 1, .pages = 1, .items_read = 2, .read_units = 0.5}));
}

TEST_F(SqliteTableTest, QueryBySortKey) {
  for (const char* sk : {"a", "b", "b/1", "b/2", "b0", "c"}) put(sk);
  const auto keys = [this](SkCondition condition) {
    return sort_keys(table().query({.pk = "p", .sk = std::move(condition)}).rows);
  };
  EXPECT_EQ(keys(SkBeginsWith{"b/"}), (Keys{"b/1", "b/2"}));
  EXPECT_EQ(keys(SkBeginsWith{"b"}), (Keys{"b", "b/1", "b/2", "b0"}));
  EXPECT_EQ(keys(SkCompare{Compare::eq, "b"}), (Keys{"b"}));
  EXPECT_EQ(keys(SkCompare{Compare::lt, "b/1"}), (Keys{"a", "b"}));
  EXPECT_EQ(keys(SkCompare{Compare::le, "b/1"}), (Keys{"a", "b", "b/1"}));
  EXPECT_EQ(keys(SkCompare{Compare::gt, "b/2"}), (Keys{"b0", "c"}));
  EXPECT_EQ(keys(SkCompare{Compare::ge, "b/2"}), (Keys{"b/2", "b0", "c"}));
  EXPECT_EQ(keys(SkBetween{"b", "b/2"}), (Keys{"b", "b/1", "b/2"}));
  EXPECT_EQ(keys(SkBetween{"c", "a"}), Keys{});
}

TEST_F(SqliteTableTest, QueryPagesByLimitInBothDirections) {
  for (const char* sk : {"a", "b", "c", "d"}) put(sk);
  Query query{.pk = "p", .limit = 3};
  QueryResult page = table().query(query);
  EXPECT_EQ(sort_keys(page.rows), (Keys{"a", "b", "c"}));
  ASSERT_TRUE(page.last);
  EXPECT_EQ(*page.last, (Key{"p", "c"}));
  query.exclusive_start = page.last->sk;
  page = table().query(query);
  EXPECT_EQ(sort_keys(page.rows), Keys{"d"});
  EXPECT_FALSE(page.last);

  query = {.pk = "p", .sk = SkBeginsWith{""}, .direction = Direction::backward, .limit = 2};
  page = table().query(query);
  EXPECT_EQ(sort_keys(page.rows), (Keys{"d", "c"}));
  query.exclusive_start = page.last->sk;
  page = table().query(query);
  EXPECT_EQ(sort_keys(page.rows), (Keys{"b", "a"}));
  // As DynamoDB has it: the limit was reached, whether anything follows or not.
  ASSERT_TRUE(page.last);
  query.exclusive_start = page.last->sk;
  page = table().query(query);
  EXPECT_TRUE(page.rows.empty());
  EXPECT_FALSE(page.last);
}

TEST_F(SqliteTableTest, APageEndsAtOneMegabyte) {
  constexpr std::size_t kBig = 300 * 1024;
  for (const char* sk : {"a", "b", "c", "d"}) put_sized(sk, kBig);
  QueryResult page = table().query({.pk = "p", .consistency = Consistency::strong});
  EXPECT_EQ(sort_keys(page.rows), (Keys{"a", "b", "c"}));
  ASSERT_TRUE(page.last);
  EXPECT_EQ(page.last->sk, "c");
  EXPECT_EQ(page.charge.read_units, 3 * 75);
  page = table().query({.pk = "p", .exclusive_start = page.last->sk});
  EXPECT_EQ(sort_keys(page.rows), Keys{"d"});
  EXPECT_FALSE(page.last);
}

TEST_F(SqliteTableTest, AFilterReducesNothingThatIsBilled) {
  for (int i = 0; i < 10; ++i) put("k" + std::to_string(i), {{"even", i % 2 == 0}});
  const QueryResult page =
      table().query({.pk = "p", .limit = 6, .filter = attribute_equals("even", true)});
  EXPECT_EQ(sort_keys(page.rows), (Keys{"k0", "k2", "k4"}));
  EXPECT_EQ(page.scanned, 6u);
  EXPECT_EQ(page.charge.items_read, 6u);
  EXPECT_EQ(page.last->sk, "k5");
}

TEST_F(SqliteTableTest, AnEmptyQueryCostsOnePage) {
  EXPECT_EQ(table().query({.pk = "nothing", .consistency = Consistency::strong}).charge,
            (Charge{.requests = 1, .queries = 1, .pages = 1, .read_units = 1}));
}

TEST_F(SqliteTableTest, ScanGoesThroughAllPartitions) {
  const std::vector<Key> keys{{"a", "2"}, {"a", "3"}, {"a!", "1"}, {"b", "1"}, {"\xff", "\xff"}};
  for (const Key& key : keys) put(key.pk, key.sk, {});
  std::vector<Key> found;
  Scan scan{.limit = 2};
  int pages = 0;
  do {
    const QueryResult page = table().scan(scan);
    for (const Row& row : page.rows) found.push_back(row.key);
    scan.exclusive_start = page.last;
    ++pages;
  } while (scan.exclusive_start);
  EXPECT_EQ(found, keys);
  EXPECT_EQ(pages, 3);
}

// ---- list ----

TEST_F(SqliteTableTest, ListFindsChildrenAmongDescendants) {
  for (const char* sk :
       {"/", "/a", "/a!", "/a-", "/a-/deep", "/a.b", "/a/x", "/a/x/y", "/a0", "/b/c", "/z"}) {
    put(sk);
  }
  const ListResult result = table().list({.pk = "p", .prefix = "/"});
  // No row of "/" itself, and none for /b, whose own row is missing.
  EXPECT_EQ(sort_keys(result.rows), (Keys{"/a", "/a!", "/a-", "/a.b", "/a0", "/z"}));
  EXPECT_FALSE(result.more);
  EXPECT_EQ(sort_keys(table().list({.pk = "p", .prefix = "/a/"}).rows), Keys{"/a/x"});
  EXPECT_TRUE(table().list({.pk = "p", .prefix = "/z/"}).rows.empty());
}

TEST_F(SqliteTableTest, ListResumesAfterAName) {
  for (const char* sk : {"/a", "/a!", "/a-", "/a-/deep", "/a.b", "/a/x", "/a0"}) put(sk);
  ListChildren list{.pk = "p", .prefix = "/", .limit = 1};
  Keys found;
  for (;;) {
    const ListResult page = table().list(list);
    for (const Row& row : page.rows) found.push_back(row.key.sk);
    if (!page.more) break;
    list.after = page.rows.back().key.sk.substr(1);
  }
  EXPECT_EQ(found, (Keys{"/a", "/a!", "/a-", "/a.b", "/a0"}));
  list = {.pk = "p", .prefix = "/", .after = "a+"};  // need not exist
  EXPECT_EQ(sort_keys(table().list(list).rows), (Keys{"/a-", "/a.b", "/a0"}));
}

TEST_F(SqliteTableTest, ListingCostsASeekPerFolderHoweverMuchLiesBelow) {
  for (const int below : {20, 400}) {
    open();
    constexpr int kFolders = 7;
    for (int f = 0; f < kFolders; ++f) {
      const std::string name = "/f" + std::to_string(f);
      put(name, {{"kind", "folder"}});
      for (int i = 0; i < below; ++i) put(name + "/x" + std::to_string(i));
    }
    put("/plain");
    const ListResult result = table().list({.pk = "p", .prefix = "/", .through = 5});
    EXPECT_EQ(result.rows.size(), kFolders + 1u);
    EXPECT_EQ(result.hops, kFolders);
    EXPECT_EQ(result.charge, (Charge{.requests = 1 + kFolders,
                                     .queries = 1 + kFolders,
                                     .pages = 1 + kFolders,
                                     .items_read = kFolders * (1 + 5) + 1,
                                     .read_units = 0.5 * (1 + kFolders)}));
  }
}

TEST_F(SqliteTableTest, ListReadsThroughWhatIsSmall) {
  for (const char* sk : {"/a", "/a/1", "/a/2", "/b", "/b/1", "/b/2", "/b/3"}) put(sk);
  const ListResult result = table().list({.pk = "p", .prefix = "/", .through = 3});
  EXPECT_EQ(result.hops, 1u);  // over /b, which has three
  EXPECT_EQ(result.charge.items_read, 7u);
  EXPECT_EQ(table().list({.pk = "p", .prefix = "/", .through = 4}).hops, 0u);
  EXPECT_EQ(table().list({.pk = "p", .prefix = "/", .through = 1}).hops, 2u);
}

TEST_F(SqliteTableTest, ListHopsOverTheLastPossibleName) {
  put("/\xff");
  put("/\xff/x");
  put("/\xff/y");
  const ListResult result = table().list({.pk = "p", .prefix = "/", .through = 1});
  EXPECT_EQ(sort_keys(result.rows), Keys{"/\xff"});
  EXPECT_EQ(result.hops, 1u);
}

TEST_F(SqliteTableTest, CountAddsUpARange) {
  put_sized("/a/1", 100);
  put_sized("/a/22", 3000);
  put_sized("/a-", 100);
  const CountResult result = table().count({.pk = "p", .prefix = "/a/"});
  EXPECT_EQ(result.items, 2u);
  EXPECT_EQ(result.billed_bytes, 3100u);
  EXPECT_EQ(result.write_units, 1u + 3u);
  EXPECT_EQ(result.longest_sk, 5u);
  EXPECT_EQ(result.charge,
            (Charge{.requests = 1, .queries = 1, .pages = 1, .items_read = 2, .read_units = 0.5}));
}

TEST_F(SqliteTableTest, CountGoesOnAcrossItsOwnPieces) {
  Store::Step step(*store);
  for (int i = 0; i < 25'000; ++i) put("/a/" + std::to_string(i), {});
  step.done();
  EXPECT_EQ(table().count({.pk = "p", .prefix = "/a/"}).items, 25'000u);
}

// ---- writes ----

TEST_F(SqliteTableTest, PutIsChargedTheLargerOfOldAndNew) {
  WriteResult result = table().write(Put{{"p", "a"}, {{"v", std::string(3000, 'x')}}});
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .puts = 1, .write_units = 3}));
  EXPECT_FALSE(result.old);
  result = table().write(Put{{"p", "a"}, {{"v", 1}}});
  EXPECT_EQ(result.charge.write_units, 3);
  ASSERT_TRUE(result.old);
  EXPECT_EQ(result.old->find("v")->if_string()->size(), 3000u);
  EXPECT_EQ(table().write(Put{{"p", "a"}, {{"v", 1}}}).charge.write_units, 1);
}

TEST_F(SqliteTableTest, DeleteIsChargedTheStoredItem) {
  put_sized("a", 2000);
  WriteResult result = table().write(Delete{{"p", "a"}});
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .deletes = 1, .write_units = 2}));
  EXPECT_TRUE(result.old);
  EXPECT_FALSE(table().get({"p", "a"}).item);
  result = table().write(Delete{{"p", "a"}});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.charge.write_units, 1);
  EXPECT_FALSE(result.old);
}

TEST_F(SqliteTableTest, UpdateSetsAddsAndRemoves) {
  put("a", {{"keep", 1}, {"n", 5}, {"gone", "x"}});
  const WriteResult result = table().write(Update{
      .key = {"p", "a"}, .set = {{"s", "new"}}, .add = {{"n", 2}, {"m", -1}}, .remove = {"gone"}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.old, (Item{{"keep", 1}, {"n", 5}, {"gone", "x"}}));
  const Item updated{{"keep", 1}, {"n", 7}, {"m", -1}, {"s", "new"}};
  EXPECT_EQ(result.updated, updated);
  EXPECT_EQ(table().get({"p", "a"}).item, updated);
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .updates = 1, .write_units = 1}));
}

TEST_F(SqliteTableTest, UpdateCreatesAnAbsentItem) {
  const WriteResult result = table().write(Update{.key = {"p", "a"}, .add = {{"n", 1}}});
  EXPECT_FALSE(result.old);
  EXPECT_EQ(result.updated, (Item{{"n", 1}}));
}

TEST_F(SqliteTableTest, UpdateIsChargedTheLargerOfBeforeAndAfter) {
  put_sized("a", 5000);
  EXPECT_EQ(table().write(Update{.key = {"p", "a"}, .remove = {"v"}}).charge.write_units, 5);
  EXPECT_EQ(table()
                .write(Update{.key = {"p", "a"}, .set = {{"v", std::string(2000, 'x')}}})
                .charge.write_units,
            2);
}

TEST_F(SqliteTableTest, UpdateRefusesSumsThatCannotBe) {
  put("a", {{"s", "text"}, {"n", *Number::parse("9.9E125")}});
  EXPECT_EQ(table().write(Update{.key = {"p", "a"}, .add = {{"s", 1}}}).status,
            WriteStatus::wrong_type);
  EXPECT_EQ(
      table().write(Update{.key = {"p", "a"}, .add = {{"n", *Number::parse("9E125")}}}).status,
      WriteStatus::wrong_type);
  put_damaged("b");
  EXPECT_EQ(table().write(Update{.key = {"p", "b"}, .add = {{"n", 1}}}).status,
            WriteStatus::wrong_type);
}

TEST_F(SqliteTableTest, AFailedConditionChangesNothingAndIsChargedTheLarger) {
  put_sized("a", 2500);
  const Item before = *table().get({"p", "a"}).item;
  WriteResult result = table().write(Put{{"p", "a"}, {{"v", 1}}, item_absent()});
  EXPECT_EQ(result.status, WriteStatus::condition_failed);
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .puts = 1, .write_units = 3}));
  EXPECT_EQ(table().get({"p", "a"}).item, before);
  result = table().write(Put{{"p", "b"}, {{"v", std::string(1500, 'x')}}, item_exists()});
  EXPECT_EQ(result.charge.write_units, 2);
  result = table().write(Delete{{"p", "b"}, item_exists()});
  EXPECT_EQ(result.status, WriteStatus::condition_failed);
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .deletes = 1, .write_units = 1}));
}

TEST_F(SqliteTableTest, ConditionsLookInside) {
  put("a", {{"version", 3}});
  EXPECT_FALSE(table().write(Delete{{"p", "a"}, attribute_equals("version", 2)}).ok());
  EXPECT_TRUE(table().write(Delete{{"p", "a"}, attribute_equals("version", 3)}).ok());
}

TEST_F(SqliteTableTest, WhatIsTooLargeOrHasNoKeyIsRefusedForNothing) {
  const Item large{{"v", std::string(kMaxItemBytes, 'x')}};
  const Charge nothing{.requests = 1};
  WriteResult result = table().write(Put{{"p", "a"}, large});
  EXPECT_EQ(result.status, WriteStatus::item_too_large);
  EXPECT_EQ(result.charge, nothing);
  result = table().write(Put{{"p", ""}, {}});
  EXPECT_EQ(result.status, WriteStatus::empty_key);
  EXPECT_EQ(result.charge, nothing);
  put("b", {{"v", std::string(kMaxItemBytes - 100, 'x')}});
  EXPECT_EQ(table().write(Update{.key = {"p", "b"}, .set = {{"w", std::string(100, 'x')}}}).status,
            WriteStatus::item_too_large);
  EXPECT_EQ(all().size(), 1u);
}

TEST_F(SqliteTableTest, BatchWritePutsAndDeletes) {
  put_sized("gone", 3000);
  const std::vector<Write> writes{Put{{"p", "a"}, {}}, Delete{{"p", "gone"}},
                                  Put{{"p", "b"}, {{"v", std::string(1100, 'x')}}}};
  const WriteResult result = table().batch_write(writes);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.charge,
            (Charge{.requests = 1, .puts = 2, .deletes = 1, .write_units = 1 + 3 + 2}));
  EXPECT_EQ(all().size(), 2u);
}

TEST_F(SqliteTableTest, BatchWriteKeepsDynamoDbsLimits) {
  std::vector<Write> writes;
  for (int i = 0; i < 26; ++i) writes.push_back(Put{{"p", "k" + std::to_string(i)}, {}});
  EXPECT_EQ(table().batch_write(writes).status, WriteStatus::too_many_actions);
  writes.resize(25);
  EXPECT_TRUE(table().batch_write(writes).ok());
  EXPECT_EQ(table().batch_write(std::vector<Write>{Put{{"p", "x"}, {}}, Delete{{"p", "x"}}}).status,
            WriteStatus::duplicate_key);
  EXPECT_EQ(table().batch_write(std::vector<Write>{Put{{"p", std::string(1025, 'x')}, {}}}).status,
            WriteStatus::key_too_long);
  EXPECT_EQ(table().batch_write(std::vector<Write>{Put{{std::string(2049, 'x'), "s"}, {}}}).status,
            WriteStatus::key_too_long);
}

// ---- transactions ----

TEST_F(SqliteTableTest, TransactWritesAllForTwiceTheUnits) {
  put_sized("old", 1500);
  put("counter", {{"n", 1}});
  const std::vector<Action> actions{Put{{"p", "new"}, {}, item_absent()}, Delete{{"p", "old"}},
                                    Update{.key = {"p", "counter"}, .add = {{"n", 1}}},
                                    Check{{"p", "guard"}, item_absent()}};
  const WriteResult result = table().transact(actions);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.reasons.empty());
  EXPECT_EQ(result.charge, (Charge{.requests = 1,
                                   .puts = 1,
                                   .updates = 1,
                                   .deletes = 1,
                                   .write_units = 2 * (1 + 2 + 1 + 1)}));
  EXPECT_EQ(table().get({"p", "counter"}).item, (Item{{"n", 2}}));
}

TEST_F(SqliteTableTest, ACancelledTransactionSaysWhyActionByAction) {
  put_sized("a", 3000);
  put("s", {{"n", "text"}});
  const auto before = all();
  std::vector<Action> actions{Put{{"p", "new"}, {}}, Delete{{"p", "a"}, item_absent()},
                              Check{{"p", "missing"}, item_exists()}};
  WriteResult result = table().transact(actions);
  EXPECT_EQ(result.status, WriteStatus::condition_failed);
  EXPECT_EQ(result.reasons, (std::vector{WriteStatus::ok, WriteStatus::condition_failed,
                                         WriteStatus::condition_failed}));
  EXPECT_EQ(result.charge,
            (Charge{.requests = 1, .puts = 1, .deletes = 1, .write_units = 2 * (1 + 3 + 1)}));
  EXPECT_EQ(all(), before);

  // One that only shows while it is carried out.
  actions = {Put{{"p", "new"}, {}}, Update{.key = {"p", "s"}, .add = {{"n", 1}}}};
  result = table().transact(actions);
  EXPECT_EQ(result.status, WriteStatus::wrong_type);
  EXPECT_EQ(result.reasons, (std::vector{WriteStatus::ok, WriteStatus::wrong_type}));
  EXPECT_EQ(all(), before);
}

TEST_F(SqliteTableTest, TransactKeepsDynamoDbsLimits) {
  std::vector<Action> actions;
  for (int i = 0; i < 101; ++i) actions.push_back(Put{{"p", "k" + std::to_string(i)}, {}});
  EXPECT_EQ(table().transact(actions).status, WriteStatus::too_many_actions);
  actions.resize(100);
  EXPECT_TRUE(table().transact(actions).ok());

  actions = {Put{{"p", "x"}, {}}, Check{{"p", "x"}, item_absent()}};
  const WriteResult twice = table().transact(actions);
  EXPECT_EQ(twice.status, WriteStatus::duplicate_key);
  EXPECT_EQ(twice.reasons, (std::vector{WriteStatus::ok, WriteStatus::duplicate_key}));
  EXPECT_EQ(twice.charge, (Charge{.requests = 1}));

  actions = {Put{{"p", std::string(1025, 'x')}, {}}};
  EXPECT_EQ(table().transact(actions).status, WriteStatus::key_too_long);

  actions.clear();
  for (int i = 0; i < 11; ++i) {
    actions.push_back(Put{{"q", std::to_string(i)}, {{"v", std::string(390 * 1024, 'x')}}});
  }
  EXPECT_EQ(table().transact(actions).status, WriteStatus::too_large);
  EXPECT_EQ(table().query({.pk = "q"}).scanned, 0u);
}

// ---- apply ----

TEST_F(SqliteTableTest, ApplyIsBilledItemByItem) {
  put_sized("old", 1500);
  const Batch batch{Put{{"p", "new"}, {}, item_absent()}, Delete{{"p", "old"}, item_exists()},
                    Update{.key = {"p", "n"}, .add = {{"n", 1}}}};
  const WriteResult result = table().apply(batch);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(
      result.charge,
      (Charge{.requests = 2, .puts = 1, .updates = 1, .deletes = 1, .write_units = 1 + 2 + 1}));
}

TEST_F(SqliteTableTest, ApplyJudgesTheStateBeforeTheBatch) {
  Batch batch{Put{{"p", "a"}, {{"v", 1}}}, Put{{"p", "a"}, {{"v", 2}}, item_absent()}};
  ASSERT_TRUE(table().apply(batch).ok());
  EXPECT_EQ(table().get({"p", "a"}).item, (Item{{"v", 2}}));
  // ... but carries out one action after the other.
  batch = {Delete{{"p", "a"}, item_exists()}, Update{.key = {"p", "a"}, .add = {{"v", 1}}}};
  ASSERT_TRUE(table().apply(batch).ok());
  EXPECT_EQ(table().get({"p", "a"}).item, (Item{{"v", 1}}));
}

TEST_F(SqliteTableTest, ApplyTakesEffectEntirelyOrNotAtAll) {
  put("a");
  put("s", {{"n", "text"}});
  const auto before = all();
  WriteResult result = table().apply(
      Batch{Put{{"p", "b"}, {}}, EraseRange{"p", "a"}, Check{{"p", "c"}, item_exists()}});
  EXPECT_EQ(result.status, WriteStatus::condition_failed);
  EXPECT_EQ(result.reasons,
            (std::vector{WriteStatus::ok, WriteStatus::ok, WriteStatus::condition_failed}));
  EXPECT_EQ(all(), before);
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .puts = 1, .write_units = 2}));
  result = table().apply(Batch{EraseRange{"p", "a"}, Put{{"p", "b"}, {}},
                               Update{.key = {"p", "s"}, .add = {{"n", 1}}}});
  EXPECT_EQ(result.status, WriteStatus::wrong_type);
  EXPECT_EQ(all(), before);
}

TEST_F(SqliteTableTest, ApplyOfManyActionsHasNoLimit) {
  Batch batch;
  for (int i = 0; i < 1000; ++i) batch.push_back(Put{{"p", "k" + std::to_string(i)}, {}});
  EXPECT_TRUE(table().apply(batch).ok());
  EXPECT_EQ(all().size(), 1000u);
  EXPECT_TRUE(table().apply({}).ok());
}

TEST_F(SqliteTableTest, StatusNames) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(WriteStatus::too_large); ++i) {
    names.insert(status_name(static_cast<WriteStatus>(i)));
  }
  EXPECT_EQ(names.size(), 12u);
}

// A scan that went on after the text of a BLOB key found the same row for ever: BLOBs sort behind
// all text.
TEST_F(SqliteTableTest, ABlobInAKeyEndsNoScan) {
  put("a");
  database().exec("INSERT INTO item VALUES(x'00', 'a', '{}'), ('p', x'00', '{}')", "test");
  put("b");
  Scan scan{.limit = 1};
  Keys keys;
  for (int pages = 0; pages < 10; ++pages) {
    const QueryResult page = table().scan(scan);
    for (const Row& row : page.rows) keys.push_back(row.key.sk);
    if (!page.last) break;
    scan.exclusive_start = page.last;
  }
  EXPECT_EQ(keys, (Keys{"a", "b"}));
}

}  // namespace
}  // namespace table
