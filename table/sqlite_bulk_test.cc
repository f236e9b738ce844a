#include <sqlite3.h>

#include <algorithm>
#include <random>

#include "table/sqlite_table.h"
#include "table/store_fixture.h"

namespace table {
namespace {

using Model = std::map<std::string, Item>;

class SqliteBulkTest : public StoreFixture {
 protected:
  SqliteBulkTest() { open(); }

  Model stored() {
    Model found;
    for (auto& [key, item] : all()) {
      if (key.pk == "p") found.emplace(key.sk, item);
    }
    return found;
  }
  WriteResult apply(Action action) {
    const Batch batch{std::move(action)};
    return table().apply(batch);
  }
  void fill(const Model& model) {
    Batch batch;
    for (const auto& [sk, item] : model) batch.push_back(Put{{"p", sk}, item});
    ASSERT_TRUE(table().apply(batch).ok());
  }
};

Item numbered(int n, std::size_t bytes = 10) { return {{"n", n}, {"v", std::string(bytes, 'x')}}; }

Model below_of(const Model& model, const std::string& prefix) {
  Model found;
  for (const auto& [sk, item] : model) {
    if (sk.starts_with(prefix)) found.emplace(sk, item);
  }
  return found;
}

std::size_t bytes_of_row(const std::string& sk, const Item& item) {
  return billed_bytes("p", sk, item);
}

// What a Query over `rows` consumes.
Charge query_charge(const Model& rows) {
  PageMeter meter(Consistency::eventual);
  for (const auto& [sk, item] : rows) meter.evaluated(bytes_of_row(sk, item));
  Charge charge;
  meter.finish(charge);
  return charge;
}

// ---- The model: what each range action does, in the plainest way ----

Charge move(Model& model, const std::string& from, const std::string& to) {
  const Model rows = below_of(model, from);
  Charge charge = query_charge(rows);
  for (const auto& [sk, item] : rows) {
    const std::string moved = to + sk.substr(from.size());
    model.erase(sk);
    model[moved] = item;
    ++charge.puts;
    ++charge.deletes;
    charge.write_units +=
        write_units(bytes_of_row(sk, item)) + write_units(bytes_of_row(moved, item));
  }
  return charge;
}

Charge swap(Model& model, const std::string& a, const std::string& b) {
  const Model rows_a = below_of(model, a);
  const Model rows_b = below_of(model, b);
  Charge charge = query_charge(rows_a);
  charge += query_charge(rows_b);
  for (const auto& [sk, item] : rows_a) model.erase(sk);
  for (const auto& [sk, item] : rows_b) model.erase(sk);
  const auto carry = [&](const Model& rows, const Model& others, const std::string& from,
                         const std::string& to) {
    for (const auto& [sk, item] : rows) {
      const std::string moved = to + sk.substr(from.size());
      model[moved] = item;
      ++charge.puts;
      const auto other = others.find(moved);
      if (other == others.end()) {
        ++charge.deletes;
        charge.write_units +=
            write_units(bytes_of_row(moved, item)) + write_units(bytes_of_row(sk, item));
      } else {
        charge.write_units +=
            write_units(std::max(bytes_of_row(moved, item), bytes_of_row(moved, other->second)));
      }
    }
  };
  carry(rows_a, rows_b, a, b);
  carry(rows_b, rows_a, b, a);
  return charge;
}

Charge erase(Model& model, const std::string& prefix) {
  const Model rows = below_of(model, prefix);
  Charge charge = query_charge(rows);
  for (const auto& [sk, item] : rows) {
    model.erase(sk);
    ++charge.deletes;
    charge.write_units += write_units(bytes_of_row(sk, item));
  }
  return charge;
}

Charge as_request(Charge charge) {
  charge.requests = batch_requests(charge);
  return charge;
}

// ---- Single cases ----

TEST_F(SqliteBulkTest, MoveLeavesTheNeighboursAlone) {
  const Model model{{"/docs", numbered(0)},           {"/docs-archive", numbered(1)},
                    {"/docs-archive/x", numbered(2)}, {"/docs.txt", numbered(3)},
                    {"/docs/a", numbered(4)},         {"/docs/b/c", numbered(5)},
                    {"/docs0", numbered(6)}};
  fill(model);
  put("q", "/docs/a", numbered(7));
  Model expected = model;
  const Charge charge = move(expected, "/docs/", "/papers/");
  const WriteResult result = apply(MoveRange{"p", "/docs/", "/papers/"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(stored(), expected);
  EXPECT_EQ(result.moved, 2u);
  EXPECT_EQ(result.moved_bytes,
            bytes_of_row("/docs/a", numbered(4)) + bytes_of_row("/docs/b/c", numbered(5)));
  EXPECT_EQ(result.charge, as_request(charge));
  EXPECT_TRUE(table().get({"q", "/docs/a"}).item);
}

TEST_F(SqliteBulkTest, MoveTellsHowFarItIs) {
  Model model;
  for (int i = 0; i < 2500; ++i) model.emplace("/a/" + std::to_string(i), numbered(i));
  fill(model);
  std::vector<std::uint64_t> told;
  MoveRange move{"p", "/a/", "/b/", [&](std::uint64_t items) { told.push_back(items); }};
  ASSERT_TRUE(apply(std::move(move)).ok());
  EXPECT_EQ(told, (std::vector<std::uint64_t>{1000, 2000, 2500}));
}

TEST_F(SqliteBulkTest, MovingNothingCostsTheQuery) {
  const WriteResult result = apply(MoveRange{"p", "/a/", "/b/"});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.moved, 0u);
  EXPECT_EQ(result.charge, (Charge{.requests = 1, .queries = 1, .pages = 1, .read_units = 0.5}));
}

TEST_F(SqliteBulkTest, ARenameIsOneBatch) {
  fill({{"/docs", numbered(0)}, {"/docs/a", numbered(1)}, {"/docs/b", numbered(2)}});
  const Batch rename{Delete{{"p", "/docs"}, item_exists()},
                     Put{{"p", "/new"}, numbered(0), item_absent()},
                     MoveRange{"p", "/docs/", "/new/"}};
  const WriteResult result = table().apply(rename);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(stored(),
            (Model{{"/new", numbered(0)}, {"/new/a", numbered(1)}, {"/new/b", numbered(2)}}));
  EXPECT_EQ(result.charge, (Charge{.requests = 2,
                                   .queries = 1,
                                   .pages = 1,
                                   .items_read = 2,
                                   .puts = 3,
                                   .deletes = 3,
                                   .read_units = 0.5,
                                   .write_units = 6}));
  EXPECT_FALSE(table().apply(rename).ok());
}

TEST_F(SqliteBulkTest, MoveChargesEachKeyByItsOwnSize) {
  // 1,000 bytes under the short key, over 1,024 under the long one.
  const std::string longer = "/" + std::string(60, 'l') + "/";
  fill({{"/s/x", numbered(0, 985)}});
  Model model = stored();
  const WriteResult result = apply(MoveRange{"p", "/s/", longer});
  EXPECT_EQ(result.charge, as_request(move(model, "/s/", longer)));
  EXPECT_EQ(result.charge.write_units, 1 + 2);
}

TEST_F(SqliteBulkTest, MoveThatMakesAnItemTooLargeIsRefused) {
  fill({{"/a/1", numbered(0)}, {"/a/2", numbered(0, kMaxItemBytes - 20)}});
  const Model before = stored();
  const WriteResult result = apply(MoveRange{"p", "/a/", "/" + std::string(100, 'b') + "/"});
  EXPECT_EQ(result.status, WriteStatus::item_too_large);
  EXPECT_EQ(result.moved, 0u);
  EXPECT_EQ(result.charge, (Charge{.requests = 1}));
  EXPECT_EQ(stored(), before);
}

TEST_F(SqliteBulkTest, DamagedRowsMoveAlong) {
  database().exec("INSERT INTO item VALUES('p', '/a/x', '{broken')", "test");
  const WriteResult result = apply(MoveRange{"p", "/a/", "/b/"});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.moved, 1u);
  EXPECT_TRUE(table().get({"p", "/b/x"}).damaged);
}

TEST_F(SqliteBulkTest, SwapExchangesBothSides) {
  const Model model{{"/a/both", numbered(1, 3000)}, {"/a/only-a", numbered(2)},
                    {"/b/both", numbered(3)},       {"/b/only/b", numbered(4)},
                    {"/b-", numbered(5)},           {"/a0", numbered(6)}};
  fill(model);
  Model expected = model;
  const Charge charge = swap(expected, "/a/", "/b/");
  const WriteResult result = apply(SwapRange{"p", "/a/", "/b/"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(stored(), expected);
  EXPECT_EQ(result.charge, as_request(charge));
  EXPECT_EQ(result.charge.write_units, 3 + 3 + 2 + 2);
  EXPECT_EQ(result.moved, 4u);
}

TEST_F(SqliteBulkTest, SwapAcrossManyBatches) {
  std::mt19937 random(7);
  Model model;
  // Sides of different density, so that their batches end at different suffixes.
  for (int i = 0; i < 6000; ++i) {
    const std::string suffix = std::to_string(random() % 100'000);
    if (random() % 4 != 0) model["/a/" + suffix] = numbered(i);
    if (random() % 3 == 0) model["/bb/" + suffix] = numbered(-i);
  }
  for (int i = 0; i < 2500; ++i) model["/bb/z" + std::to_string(i)] = numbered(i);
  fill(model);
  const Charge charge = swap(model, "/a/", "/bb/");
  const WriteResult result = apply(SwapRange{"p", "/a/", "/bb/"});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(stored() == model);
  EXPECT_EQ(result.charge, as_request(charge));
}

TEST_F(SqliteBulkTest, SwapTwiceIsNothing) {
  Model model;
  for (int i = 0; i < 3000; ++i) model["/a/" + std::to_string(i * 7)] = numbered(i);
  for (int i = 0; i < 1000; ++i) model["/b/" + std::to_string(i * 3)] = numbered(i);
  fill(model);
  ASSERT_TRUE(apply(SwapRange{"p", "/a/", "/b/"}).ok());
  ASSERT_TRUE(apply(SwapRange{"p", "/a/", "/b/"}).ok());
  EXPECT_TRUE(stored() == model);
}

TEST_F(SqliteBulkTest, EraseTakesTheBranchOnly) {
  Model model{{"/a", numbered(0)}, {"/a-/x", numbered(1)}, {"/a0", numbered(2)}};
  for (int i = 0; i < 2500; ++i) model["/a/" + std::to_string(i)] = numbered(i, 600);
  fill(model);
  const Charge charge = erase(model, "/a/");
  const WriteResult result = apply(EraseRange{"p", "/a/"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(stored(), model);
  EXPECT_EQ(result.charge, as_request(charge));
  EXPECT_EQ(result.charge.pages, 2u);
}

// ---- Random actions against the model ----

class RandomBulkTest : public SqliteBulkTest, public testing::WithParamInterface<unsigned> {};

TEST_P(RandomBulkTest, EveryActionDoesWhatTheModelDoes) {
  std::mt19937 random(GetParam());
  const std::vector<std::string> names{"a", "a!",   "a-",       "a.b", "a0",
                                       "b", "\xff", "\xc3\xa9", "\x01"};
  const auto name = [&] { return names[random() % names.size()]; };
  const auto prefix = [&] {
    std::string path = "/" + name() + "/";
    while (random() % 2 == 0) path += name() + "/";
    return path;
  };
  const auto apart = [](const std::string& a, const std::string& b) {
    return !a.starts_with(b) && !b.starts_with(a);
  };
  Model model;
  int acted = 0;
  for (int i = 0; i < 1500; ++i) {
    const unsigned kind = random() % 20;
    if (kind < 14) {
      std::string sk = prefix() + name();
      const Item item = numbered(i, random() % 2000);
      put(sk, item);
      model[sk] = item;
      continue;
    }
    const std::string a = prefix();
    const std::string b = prefix();
    // Half of the time the store is made to begin a transaction of its own for it.
    if (random() % 2 == 0) store->commit();
    Model expected = model;
    Charge charge;
    WriteResult result;
    if (kind < 17 && apart(a, b) && below_of(model, b).empty()) {
      charge = move(expected, a, b);
      result = apply(MoveRange{"p", a, b});
    } else if (kind < 19 && apart(a, b)) {
      charge = swap(expected, a, b);
      result = apply(SwapRange{"p", a, b});
    } else if (kind == 19 && random() % 3 == 0) {
      charge = erase(expected, a);
      result = apply(EraseRange{"p", a});
    } else {
      continue;
    }
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result.charge, as_request(charge)) << a << " " << b;
    ASSERT_EQ(stored(), expected) << a << " " << b;
    model = std::move(expected);
    ++acted;
  }
  EXPECT_GT(acted, 100);
  store.reset();
  open();
  EXPECT_EQ(stored(), model);
  EXPECT_EQ(database().integer("SELECT count(*) FROM pragma_integrity_check WHERE "
                               "integrity_check <> 'ok'"),
            0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBulkTest, testing::Values(1, 2, 3, 4));

// ---- Failures on the way ----

// How the engine fails at one row: undoing the statement alone, or all of the transaction as it
// does when the disk is full.
class FailingBulkTest : public SqliteBulkTest, public testing::WithParamInterface<const char*> {
 protected:
  void fail_at(const std::string& event, const std::string& sk) {
    database().exec(("CREATE TEMP TRIGGER failure BEFORE " + event + " ON item WHEN " +
                     (event == "DELETE" ? "OLD" : "NEW") + ".sk = '" + sk +
                     "' BEGIN SELECT RAISE(" + GetParam() + ", 'injected'); END")
                        .c_str(),
                    "test");
  }
  void heal() { database().exec("DROP TRIGGER failure", "test"); }
};

TEST_P(FailingBulkTest, LeavesEverythingAsItWas) {
  Model model;
  for (int i = 0; i < 5000; ++i) model["/a/" + std::to_string(i)] = numbered(i);
  for (int i = 0; i < 3000; ++i) model["/c/" + std::to_string(i * 2)] = numbered(i);
  fill(model);
  const Action move = MoveRange{"p", "/a/", "/b/"};
  const Action swap = SwapRange{"p", "/a/", "/c/"};
  const Action erase = EraseRange{"p", "/a/"};
  for (const auto& [action, event, sk] :
       {std::tuple{move, "INSERT", "/b/10"}, std::tuple{move, "INSERT", "/b/999"},
        std::tuple{move, "DELETE", "/a/2500"}, std::tuple{swap, "INSERT", "/c/3001"},
        std::tuple{swap, "DELETE", "/a/4001"}, std::tuple{erase, "DELETE", "/a/998"}}) {
    for (const bool within_step : {false, true}) {
      // Answered with success before: it must not go with what fails.
      const std::string before = "/before" + std::to_string(model.size());
      put(before, numbered(1));
      model[before] = numbered(1);
      fail_at(event, sk);
      try {
        std::optional<Store::Step> step;
        if (within_step) step.emplace(*store);
        (void)apply(action);
        FAIL() << "nothing failed at " << sk;
      } catch (const TableError& error) {
        EXPECT_EQ(error.fault(), Fault::internal);
      }
      heal();
      EXPECT_TRUE(stored() == model) << sk;
      EXPECT_NO_THROW(store->sync());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Undoing, FailingBulkTest, testing::Values("ABORT", "ROLLBACK"));

TEST_F(SqliteBulkTest, ABatchIsUndoneWhenARangeInItFails) {
  Model model;
  for (int i = 0; i < 20'000; ++i) model["/a/" + std::to_string(i)] = numbered(i, 100);
  fill(model);
  store->commit();
  const std::int64_t pages = database().integer("PRAGMA page_count");
  database().exec(("PRAGMA max_page_count=" + std::to_string(pages + 20)).c_str(), "test");
  const Batch rename{Put{{"p", "/b"}, numbered(0)}, MoveRange{"p", "/a/", "/b/"}};
  try {
    (void)table().apply(rename);
    FAIL() << "the file was not full";
  } catch (const TableError& error) {
    EXPECT_EQ(error.fault(), Fault::full);
  }
  EXPECT_TRUE(stored() == model);
}

// ---- Size ----

TEST_F(SqliteBulkTest, MovingManyRowsTakesNoMoreMemoryThanTheCache) {
  constexpr int kRows = 200'000;
  constexpr int kBatch = 10'000;
  for (int i = 0; i < kRows; i += kBatch) {
    Batch batch;
    for (int n = i; n < i + kBatch; ++n) {
      batch.push_back(Put{{"p", "/a/" + std::to_string(n)}, numbered(n, 200)});
    }
    ASSERT_TRUE(table().apply(batch).ok());
  }
  store->commit();
  sqlite3_int64 used = 0;
  sqlite3_int64 most = 0;
  for (const bool in_transaction : {false, true}) {
    if (in_transaction) put("/x", {});
    sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &used, &most, /*resetFlag=*/1);
    Store::Step step(*store);
    const WriteResult result = apply(MoveRange{"p", "/a/", "/b/"});
    EXPECT_EQ(result.moved, static_cast<std::uint64_t>(kRows));
    const std::uint64_t back = apply(MoveRange{"p", "/b/", "/a/"}).moved;
    EXPECT_EQ(back, static_cast<std::uint64_t>(kRows));
    step.done();
    sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &used, &most, 0);
    EXPECT_LT(most, 48 * 1024 * 1024);
  }
  EXPECT_EQ(table().count({.pk = "p", .prefix = "/a/"}).items, static_cast<std::uint64_t>(kRows));
}

}  // namespace
}  // namespace table
