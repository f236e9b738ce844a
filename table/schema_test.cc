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

TEST_F(SchemaTest, NodeViewWalksTreesOfEveryLayout) {
  put("DRIVES", "DRIVE#ids", {{"layout", "node"}});
  put("DRIVE#ids", "NODE#1", {{"kind", "folder"}, {"id", 1}});
  put("DRIVE#ids#DIR#1", "NAME#docs", {{"id", 2}});
  put("DRIVE#ids", "NODE#2", {{"kind", "folder"}, {"id", 2}});
  put("DRIVE#ids#DIR#2", "NAME#a.txt", {{"id", 3}});
  put("DRIVE#ids", "NODE#3", {{"kind", "file"}, {"id", 3}, {"sizeBytes", 12}});
  put("DRIVE#ids#DIR#1", "NAME#gone", {{"id", 9}});
  put("DRIVES", "DRIVE#near", {{"layout", "adjacency"}});
  put("DRIVE#near", "PATH#/", {{"kind", "folder"}, {"id", 1}});
  put("DRIVE#near#DIR#1", "NAME#docs", {{"kind", "folder"}, {"id", 4}});
  put("DRIVE#near#DIR#4", "NAME#a.txt", {{"kind", "file"}, {"id", 5}, {"sizeBytes", 7}});
  put("DRIVE#near#DIR#77", "NAME#lost", {{"kind", "file"}, {"id", 6}});
  put("DRIVES", "DRIVE#paths", {{"layout", "path"}});
  put("DRIVE#paths", "PATH#/", {{"kind", "folder"}, {"id", 1}});
  EXPECT_EQ(rows("SELECT drive || ' ' || path || ' ' || ifnull(kind, 'nothing') || ' ' || "
                 "ifnull(sizeBytes, 0) FROM node ORDER BY drive, path"),
            (Rows{"ids / folder 0", "ids /docs folder 0", "ids /docs/a.txt file 12",
                  "ids /gone nothing 0", "near / folder 0", "near /docs folder 0",
                  "near /docs/a.txt file 7", "paths / folder 0"}));
}

TEST_F(SchemaTest, NodeViewShowsWhatNamesShareUnderEachOfThem) {
  put("DRIVES", "DRIVE#near", {{"layout", "adjacency"}});
  put("DRIVE#near", "PATH#/", {{"kind", "folder"}, {"id", 1}});
  put("DRIVE#paths", "PATH#/a", {{"kind", "file"}, {"id", 7}, {"shared", true}});
  put("DRIVE#paths", "PATH#/b", {{"kind", "file"}, {"id", 7}, {"shared", true}});
  put("DRIVE#near#DIR#1", "NAME#a", {{"kind", "file"}, {"id", 7}, {"shared", true}});
  put("DRIVE#near#DIR#1", "NAME#b", {{"kind", "file"}, {"id", 7}, {"shared", true}});
  for (const char* pk : {"DRIVE#near", "DRIVE#paths"}) {
    put(pk, "NODE#7", {{"kind", "file"}, {"id", 7}, {"sizeBytes", 12}, {"links", 2}});
    // Somebody's own attribute of that name.
    put(pk, "NODE#8", {{"kind", "file"}, {"id", 8}, {"sizeBytes", 99}});
  }
  put("DRIVE#paths", "PATH#/c", {{"kind", "file"}, {"id", 8}, {"shared", true}, {"sizeBytes", 1}});
  EXPECT_EQ(rows("SELECT drive || ' ' || path || ' ' || ifnull(sizeBytes, 0) || ' ' || links "
                 "FROM node ORDER BY drive, path"),
            (Rows{"near / 0 2", "near /a 12 2", "near /b 12 2", "paths /a 12 2", "paths /b 12 2",
                  "paths /c 1 1"}));
  EXPECT_EQ(rows("SELECT sum(sizeBytes) FROM (SELECT DISTINCT id, sizeBytes FROM node WHERE "
                 "drive = 'paths')"),
            Rows{"13"});
}

TEST_F(SchemaTest, NodeViewEndsWhereAFolderIsItsOwnAncestor) {
  put("DRIVES", "DRIVE#d", {{"layout", "adjacency"}});
  put("DRIVE#d", "PATH#/", {{"kind", "folder"}, {"id", 1}});
  put("DRIVE#d#DIR#1", "NAME#a", {{"kind", "folder"}, {"id", 2}});
  put("DRIVE#d#DIR#2", "NAME#b", {{"kind", "folder"}, {"id", 1}});
  put("DRIVE#d#DIR#2", "NAME#c", {{"kind", "folder"}, {"id", 2}});
  EXPECT_EQ(rows("SELECT path FROM node ORDER BY path"), (Rows{"/", "/a", "/a/b", "/a/c"}));
}

TEST_F(SchemaTest, NodeViewSurvivesDrivesThatAreNotJson) {
  put("DRIVE#d", "PATH#/", {{"kind", "folder"}});
  database().exec("INSERT INTO item VALUES('DRIVES', 'DRIVE#d', '{nonsense')", "test");
  EXPECT_EQ(rows("SELECT path FROM node"), Rows{"/"});
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
  put("ENV#empty", "ENV", {});
  put("ENV#prod", "ENV", {});
  put("ENV#strange", "OTHER", {});
  EXPECT_EQ(rows("SELECT env || ' ' || flags FROM env"), (Rows{"dev 1", "empty 0", "prod 2"}));
}

TEST_F(SchemaTest, AttributesAreReadableJson) {
  put("p", "s", {{"n", 12}, {"s", "x"}});
  EXPECT_EQ(rows("SELECT attrs FROM item"), (Rows{R"({"n":12,"s":"x"})"}));
}

TEST_F(SchemaTest, ViewsAndStatementsReadRangesOfTheKey) {
  EXPECT_EQ(plan("SELECT * FROM flag"), Rows{"SEARCH item USING PRIMARY KEY (pk>? AND pk<?)"});
  for (const std::string& step : plan("SELECT * FROM node")) {
    EXPECT_FALSE(step.starts_with("SCAN") && step.find("item") != std::string::npos) << step;
    if (!step.starts_with("SEARCH")) continue;
    EXPECT_NE(step.find("PRIMARY KEY (pk"), std::string::npos) << step;
  }
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

TEST_F(SchemaTest, AFileOfTheFirstVersionGetsTheViewsOfThis) {
  put("ENV#empty", "ENV", {});
  store->commit();
  database().exec(
      "DROP VIEW env; CREATE VIEW env AS SELECT 'old' AS env, 0 AS flags; PRAGMA user_version=1",
      "test");
  store.reset();
  store = Store::open(file(), {.mode = OpenMode::read_only, .background = false});
  store.reset();
  EXPECT_EQ(Database(file(), Access::read_only).integer("PRAGMA user_version"), 1)
      << "reading changes nothing";
  open();
  EXPECT_EQ(database().integer("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(rows("SELECT env FROM env"), Rows{"empty"});
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
