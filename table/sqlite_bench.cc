// How fast the table and the blocks are beside raw statements, prepared once, on the same rows of
// the same connection: the limit of what the engine can do.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "table/item_sql.h"
#include "table/sqlite_store.h"

namespace table {
namespace {

constexpr std::string_view kPk = "DRIVE#home";
constexpr std::int64_t kRows = 5000;
constexpr std::int64_t kRowsInFolder = 100;
constexpr std::int64_t kRowsInTransaction = 10'000;
constexpr std::uint64_t kContent = 2;
constexpr std::uint64_t kContentBytes = 64 << 20;

// What a file of prefixfs is.
constexpr std::string_view kAttrs =
    R"({"kind":"file","id":12345,"mode":420,"owner":"root","group":"root","sizeBytes":512,)"
    R"("mtime":1736931600.123456789,"ctime":1736931600.123456789,"atime":1736931600.123456789,)"
    R"("btime":1736931600.123456789})";

Item item_of_a_file() {
  const Number time = *Number::parse("1736931600.123456789");
  return {{"kind", "file"},  {"id", Number(12345)}, {"mode", Number(420)},
          {"owner", "root"}, {"group", "root"},     {"sizeBytes", Number(512)},
          {"mtime", time},   {"ctime", time},       {"atime", time},
          {"btime", time}};
}

std::string prefix_of(std::string_view tree, std::int64_t folder) {
  return "PATH#/" + std::string(tree) + "/folder" + std::to_string(folder) + "/";
}
std::string sk_of(std::string_view tree, std::int64_t row) {
  return prefix_of(tree, row / kRowsInFolder) + "file" + std::to_string(row % kRowsInFolder);
}

class Bench {
 public:
  Bench() {
    const char* base = std::getenv("TMPDIR");
    folder_ = std::string(base ? base : "/tmp") + "/prefixfs-bench-XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("mkdtemp " + folder_);
    store = Store::open(folder_ + "/t.db", {.mode = OpenMode::create, .background = false});
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    store.reset();
    std::filesystem::remove_all(folder_);
  }

  Database& database() { return static_cast<SqliteStore&>(*store).database(); }
  Statement prepare(std::string_view sql) { return database().prepare(sql, "benchmark"); }
  void begin() { database().exec("BEGIN IMMEDIATE", "benchmark"); }
  void commit() { database().exec("COMMIT", "benchmark"); }

  // Raw, so that it is quick.
  void fill(std::int64_t rows) {
    Statement put = prepare(sql::kPut);
    begin();
    for (std::int64_t i = 0; i < rows; ++i) {
      execute(put, kPk, std::string_view(sk_of("tree", i)), kAttrs);
    }
    commit();
  }
  void fill_blocks() {
    const std::vector<std::byte> bytes(kContentBytes, std::byte{'x'});
    store->blocks().write(kContent, 0, bytes);
    store->commit();
  }

  std::unique_ptr<Store> store;

 private:
  std::string folder_;
};

// ---- One item ----

void get_raw(benchmark::State& state) {
  Bench bench;
  bench.fill(kRows);
  Statement get = bench.prepare(sql::kGet);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const std::string sk = sk_of("tree", static_cast<std::int64_t>(random() % kRows));
    Statement::Run run(get, kPk, std::string_view(sk));
    run.step();
    benchmark::DoNotOptimize(std::string(run.text(0)));
  }
}
BENCHMARK(get_raw)->Name("get/raw");

void get_table(benchmark::State& state) {
  Bench bench;
  bench.fill(kRows);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const std::string sk = sk_of("tree", static_cast<std::int64_t>(random() % kRows));
    benchmark::DoNotOptimize(bench.store->table().get({std::string(kPk), sk}));
  }
}
BENCHMARK(get_table)->Name("get/table");

// ---- The items of a folder ----

void list_raw(benchmark::State& state) {
  Bench bench;
  bench.fill(kRows);
  Statement range = bench.prepare(sql::kForward);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const auto folder = static_cast<std::int64_t>(random() % (kRows / kRowsInFolder));
    const std::string low = prefix_of("tree", folder);
    const std::string high = low.substr(0, low.size() - 1) + '0';
    Statement::Run run(range, kPk, std::string_view(low), std::string_view(high));
    std::vector<std::string> rows;
    while (run.step()) rows.push_back(std::string(run.text(0)).append(run.text(1)));
    benchmark::DoNotOptimize(rows);
  }
}
BENCHMARK(list_raw)->Name("list/raw");

void list_table(benchmark::State& state) {
  Bench bench;
  bench.fill(kRows);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const auto folder = static_cast<std::int64_t>(random() % (kRows / kRowsInFolder));
    benchmark::DoNotOptimize(bench.store->table().list(
        {.pk = std::string(kPk), .prefix = prefix_of("tree", folder), .limit = kRowsInFolder + 1}));
  }
}
BENCHMARK(list_table)->Name("list/table");

// ---- New items ----

void put_raw(benchmark::State& state) {
  Bench bench;
  Statement put = bench.prepare(sql::kPut);
  std::int64_t i = 0;
  bench.begin();
  for (auto _ : state) {
    execute(put, kPk, std::string_view(sk_of("tree", i)), kAttrs);
    if (++i % kRowsInTransaction == 0) {
      bench.commit();
      bench.begin();
    }
  }
  bench.commit();
}
BENCHMARK(put_raw)->Name("put/raw");

void put_table(benchmark::State& state) {
  Bench bench;
  const Item item = item_of_a_file();
  std::int64_t i = 0;
  for (auto _ : state) {
    const Write put = Put{{std::string(kPk), sk_of("tree", i)}, item};
    benchmark::DoNotOptimize(bench.store->table().write(put));
    if (++i % kRowsInTransaction == 0) bench.store->commit();
  }
}
BENCHMARK(put_table)->Name("put/table");

// The rows that a new file in a folder touches: the folder's read and written again, the file's
// found absent and written.
void create_raw(benchmark::State& state) {
  Bench bench;
  Statement get = bench.prepare(sql::kGet);
  Statement put = bench.prepare(sql::kPut);
  std::int64_t i = 0;
  bench.begin();
  for (auto _ : state) {
    const std::string sk = sk_of("tree", i);
    const std::string_view parent = std::string_view(sk).substr(0, sk.rfind('/'));
    {
      Statement::Run run(get, kPk, parent);
      if (run.step()) benchmark::DoNotOptimize(std::string(run.text(0)));
    }
    {
      Statement::Run run(get, kPk, std::string_view(sk));
      if (run.step()) state.SkipWithError("the row is there");
    }
    execute(put, kPk, std::string_view(sk), kAttrs);
    execute(put, kPk, parent, kAttrs);
    if (++i % kRowsInTransaction == 0) {
      bench.commit();
      bench.begin();
    }
  }
  bench.commit();
}
BENCHMARK(create_raw)->Name("create/raw");

// ---- A folder's name ----

void ranges(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t rows : {1'000, 10'000, 100'000, 1'000'000}) benchmark->Arg(rows);
  benchmark->Unit(benchmark::kMicrosecond)->Iterations(2);
}

void move_raw(benchmark::State& state) {
  Bench bench;
  bench.fill(state.range(0));
  Statement copy = bench.prepare(
      "INSERT INTO item(pk, sk, attrs) SELECT pk, ?4 || substr(sk, ?5), attrs FROM item "
      "WHERE pk = ?1 AND sk >= ?2 AND sk < ?3");
  Statement erase = bench.prepare(sql::kErase);
  std::string from = "PATH#/tree", to = "PATH#/path";
  for (auto _ : state) {
    const std::string low = from + '/', high = from + '0';
    bench.begin();
    execute(copy, kPk, std::string_view(low), std::string_view(high), std::string_view(to),
            static_cast<std::int64_t>(from.size() + 1));
    execute(erase, kPk, std::string_view(low), std::string_view(high));
    bench.commit();
    std::swap(from, to);
  }
}
BENCHMARK(move_raw)->Name("move/raw")->Apply(ranges);

void move_table(benchmark::State& state) {
  Bench bench;
  bench.fill(state.range(0));
  std::string from = "PATH#/tree/", to = "PATH#/path/";
  for (auto _ : state) {
    const Action move = MoveRange{.pk = std::string(kPk), .from = from, .to = to};
    if (!bench.store->table().apply({&move, 1}).ok()) state.SkipWithError("not moved");
    bench.store->commit();
    std::swap(from, to);
  }
}
BENCHMARK(move_table)->Name("move/table")->Apply(ranges);

// ---- Content ----

constexpr std::int64_t kPage = 4096, kRequest = 1 << 20;

std::uint64_t place(std::mt19937_64& random, std::uint64_t bytes) {
  return random() % (kContentBytes / bytes) * bytes;
}

template <class Piece>
void by_blocks(std::uint64_t offset, std::uint64_t size, Piece piece) {
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t at = offset + done;
    const std::uint64_t length = std::min(size - done, kBlockBytes - at % kBlockBytes);
    piece(static_cast<std::int64_t>(kContent << kBlockIndexBits | at / kBlockBytes),
          at % kBlockBytes, done, length);
    done += length;
  }
}

void block_read_raw(benchmark::State& state) {
  Bench bench;
  bench.fill_blocks();
  const auto size = static_cast<std::uint64_t>(state.range(0));
  std::vector<std::byte> out(size);
  std::mt19937_64 random(1);
  Blob blob(bench.database(), "block", "data");
  bench.begin();
  for (auto _ : state) {
    by_blocks(place(random, size), size, [&](std::int64_t id, auto begin, auto at, auto length) {
      blob.seek(id, Blob::Mode::read);
      blob.read(begin, std::span(out).subspan(at, length));
    });
  }
  blob.close();
  bench.commit();
}
BENCHMARK(block_read_raw)->Name("block_read/raw")->Arg(kPage)->Arg(kRequest);

void block_read_table(benchmark::State& state) {
  Bench bench;
  bench.fill_blocks();
  const auto size = static_cast<std::uint64_t>(state.range(0));
  std::vector<std::byte> out(size);
  std::mt19937_64 random(1);
  for (auto _ : state) bench.store->blocks().read(kContent, place(random, size), out);
}
BENCHMARK(block_read_table)->Name("block_read/table")->Arg(kPage)->Arg(kRequest);

// Overwriting is committed each so many bytes, as the store does by itself.
constexpr std::uint64_t kBytesInTransaction = 16 << 20;

void block_write_raw(benchmark::State& state) {
  Bench bench;
  bench.fill_blocks();
  const auto size = static_cast<std::uint64_t>(state.range(0));
  const std::vector<std::byte> data(size, std::byte{'y'});
  std::mt19937_64 random(1);
  Statement put = bench.prepare("INSERT OR REPLACE INTO block(id, data) VALUES(?1, ?2)");
  Blob blob(bench.database(), "block", "data");
  std::uint64_t dirty = 0;
  bench.begin();
  for (auto _ : state) {
    by_blocks(place(random, size), size, [&](std::int64_t id, auto begin, auto at, auto length) {
      const auto part = std::span(data).subspan(at, length);
      if (length == kBlockBytes) {
        execute(put, id, part);
      } else {
        blob.seek(id, Blob::Mode::write);
        blob.write(begin, part);
      }
    });
    blob.close();
    if ((dirty += size) < kBytesInTransaction) continue;
    dirty = 0;
    bench.commit();
    bench.begin();
  }
  bench.commit();
}
BENCHMARK(block_write_raw)->Name("block_write/raw")->Arg(kPage)->Arg(kRequest);

void block_write_table(benchmark::State& state) {
  Bench bench;
  bench.fill_blocks();
  const auto size = static_cast<std::uint64_t>(state.range(0));
  const std::vector<std::byte> data(size, std::byte{'y'});
  std::mt19937_64 random(1);
  std::uint64_t dirty = 0;
  for (auto _ : state) {
    bench.store->blocks().write(kContent, place(random, size), data);
    if ((dirty += size) < kBytesInTransaction) continue;
    dirty = 0;
    bench.store->commit();
  }
}
BENCHMARK(block_write_table)->Name("block_write/table")->Arg(kPage)->Arg(kRequest);

}  // namespace
}  // namespace table
