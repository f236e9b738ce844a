#include "table/sqlite_store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <thread>

#include "table/schema.h"
#include "table/store_fixture.h"

namespace table {
namespace {

using namespace std::chrono_literals;
using Names = std::set<std::string>;

class SqliteStoreTest : public StoreFixture {
 protected:
  // What opening the file says; nullopt: it opens.
  std::optional<Fault> fault_of_opening(OpenMode mode, std::string* message = nullptr) {
    try {
      Store::open(file(), options(mode));
      return std::nullopt;
    } catch (const TableError& error) {
      if (message != nullptr) *message = error.what();
      return error.fault();
    }
  }
  void expect_refused_untouched(OpenMode mode, const std::string& why) {
    const std::string before = bytes_of(file());
    const Names names = folder.names();
    std::string message;
    EXPECT_EQ(fault_of_opening(mode, &message), Fault::refused);
    EXPECT_NE(message.find(why), std::string::npos) << message;
    EXPECT_NE(message.find(file()), std::string::npos) << message;
    EXPECT_EQ(bytes_of(file()), before);
    EXPECT_EQ(folder.names(), names);
  }
  void write_file(const std::string& bytes) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  // As other programs do: a connection with SQLite's defaults.
  void sql(const std::string& statements) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::int64_t rows_for_others() {
    Database other(file(), Access::read_write);
    return other.integer("SELECT count(*) FROM item");
  }
  void fill_disk() {
    const std::int64_t pages = database().integer("PRAGMA page_count");
    database().exec(("PRAGMA max_page_count=" + std::to_string(pages)).c_str(), "test");
  }
  void empty_disk() { database().exec("PRAGMA max_page_count=1073741823", "test"); }
};

// Waits for something that the background thread does in its own time.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

// ---- Opening ----

TEST_F(SqliteStoreTest, CreatesAFileForItsOwnerOnlyAndLeavesOneFile) {
  open();
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  put("a");
  ASSERT_EQ(stat((file() + "-wal").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  store.reset();
  EXPECT_EQ(folder.names(), Names{"t.db"});
  open(options(OpenMode::existing));
  EXPECT_EQ(all().size(), 1u);
}

TEST_F(SqliteStoreTest, AnEmptyFileBecomesATableWhereOneMayBeMade) {
  write_file("");
  expect_refused_untouched(OpenMode::existing, "empty");
  expect_refused_untouched(OpenMode::read_only, "empty");
  open();
  put("a");
}

TEST_F(SqliteStoreTest, RefusesAnAbsentFile) {
  for (const OpenMode mode : {OpenMode::existing, OpenMode::read_only}) {
    expect_refused_untouched(mode, "no such file");
  }
}

TEST_F(SqliteStoreTest, RefusesWhatIsNoTableFile) {
  for (const OpenMode mode : {OpenMode::create, OpenMode::existing, OpenMode::read_only}) {
    write_file("short");
    expect_refused_untouched(mode, "not a table file");
    write_file(std::string(10'000, 'x'));
    expect_refused_untouched(mode, "not a table file");
  }
}

TEST_F(SqliteStoreTest, RefusesAFileOfAnotherApplication) {
  sql("PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(1)");
  for (const OpenMode mode : {OpenMode::create, OpenMode::existing, OpenMode::read_only}) {
    expect_refused_untouched(mode, "not one of prefixfs");
  }
}

TEST_F(SqliteStoreTest, RefusesAFormatThatIsNewer) {
  open();
  store.reset();
  sql("PRAGMA user_version=99");
  for (const OpenMode mode : {OpenMode::create, OpenMode::existing, OpenMode::read_only}) {
    expect_refused_untouched(mode, "format 99");
  }
}

TEST_F(SqliteStoreTest, RefusesAFolderAndADevice) {
  for (const char* path : {"/", "/dev/null"}) {
    try {
      Store::open(path, options(OpenMode::create));
      FAIL() << path;
    } catch (const TableError& error) {
      EXPECT_EQ(error.fault(), Fault::refused);
    }
  }
}

TEST_F(SqliteStoreTest, RefusesAFolderThatIsMissing) {
  try {
    Store::open(folder.path() + "/missing/t.db", options());
    FAIL();
  } catch (const TableError& error) {
    EXPECT_EQ(error.fault(), Fault::refused);
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST_F(SqliteStoreTest, ACutOffFileIsDamaged) {
  open();
  for (int i = 0; i < 1000; ++i) put("k" + std::to_string(i));
  store.reset();
  const std::string bytes = bytes_of(file());
  write_file(bytes.substr(0, 4096));
  EXPECT_EQ(fault_of_opening(OpenMode::existing), Fault::damaged);
  write_file(bytes.substr(0, 100) + std::string(bytes.size() - 100, '\xff'));
  EXPECT_EQ(fault_of_opening(OpenMode::existing), Fault::damaged);
}

TEST_F(SqliteStoreTest, NamesThatSqliteWouldReadAsSomethingElse) {
  const auto previous = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory", "a%20b.db"}) {
    store = Store::open(name, options());
    put("a");
    store.reset();
    EXPECT_TRUE(folder.names().contains(name));
    store = Store::open(name, options(OpenMode::read_only));
    EXPECT_EQ(all().size(), 1u);
    store.reset();
  }
  std::filesystem::current_path(previous);
}

// ---- Reading only ----

TEST_F(SqliteStoreTest, ReadingChangesNothing) {
  open();
  put("a");
  store.reset();
  const std::string before = bytes_of(file());
  open(options(OpenMode::read_only));
  EXPECT_EQ(all().size(), 1u);
  try {
    put("b");
    FAIL();
  } catch (const TableError& error) {
    EXPECT_EQ(error.fault(), Fault::readonly);
  }
  EXPECT_NO_THROW(store->sync());
  store.reset();
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_EQ(folder.names(), Names{"t.db"});
}

TEST_F(SqliteStoreTest, AReaderSeesWhatAnotherStoreHasCommitted) {
  open();
  put("a");
  store->commit();
  const auto reader = Store::open(file(), options(OpenMode::read_only));
  EXPECT_EQ(all(reader->table()).size(), 1u);
  put("b");
  EXPECT_EQ(all(reader->table()).size(), 1u);
  store->commit();
  EXPECT_EQ(all(reader->table()).size(), 2u);
}

TEST_F(SqliteStoreTest, AFileInAFolderThatCannotBeWrittenCanBeRead) {
  open();
  put("a");
  store->blocks().write(1, 0, std::vector<std::byte>(10, std::byte{7}));
  store.reset();
  const std::string before = bytes_of(file());
  std::filesystem::permissions(file(), std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(in_child([this] {
              // The superuser may write anywhere.
              if (geteuid() == 0 && setuid(65534) != 0) return 1;
              const auto reader = Store::open(file(), options(OpenMode::read_only));
              std::vector<std::byte> data(10);
              reader->blocks().read(1, 0, data);
              if (data[9] != std::byte{7}) return 2;
              return all(reader->table()).size() == 1 ? 0 : 3;
            }),
            0);
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_EQ(folder.names(), Names{"t.db"});
}

TEST_F(SqliteStoreTest, AFileThatMayNotBeWrittenIsNotOpenedForWriting) {
  open();
  store.reset();
  std::filesystem::permissions(file(), std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  EXPECT_EQ(in_child([this] {
              if (geteuid() == 0 && setuid(65534) != 0) return 1;
              return fault_of_opening(OpenMode::existing) == Fault::readonly ? 0 : 2;
            }),
            0);
}

// ---- Steps ----

TEST_F(SqliteStoreTest, AStepIsKeptOrTakenBackAsAWhole) {
  open();
  for (const bool pending : {false, true}) {
    store->commit();
    if (pending) put("pending");
    const auto before = all();
    {
      Store::Step step(*store);
      put("a");
      put("b");
      EXPECT_EQ(all().size(), before.size() + 2);
    }
    EXPECT_EQ(all(), before);
  }
  {
    Store::Step step(*store);
    put("a");
    put("b");
    step.done();
  }
  EXPECT_EQ(all().size(), 3u);
}

TEST_F(SqliteStoreTest, StepsNest) {
  open();
  for (const bool pending : {false, true}) {
    if (pending) put("pending");
    Store::Step outer(*store);
    put("outer");
    {
      Store::Step inner(*store);
      put("inner");
      {
        Store::Step innermost(*store);
        put("innermost");
        innermost.done();
      }
    }
    EXPECT_FALSE(table().get({"p", "inner"}).item);
    EXPECT_FALSE(table().get({"p", "innermost"}).item);
    {
      Store::Step inner(*store);
      put("second");
      inner.done();
    }
    EXPECT_TRUE(table().get({"p", "outer"}).item);
    EXPECT_TRUE(table().get({"p", "second"}).item);
    if (pending) outer.done();
  }
  EXPECT_EQ(sort_keys(table().query({.pk = "p"}).rows),
            (std::vector<std::string>{"outer", "pending", "second"}));
}

TEST_F(SqliteStoreTest, AStepThatOnlyReadsBeginsNothing) {
  open();
  {
    Store::Step step(*store);
    (void)table().get({"p", "a"});
    step.done();
  }
  EXPECT_FALSE(database().in_transaction());
}

TEST_F(SqliteStoreTest, ARangeWithinAStepIsTakenBackWithIt) {
  open();
  for (const char* sk : {"/a/1", "/a/2"}) put(sk);
  const auto before = all();
  {
    Store::Step step(*store);
    const Batch move{MoveRange{"p", "/a/", "/b/"}};
    EXPECT_EQ(table().apply(move).moved, 2u);
    put("/c");
  }
  EXPECT_EQ(all(), before);
  {
    Store::Step step(*store);
    put("/c");  // the transaction can no longer be begun anew
    const Batch move{MoveRange{"p", "/a/", "/b/"}};
    EXPECT_EQ(table().apply(move).moved, 2u);
  }
  EXPECT_EQ(all(), before);
}

// ---- Commits ----

TEST_F(SqliteStoreTest, OthersSeeAWriteOnceItIsCommitted) {
  open();
  put("a");
  EXPECT_EQ(rows_for_others(), 0);
  store->commit();
  EXPECT_EQ(rows_for_others(), 1);
  put("b");
  store->sync();
  EXPECT_EQ(rows_for_others(), 2);
  put("c");
  store.reset();
  EXPECT_EQ(rows_for_others(), 3);
}

TEST_F(SqliteStoreTest, TheBackgroundThreadCommitsWhenItIsQuiet) {
  open({.mode = OpenMode::create, .commit_interval = 1h});
  put("a");
  EXPECT_TRUE(eventually([this] { return rows_for_others() == 1; }));
}

TEST_F(SqliteStoreTest, TheBackgroundThreadCommitsAtTheIntervalUnderConstantWrites) {
  open({.mode = OpenMode::create, .commit_interval = 30ms});
  int n = 0;
  EXPECT_TRUE(eventually([&] {
    const auto end = std::chrono::steady_clock::now() + 10ms;
    while (std::chrono::steady_clock::now() < end) put("k" + std::to_string(n++));
    return rows_for_others() > 0;
  }));
}

TEST_F(SqliteStoreTest, SyncEachCommitsEveryOperation) {
  open({.mode = OpenMode::create, .sync_each = true, .background = false});
  put("a");
  EXPECT_EQ(rows_for_others(), 1);
  {
    Store::Step step(*store);
    put("b");
    put("c");
    EXPECT_EQ(rows_for_others(), 1);
    step.done();
  }
  EXPECT_EQ(rows_for_others(), 3);
}

TEST_F(SqliteStoreTest, MuchIsCommittedAtOnce) {
  open();
  const std::vector<std::byte> piece(8 * 1024 * 1024, std::byte{1});
  put("a");
  for (std::uint64_t i = 0; i < 8; ++i) blocks().write(1, i * piece.size(), piece);
  EXPECT_EQ(rows_for_others(), 1);
}

TEST_F(SqliteStoreTest, BeforeCommitWritesIntoTheSameTransaction) {
  open();
  int calls = 0;
  store->before_commit([&] {
    ++calls;
    put("parked" + std::to_string(calls));
    const Batch move{Put{{"p", "moved"}, {}}, MoveRange{"p", "/a/", "/b/"}};
    EXPECT_TRUE(table().apply(move).ok());
  });
  store->commit();
  EXPECT_EQ(calls, 0);  // nothing was written
  put("/a/1");
  store->commit();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(database().in_transaction());
  EXPECT_EQ(rows_for_others(), 3);
  put("b");
  store->sync();
  EXPECT_EQ(calls, 2);
  put("c");
  store->before_commit(nullptr);
  store->commit();
  EXPECT_EQ(calls, 2);
}

TEST_F(SqliteStoreTest, BeforeCommitIsAskedOnceWhenAMoveCommitsWhatWasPending) {
  open();
  for (const char* sk : {"/a/1", "/a/2"}) put(sk);
  int calls = 0;
  store->before_commit([&] {
    ++calls;
    put("parked");
  });
  const Batch move{MoveRange{"p", "/a/", "/b/"}};
  {
    Store::Step step(*store);
    EXPECT_EQ(table().apply(move).moved, 2u);
  }  // taken back: what was parked for the commit before it stays
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(sort_keys(table().query({.pk = "p"}).rows),
            (std::vector<std::string>{"/a/1", "/a/2", "parked"}));
}

TEST_F(SqliteStoreTest, ManyThreadsWriteAndSync) {
  open({.mode = OpenMode::create, .commit_interval = 5ms});
  constexpr int kThreads = 4;
  constexpr int kEach = 100;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string sk = std::to_string(t) + "/" + std::to_string(i);
        if (i % 3 == 0) {
          Store::Step step(*store);
          (void)table().write(Put{{"p", sk}, {}});
          blocks().write(static_cast<std::uint64_t>(t), 0, std::vector<std::byte>(100));
          step.done();
        } else {
          (void)table().write(Put{{"p", sk}, {}});
        }
        (void)table().query({.pk = "p", .limit = 10});
        std::vector<std::byte> data(100);
        blocks().read(static_cast<std::uint64_t>(t), 0, data);
        if (i % 10 == 0) store->sync();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(all().size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_F(SqliteStoreTest, TheLogIsCheckpointedInTheBackgroundAndStartsOver) {
  open({.mode = OpenMode::create, .commit_interval = 10ms});
  const std::vector<std::byte> piece(4 * 1024 * 1024, std::byte{1});
  for (std::uint64_t i = 0; i < 5; ++i) blocks().write(1, i * piece.size(), piece);
  store->commit();
  struct stat status {};
  EXPECT_TRUE(eventually(
      [&] { return stat(file().c_str(), &status) == 0 && status.st_size > 20 * 1024 * 1024; }));
  // What is written from then on goes over what has been copied.
  const std::uint64_t log = store->stats().log_bytes;
  bool over = false;
  for (int i = 0; i < 100 && !over; ++i) {
    std::this_thread::sleep_for(100ms);
    put("x" + std::to_string(i));
    store->commit();
    over = store->stats().log_bytes <= log;
  }
  EXPECT_TRUE(over);
}

TEST_F(SqliteStoreTest, TheLogStaysBoundedWithoutABackgroundThread) {
  open();
  const std::vector<std::byte> piece(8 * 1024 * 1024, std::byte{1});
  for (std::uint64_t i = 0; i < 50; ++i) {
    blocks().write(1, i % 4 * piece.size(), piece);
    store->commit();
  }
  EXPECT_LT(store->stats().log_bytes, 300u * 1024 * 1024);
}

// ---- Losses ----

TEST_F(SqliteStoreTest, AFailureThatTakesAcknowledgedWorkIsToldByTheNextSync) {
  open();
  put("kept");
  store->sync();
  put("lost");
  database().exec(
      "CREATE TEMP TRIGGER failure BEFORE INSERT ON item WHEN NEW.sk = 'bad' BEGIN "
      "SELECT RAISE(ROLLBACK, 'injected'); END",
      "test");
  EXPECT_THROW(put("bad"), TableError);
  EXPECT_FALSE(table().get({"p", "lost"}).item);
  put("later");
  EXPECT_THROW(store->sync(), TableError);
  EXPECT_NO_THROW(store->sync());
  EXPECT_EQ(sort_keys(table().query({.pk = "p"}).rows),
            (std::vector<std::string>{"kept", "later"}));
}

TEST_F(SqliteStoreTest, AFailureThatTakesNothingAcknowledgedIsNotToldAgain) {
  open();
  put("kept");
  store->commit();
  database().exec(
      "CREATE TEMP TRIGGER failure BEFORE INSERT ON item WHEN NEW.sk = 'bad' BEGIN "
      "SELECT RAISE(ROLLBACK, 'injected'); END",
      "test");
  EXPECT_THROW(put("bad"), TableError);
  EXPECT_NO_THROW(store->sync());
}

TEST_F(SqliteStoreTest, AStepWhoseTransactionIsGoneCannotBeKept) {
  open();
  put("before");
  database().exec(
      "CREATE TEMP TRIGGER failure BEFORE INSERT ON item WHEN NEW.sk = 'bad' BEGIN "
      "SELECT RAISE(ROLLBACK, 'injected'); END",
      "test");
  Store::Step step(*store);
  put("half");
  EXPECT_THROW(put("bad"), TableError);
  EXPECT_THROW(put("other half"), TableError);
  EXPECT_THROW(step.done(), TableError);
  EXPECT_TRUE(all().empty());
  EXPECT_THROW(store->sync(), TableError);
}

TEST_F(SqliteStoreTest, AFullFileIsAFaultOfItsOwn) {
  open();
  put("a");
  store->commit();
  fill_disk();
  try {
    put("b", {{"v", std::string(100'000, 'x')}});
    FAIL();
  } catch (const TableError& error) {
    EXPECT_EQ(error.fault(), Fault::full);
    EXPECT_NE(std::string(error.what()).find(file()), std::string::npos);
  }
  empty_disk();
  put("b", {{"v", std::string(100'000, 'x')}});
  EXPECT_EQ(all().size(), 2u);
}

TEST_F(SqliteStoreTest, ALimitOnTheSizeOfFilesIsFullnessToo) {
  EXPECT_EQ(in_child([this] {
              open();
              signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{2 * 1024 * 1024, 2 * 1024 * 1024};
              setrlimit(RLIMIT_FSIZE, &limit);
              put("kept");
              store->sync();
              try {
                const std::vector<std::byte> data(4 * 1024 * 1024, std::byte{1});
                blocks().write(1, 0, data);
                store->sync();
                return 1;
              } catch (const TableError& error) {
                if (error.fault() != Fault::full) return 2;
              }
              return all().size() == 1 ? 0 : 3;
            }),
            0);
  open();
  EXPECT_EQ(all().size(), 1u);
}

// ---- Death ----

TEST_F(SqliteStoreTest, AKilledProcessLosesNothingThatWasSynced) {
  EXPECT_EQ(in_child([this] {
              open({.mode = OpenMode::create, .commit_interval = 1h, .background = false});
              put("synced");
              blocks().write(1, 0, std::vector<std::byte>(100'000, std::byte{7}));
              store->sync();
              put("pending");
              kill(getpid(), SIGKILL);
              return 0;
            }),
            -1);
  open();
  EXPECT_EQ(sort_keys(table().query({.pk = "p"}).rows), std::vector<std::string>{"synced"});
  std::vector<std::byte> data(100'000);
  blocks().read(1, 0, data);
  EXPECT_EQ(data, std::vector<std::byte>(100'000, std::byte{7}));
}

TEST_F(SqliteStoreTest, AKilledProcessLeavesAStateThatExisted) {
  for (int round = 0; round < 8; ++round) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      open({.mode = OpenMode::create, .commit_interval = 3ms});
      std::int64_t n = static_cast<std::int64_t>(all().size()) / 2;
      for (bool told = false;; ++n) {
        // Both or neither, and none before the one before it.
        const std::string number = std::to_string(1'000'000 + n);
        const Batch batch{Put{{"p", "a" + number}, {}}, Put{{"p", "b" + number}, {}}};
        (void)table().apply(batch);
        if (n % 50 == 0) store->sync();
        if (!told) told = ::write(ready[1], "x", 1) == 1;
      }
    }
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * round + 5));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
  }
  open();
  const auto a = table().count({.pk = "p", .prefix = "a"}).items;
  const auto b = table().count({.pk = "p", .prefix = "b"}).items;
  EXPECT_EQ(a, b);
  EXPECT_GT(a, 0u);
  if (a > 0) {
    EXPECT_TRUE(table().get({"p", "a" + std::to_string(1'000'000 + a - 1)}).item);
  }
  EXPECT_EQ(database().integer("SELECT count(*) FROM pragma_integrity_check WHERE "
                               "integrity_check <> 'ok'"),
            0);
}

// ---- Others ----

TEST_F(SqliteStoreTest, TwoWritersTakeTurns) {
  open();
  put("a");  // the transaction is open
  const auto other =
      Store::open(file(), {.mode = OpenMode::existing, .busy_timeout = 30ms, .background = false});
  try {
    (void)other->table().write(Put{{"p", "b"}, {}});
    FAIL();
  } catch (const TableError& error) {
    EXPECT_EQ(error.fault(), Fault::busy);
  }
  store->commit();
  EXPECT_TRUE(other->table().write(Put{{"p", "b"}, {}}).ok());
  other->commit();
  put("c");
  EXPECT_EQ(all().size(), 3u);
}

TEST_F(SqliteStoreTest, AWriterWaitsForAnotherOneToCommit) {
  open({.mode = OpenMode::create, .commit_interval = 100ms});
  put("a");
  const auto other =
      Store::open(file(), {.mode = OpenMode::existing, .busy_timeout = 60s, .background = false});
  EXPECT_TRUE(other->table().write(Put{{"p", "b"}, {}}).ok());
}

TEST_F(SqliteStoreTest, AChangeByAnotherConnectionIsReported) {
  open({.mode = OpenMode::create});
  std::atomic<int> calls = 0;
  store->on_foreign_change([&] {
    ++calls;
    (void)table().get({"p", "a"});  // the mutex is free
  });
  put("own");
  store->sync();
  sql("INSERT INTO item VALUES('p', 'theirs', '{}')");
  EXPECT_TRUE(eventually([&] { return calls == 1; }));
  EXPECT_TRUE(table().get({"p", "theirs"}).item);
  // Own work, own commits and own checkpoints are not reported.
  const std::vector<std::byte> piece(4 * 1024 * 1024, std::byte{1});
  for (std::uint64_t i = 0; i < 4; ++i) {
    blocks().write(1, i * piece.size(), piece);
    store->commit();
  }
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(calls, 1);
}

TEST_F(SqliteStoreTest, AChangeIsReportedThoughThisStoreKeepsWriting) {
  open({.mode = OpenMode::create, .commit_interval = 5ms});
  std::atomic<int> calls = 0;
  store->on_foreign_change([&] { ++calls; });
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int n = 0; !stop; ++n) {
      (void)table().write(Put{{"p", "k" + std::to_string(n % 100)}, {}});
      if (n % 20 == 0) store->commit();
    }
  });
  const auto other =
      Store::open(file(), {.mode = OpenMode::existing, .busy_timeout = 60s, .background = false});
  (void)other->table().write(Put{{"p", "theirs"}, {}});
  other->commit();
  EXPECT_TRUE(eventually([&] { return calls > 0; }));
  stop = true;
  writer.join();
}

TEST_F(SqliteStoreTest, ADriveIsLockedUntilTheStoreCloses) {
  open();
  EXPECT_TRUE(store->lock_drive("home"));
  EXPECT_TRUE(store->lock_drive("home"));  // its own already
  {
    const auto second = Store::open(file(), options(OpenMode::existing));
    EXPECT_FALSE(second->lock_drive("home"));
    EXPECT_TRUE(second->lock_drive("work"));
  }
  EXPECT_TRUE(store->lock_drive("work"));
  const auto in_another_process = [this] {
    const auto other = Store::open(file(), options(OpenMode::existing));
    return other->lock_drive("home") ? 1 : 0;
  };
  EXPECT_EQ(in_child(in_another_process), 0);
  put("a");
  store->sync();
  EXPECT_EQ(in_child(in_another_process), 0);
  store.reset();
  EXPECT_EQ(in_child(in_another_process), 1);
}

TEST_F(SqliteStoreTest, AKilledProcessHoldsNoLock) {
  EXPECT_EQ(in_child([this] {
              open();
              if (!store->lock_drive("home")) return 1;
              kill(getpid(), SIGKILL);
              return 0;
            }),
            -1);
  open();
  EXPECT_TRUE(store->lock_drive("home"));
}

// ---- Size ----

TEST_F(SqliteStoreTest, StatsCount) {
  open();
  put("a");
  put("b");
  blocks().write(1, 0, std::vector<std::byte>(3 * kBlockBytes));
  store->commit();
  const StoreStats stats = store->stats();
  EXPECT_EQ(stats.items, 2u);
  EXPECT_EQ(stats.blocks, 3u);
  EXPECT_EQ(stats.schema_version, kSchemaVersion);
  EXPECT_EQ(stats.page_bytes, kPageBytes);
  EXPECT_GT(stats.log_bytes, 3 * kBlockBytes);
  EXPECT_GT(stats.file_bytes, 0u);
}

TEST_F(SqliteStoreTest, SpaceIsUsedAgain) {
  open();
  const std::vector<std::byte> data(8 * 1024 * 1024, std::byte{1});
  for (std::uint64_t content = 1; content <= 5; ++content) {
    blocks().write(content, 0, data);
    EXPECT_EQ(blocks().drop(content, ~std::uint64_t{0}), data.size() / kBlockBytes);
    store->commit();
  }
  EXPECT_LT(database().integer("PRAGMA page_count") * kPageBytes, 10 * 1024 * 1024);
}

TEST_F(SqliteStoreTest, AFileThatLostMuchShrinksWhenItIsClosed) {
  open();
  const std::vector<std::byte> data(40 * 1024 * 1024, std::byte{1});
  blocks().write(1, 0, data);
  store.reset();
  const auto before = std::filesystem::file_size(file());
  open();
  blocks().drop(1, ~std::uint64_t{0});
  store.reset();
  EXPECT_LT(std::filesystem::file_size(file()), before / 8);
  open();
  EXPECT_EQ(database().integer("SELECT count(*) FROM pragma_integrity_check WHERE "
                               "integrity_check <> 'ok'"),
            0);
}

TEST_F(SqliteStoreTest, AFileThatLostMuchShrinksWhileItIsOpen) {
  open({.mode = OpenMode::create});
  const std::vector<std::byte> data(40 * 1024 * 1024, std::byte{1});
  blocks().write(1, 0, data);
  blocks().write(2, 0, std::span(data).first(100'000));
  store->commit();
  blocks().drop(1, ~std::uint64_t{0});
  EXPECT_TRUE(eventually([&] { return std::filesystem::file_size(file()) < 20 * 1024 * 1024; }));
  std::vector<std::byte> kept(100'000);
  blocks().read(2, 0, kept);
  EXPECT_EQ(kept, std::vector<std::byte>(100'000, std::byte{1}));
}

}  // namespace
}  // namespace table
