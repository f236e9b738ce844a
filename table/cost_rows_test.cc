// COST.md, row by row, on a real table: what each request is billed.

#include <fmt/format.h>

#include <functional>

#include "table/store_fixture.h"

namespace table {
namespace {

class CostRowsTest : public StoreFixture {
 protected:
  CostRowsTest() { open(); }

  // An item that is billed `bytes` in all under the partition "p".
  static Item sized(const std::string& sk, std::size_t bytes) {
    return {{"v", std::string(bytes - sk.size() - 6, 'x')}};
  }
  void stored(const std::string& sk, std::size_t bytes) { put(sk, sized(sk, bytes)); }
  // Partition "q": `items` of 100 bytes each.
  void many(int items) {
    for (int i = 0; i < items; ++i) {
      put("q", fmt::format("{:06}", i), {{"v", std::string(88, 'x')}});
    }
  }
};

TEST_F(CostRowsTest, EveryRow) {
  stored("a", 100);
  stored("b", 4097);
  stored("c", 2049);
  many(1000);
  Table& t = table();
  const Condition never = item_exists();
  using enum Consistency;
  const struct {
    const char* row;
    std::function<Charge()> run;
    double read, write;
  } rows[] = {
      {"GetItem, strongly consistent",
       [&] {
         return t.get({"p", "b"}, strong).charge;
       },
       2, 0},
      {"GetItem of a missing item, strong",
       [&] {
         return t.get({"p", "x"}, strong).charge;
       },
       1, 0},
      {"GetItem, eventually consistent",
       [&] {
         return t.get({"p", "b"}).charge;
       },
       1, 0},
      {"GetItem of a missing item",
       [&] {
         return t.get({"p", "x"}).charge;
       },
       0.5, 0},
      {"TransactGet",
       [&] {
         return t.get({"p", "b"}, transactional).charge;
       },
       4, 0},
      {"BatchGetItem: 0.5 + 1 + 0.5",
       [&] {
         const std::vector<Key> keys{{"p", "a"}, {"p", "b"}, {"p", "x"}};
         return t.batch_get(keys).charge;
       },
       2, 0},
      {"Query of 1,000 items of 100 bytes", [&] { return t.query({.pk = "q"}).charge; }, 12.5, 0},
      {"the same, strongly consistent",
       [&] { return t.query({.pk = "q", .consistency = strong}).charge; }, 25, 0},
      {"the same, of which a filter lets nothing through",
       [&] { return t.query({.pk = "q", .filter = item_absent()}).charge; }, 12.5, 0},
      {"the same, with Limit 10", [&] { return t.query({.pk = "q", .limit = 10}).charge; }, 0.5, 0},
      {"a COUNT of the same", [&] { return t.count({.pk = "q", .prefix = ""}).charge; }, 12.5, 0},
      {"a Query that finds nothing", [&] { return t.query({.pk = "none"}).charge; }, 0.5, 0},
      {"a Query that finds nothing, strong",
       [&] { return t.query({.pk = "none", .consistency = strong}).charge; }, 1, 0},
      {"Scan: 106,246 bytes", [&] { return t.scan({}).charge; }, 13, 0},
      {"PutItem, new",
       [&] {
         return t.write(Put{{"p", "d"}, sized("d", 1025)}).charge;
       },
       0, 2},
      {"PutItem over a smaller one",
       [&] {
         return t.write(Put{{"p", "d"}, sized("d", 3000)}).charge;
       },
       0, 3},
      {"PutItem over a larger one",
       [&] {
         return t.write(Put{{"p", "d"}, sized("d", 100)}).charge;
       },
       0, 3},
      {"UpdateItem that makes it larger",
       [&] {
         return t.write(Update{.key = {"p", "d"}, .set = {{"w", std::string(2000, 'x')}}}).charge;
       },
       0, 3},
      {"UpdateItem that makes it smaller",
       [&] {
         return t.write(Update{.key = {"p", "d"}, .remove = {"w"}}).charge;
       },
       0, 3},
      {"DeleteItem",
       [&] {
         return t.write(Delete{{"p", "c"}}).charge;
       },
       0, 3},
      {"DeleteItem of a missing item",
       [&] {
         return t.write(Delete{{"p", "c"}}).charge;
       },
       0, 1},
      {"BatchWriteItem: 2 + 1",
       [&] {
         const std::vector<Write> w{Put{{"p", "e"}, sized("e", 1025)}, Delete{{"p", "missing"}}};
         return t.batch_write(w).charge;
       },
       0, 3},
      {"TransactWriteItems: 2 x (1 + 5 + 2), a check charged on the stored item",
       [&] {
         const std::vector<Action> w{Put{{"p", "f"}, sized("f", 100)}, Check{{"p", "b"}, never},
                                     Delete{{"p", "e"}}};
         return t.transact(w).charge;
       },
       0, 16},
      {"a failed condition, the stored item the larger",
       [&] {
         return t.write(Put{{"p", "b"}, sized("b", 100), item_absent()}).charge;
       },
       0, 5},
      {"a failed condition, the offered item the larger",
       [&] {
         return t.write(Put{{"p", "x"}, sized("x", 3000), item_exists()}).charge;
       },
       0, 3},
      {"a failed condition on nothing",
       [&] {
         return t.write(Delete{{"p", "x"}, item_exists()}).charge;
       },
       0, 1},
      {"one move: a put and a delete",
       [&] {
         const std::vector<Action> w{Put{{"p", "g"}, sized("g", 100)}, Delete{{"p", "f"}}};
         return t.apply(w).charge;
       },
       0, 2},
      {"one move in a transaction",
       [&] {
         const std::vector<Action> w{Put{{"p", "f"}, sized("f", 100)}, Delete{{"p", "g"}}};
         return t.transact(w).charge;
       },
       0, 4},
  };
  for (const auto& row : rows) {
    const Charge charge = row.run();
    EXPECT_EQ(charge.read_units, row.read) << row.row;
    EXPECT_EQ(charge.write_units, row.write) << row.row;
  }
}

// 10,485 items of 100 bytes are what a page of 1 MB holds.
TEST_F(CostRowsTest, EachPageIsRoundedByItself) {
  many(20'971);
  std::vector<double> units;
  for (std::string last; units.empty() || !last.empty();) {
    const QueryResult page = table().query({.pk = "q", .sk = SkCompare{Compare::gt, last}});
    units.push_back(page.charge.read_units);
    last = page.last ? page.last->sk : "";
  }
  EXPECT_EQ(units, (std::vector<double>{128, 128, 0.5}));
}

}  // namespace
}  // namespace table
