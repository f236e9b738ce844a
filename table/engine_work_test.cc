#include "table/engine_work.h"

#include "table/store_fixture.h"

namespace table {
namespace {

class EngineWorkTest : public StoreFixture {
 protected:
  EngineWorkTest() { open(); }
};

TEST_F(EngineWorkTest, AReadSaysWhichRowsAndBytesWentOut) {
  put("a", {{"v", "12345"}});
  put("b", {{"v", "12345"}});
  const EngineWork get = table().get({"p", "a"}).work;
  EXPECT_EQ(get.rows_read, 1u);
  EXPECT_EQ(get.rows_written, 0u);
  EXPECT_EQ(get.bytes_read, 13u);  // {"v":"12345"}
  EXPECT_GE(get.pages, 1u);
  EXPECT_GT(get.seconds, 0);
  const EngineWork query = table().query({.pk = "p"}).work;
  EXPECT_EQ(query.rows_read, 2u);
  EXPECT_EQ(query.bytes_read, 28u);  // the sort keys come along
  EXPECT_EQ(table().get({"p", "x"}).work.rows_read, 0u);
}

// A filter saves a client bytes, the engine nothing.
TEST_F(EngineWorkTest, AFilterReadsWhatItDrops) {
  put("a");
  put("b");
  const QueryResult page = table().query({.pk = "p", .filter = item_absent()});
  EXPECT_TRUE(page.rows.empty());
  EXPECT_EQ(page.work.rows_read, 2u);
}

TEST_F(EngineWorkTest, AWriteSaysWhichRowsChanged) {
  const EngineWork put = table().write(Put{{"p", "a"}, {{"v", "12345"}}}).work;
  EXPECT_EQ(put.rows_written, 1u);
  EXPECT_GT(put.bytes_written, 5u);
  for (const char* sk : {"/a/1", "/a/2", "/a/3"}) this->put(sk);
  const std::vector<Action> move{MoveRange{"p", "/a/", "/b/"}};
  const EngineWork moved = table().apply(move).work;
  EXPECT_EQ(moved.rows_written, 6u);  // three put, three deleted
  EXPECT_GE(moved.rows_read, 3u);
}

TEST_F(EngineWorkTest, WrittenPagesComeWithTheCommit) {
  const EngineWork put = table().write(Put{{"p", "a"}, {}}).work;
  EXPECT_EQ(put.pages_to_log, 0u);
  const CommitWork before = store->commit_work();
  store->commit();
  CommitWork since = store->commit_work();
  since.work -= before.work;
  EXPECT_EQ(since.commits, before.commits + 1);
  EXPECT_GE(since.work.pages_to_log, 1u);
}

TEST(EngineWork, AddsAndSubtractsEveryField) {
  const EngineWork one{1, 2, 3, 4, 5, 6, 7, 8};
  EngineWork sum = one;
  sum += one;
  EXPECT_EQ(sum.rows_read, 2u);
  EXPECT_EQ(sum.rows_written, 4u);
  EXPECT_EQ(sum.bytes_read, 6u);
  EXPECT_EQ(sum.bytes_written, 8u);
  EXPECT_EQ(sum.pages, 10u);
  EXPECT_EQ(sum.pages_from_file, 12u);
  EXPECT_EQ(sum.pages_to_log, 14u);
  EXPECT_EQ(sum.seconds, 16);
  sum -= one;
  EXPECT_EQ(sum.rows_read, 1u);
  EXPECT_EQ(sum.rows_written, 2u);
  EXPECT_EQ(sum.bytes_read, 3u);
  EXPECT_EQ(sum.bytes_written, 4u);
  EXPECT_EQ(sum.pages, 5u);
  EXPECT_EQ(sum.pages_from_file, 6u);
  EXPECT_EQ(sum.pages_to_log, 7u);
  EXPECT_EQ(sum.seconds, 8);
}

}  // namespace
}  // namespace table
