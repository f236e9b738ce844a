#include "table/ledger.h"

#include <thread>
#include <vector>

#include "table/metered_table.h"
#include "table/store_fixture.h"

namespace table {
namespace {

TEST(Ledger, AddsUpByOperation) {
  Ledger ledger;
  ledger.book("lookup", {.requests = 1, .gets = 1, .read_units = 0.5}, 0.25);
  ledger.book("lookup", {.requests = 2, .gets = 2, .read_units = 1}, 0.25);
  ledger.book("rename", {.requests = 1, .puts = 3, .deletes = 3, .write_units = 6}, 1);
  const auto accounts = ledger.accounts();
  ASSERT_EQ(accounts.size(), 2u);
  EXPECT_EQ(accounts.at("lookup").calls, 2u);
  EXPECT_EQ(accounts.at("lookup").seconds, 0.5);
  EXPECT_EQ(accounts.at("lookup").charge, (Charge{.requests = 3, .gets = 3, .read_units = 1.5}));
  const Account total = ledger.total();
  EXPECT_EQ(total.calls, 3u);
  EXPECT_EQ(total.seconds, 1.5);
  EXPECT_EQ(
      total.charge,
      (Charge{
          .requests = 4, .gets = 3, .puts = 3, .deletes = 3, .read_units = 1.5, .write_units = 6}));
  ledger.reset();
  EXPECT_TRUE(ledger.accounts().empty());
  EXPECT_EQ(ledger.total().calls, 0u);
}

TEST(Ledger, TakesBookingsFromManyThreads) {
  Ledger ledger;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&ledger] {
      for (int n = 0; n < 1000; ++n) ledger.book("write", {.requests = 1}, 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ledger.total().calls, 4000u);
  EXPECT_EQ(ledger.total().charge.requests, 4000u);
}

using MeteredTableTest = StoreFixture;

TEST_F(MeteredTableTest, BooksEveryVerbWhenItGoesOutOfScope) {
  open();
  Ledger ledger;
  Charge charge;
  {
    MeteredTable t(table(), ledger, "all");
    const auto add = [&charge](const auto& result) { charge += result.charge; };
    const std::vector<Key> keys{{"p", "a"}, {"p", "b"}};
    const std::vector<Write> writes{Put{{"p", "b"}, {}}};
    const std::vector<Action> actions{Put{{"p", "c"}, {}}};
    add(t.write(Put{{"p", "a"}, {{"x", 1}}}));
    add(t.batch_write(writes));
    add(t.transact(actions));
    add(t.apply(actions));
    add(t.get({"p", "a"}, Consistency::strong));
    add(t.batch_get(keys, Consistency::eventual));
    add(t.query({.pk = "p"}));
    add(t.scan({}));
    add(t.list({.pk = "p", .prefix = "/"}));
    add(t.count({.pk = "p", .prefix = ""}));
    EXPECT_EQ(t.charge(), charge);
    EXPECT_EQ(charge.requests, 10u);
    EXPECT_TRUE(ledger.accounts().empty());
  }
  EXPECT_EQ(ledger.accounts().at("all").charge, charge);
  EXPECT_EQ(ledger.accounts().at("all").calls, 1u);
  EXPECT_GT(ledger.accounts().at("all").seconds, 0);
}

TEST_F(MeteredTableTest, BooksMissesAndFailures) {
  open();
  Ledger ledger;
  {
    MeteredTable t(table(), ledger, "miss");
    EXPECT_FALSE(t.get({"p", "a"}, Consistency::eventual).item);
    EXPECT_FALSE(t.write(Put{{"p", "a"}, {}, item_exists()}).ok());
  }
  EXPECT_EQ(ledger.total().charge,
            (Charge{.requests = 2, .gets = 1, .puts = 1, .read_units = 0.5, .write_units = 1}));
}

}  // namespace
}  // namespace table
