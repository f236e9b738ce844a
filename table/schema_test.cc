#include "table/schema.h"

#include <sqlite3.h>

#include "table/store_fixture.h"

namespace table {
namespace {

using Rows = std::vector<std::string>;

class SchemaTest : public StoreFixture {
 protected:
  SchemaTest() { open(); }

  // As an SQL shell sees it: another connection, with SQLite's defaults.
  Rows rows(const std::string& sql, int column = 0) {
    store->commit();
    Database shell(file(), Access::read_write);
    Statement statement = shell.prepare(sql, "read for a test");
    Statement::Run run(statement);
    Rows found;
    while (run.step()) found.emplace_back(run.text(column));
    return found;
  }
  Rows plan(const std::string& sql) { return rows("EXPLAIN QUERY PLAN " + sql, 3); }
};

TEST_F(SchemaTest, HeaderSaysWhatTheFileIs) {
  EXPECT_EQ(database().integer("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(database().integer("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(database().integer("PRAGMA page_size"), kPageBytes);
  EXPECT_EQ(database().integer("PRAGMA auto_vacuum"), 2);
  EXPECT_EQ(rows("PRAGMA encoding"), Rows{"UTF-8"});
  EXPECT_EQ(rows("PRAGMA journal_mode"), Rows{"wal"});
  EXPECT_EQ(rows("PRAGMA integrity_check"), Rows{"ok"});
}

TEST_F(SchemaTest, NodeViewShowsPathsAndAttributes) {
  put("DRIVE#home", "PATH#/", {{"kind", "folder"}});
  put("DRIVE#home", "PATH#/a b.txt",
      {{"kind", "file"}, {"sizeBytes", 12}, {"owner", "ana"}, {"group", "staff"}, {"mode", 420}});
  put("DRIVE#home", "NODE#7", {{"kind", "file"}});
  put("DRIVF#", "PATH#/x", {{"kind", "file"}});
  put("ENV#prod", "FLAG#k", {{"value", "1"}});
  EXPECT_EQ(rows("SELECT drive || ' ' || path || ' ' || kind FROM node"),
            (Rows{"home / folder", "home /a b.txt file"}));
  EXPECT_EQ(rows("SELECT owner || ' ' || \"group\" || ' ' || sizeBytes || ' ' || mode FROM node "
                 "WHERE path = '/a b.txt'"),
            (Rows{"ana staff 12 420"}));
}

TEST_F(SchemaTest, NodeViewSurvivesNamesThatAreNotUtf8AndAttributesThatAreNotJson) {
  put("DRIVE#home", "PATH#/\xff\xfe", {{"kind", "file"}});
  database().exec("INSERT INTO item VALUES('DRIVE#home', 'PATH#/broken', '{nonsense')", "test");
  EXPECT_EQ(rows("SELECT path FROM node"), (Rows{"/broken", "/\xff\xfe"}));
  EXPECT_EQ(rows("SELECT count(*) FROM node WHERE kind IS NULL"), (Rows{"1"}));
}

TEST_F(SchemaTest, FlagAndEnvViews) {
  put("ENV#prod", "FLAG#dark-mode", {{"value", "true"}, {"type", "bool"}, {"updatedBy", "ana"}});
  put("ENV#prod", "FLAG#limit", {{"value", "3"}, {"type", "int"}, {"updatedBy", "bo"}});
  put("ENV#dev", "FLAG#limit", {{"value", "4"}, {"type", "int"}, {"updatedBy", "bo"}});
  EXPECT_EQ(rows("SELECT env || ' ' || key || ' ' || value || ' ' || type || ' ' || updatedBy "
                 "FROM flag"),
            (Rows{"dev limit 4 int bo", "prod dark-mode true bool ana", "prod limit 3 int bo"}));
  EXPECT_EQ(rows("SELECT env || ' ' || flags FROM env"), (Rows{"dev 1", "prod 2"}));
}

TEST_F(SchemaTest, AttributesAreReadableJson) {
  put("p", "s", {{"n", 12}, {"s", "x"}});
  EXPECT_EQ(rows("SELECT attrs FROM item"), (Rows{R"({"n":12,"s":"x"})"}));
}

TEST_F(SchemaTest, ViewsAndStatementsReadRangesOfTheKey) {
  EXPECT_EQ(plan("SELECT * FROM node"), Rows{"SEARCH item USING PRIMARY KEY (pk>? AND pk<?)"});
  EXPECT_EQ(plan("SELECT sk, attrs FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk"),
            Rows{"SEARCH item USING PRIMARY KEY (pk=? AND sk>? AND sk<?)"});
  EXPECT_EQ(plan("SELECT pk, sk, attrs FROM item WHERE (pk, sk) >= (?1, ?2) ORDER BY pk, sk"),
            Rows{"SEARCH item USING PRIMARY KEY ((pk,sk)>(?,?))"});
}

TEST_F(SchemaTest, MakingTheTablesTwiceKeepsThem) {
  put("p", "s", {{"a", 1}});
  store->commit();
  create_schema(database());
  EXPECT_EQ(all().size(), 1u);
}

TEST_F(SchemaTest, MissingTableIsDamage) {
  database().exec("DROP TABLE block", "test");
  EXPECT_THROW(check_schema(database()), TableError);
}

TEST_F(SchemaTest, InspectingLeavesNoTrace) {
  store.reset();
  const std::string before = bytes_of(file());
  EXPECT_EQ(inspect(file()), FileState::ours);
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_EQ(folder.names(), std::set<std::string>{"t.db"});
}

}  // namespace
}  // namespace table
