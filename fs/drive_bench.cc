// How fast a Drive is on each layout, without FUSE; table/sqlite_bench.cc has the same works in raw
// statements.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "fs/drive.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {
namespace {

constexpr std::int64_t kFiles = 5000;
constexpr std::int64_t kFilesInFolder = 100;
constexpr std::int64_t kFilesInTransaction = 10'000;

class RootAccounts final : public Accounts {
 public:
  std::string user_name(std::uint32_t) override { return "root"; }
  std::string group_name(std::uint32_t) override { return "root"; }
  std::uint32_t user_id(std::string_view) override { return 0; }
  std::uint32_t group_id(std::string_view) override { return 0; }
};

class Bench {
 public:
  explicit Bench(const std::string& layout) {
    const char* base = std::getenv("TMPDIR");
    folder_ = std::string(base ? base : "/tmp") + "/prefixfs-bench-XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("mkdtemp " + folder_);
    const std::string file = folder_ + "/t.db";
    store = table::Store::open(file, {.mode = table::OpenMode::create, .background = false});
    if (!make_drive(*store, {.name = "home", .layout = layout}, system_time())) {
      throw std::runtime_error("no drive of layout " + layout);
    }
    drive = std::make_unique<Drive>(*store, ledger_, accounts_, make_layout(layout, "home"), "home",
                                    file, system_time);
    tree = folder(root_ref(), "tree");
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    drive.reset();
    store.reset();
    std::filesystem::remove_all(folder_);
  }

  NodeRef folder(const NodeRef& in, const std::string& name) {
    const auto made = drive->create(in, name, {.kind = Kind::folder, .mode = 0755});
    if (!made) throw std::runtime_error("cannot make folder " + name);
    return {made->id, in.id, in.path.child(name)};
  }
  static std::string name_of(std::int64_t file) {
    return "file" + std::to_string(file % kFilesInFolder);
  }
  // The next file of the tree, in a folder that is made when it is due.
  void add() {
    const auto in = static_cast<std::size_t>(files_ / kFilesInFolder);
    if (in == folders.size()) folders.push_back(folder(tree, "folder" + std::to_string(in)));
    if (!drive->create(folders[in], name_of(files_), {.kind = Kind::file, .mode = 0644})) {
      throw std::runtime_error("cannot make a file");
    }
    if (++files_ % kFilesInTransaction == 0) store->commit();
  }
  void fill(std::int64_t files) {
    while (files_ < files) add();
    store->commit();
  }

  std::unique_ptr<table::Store> store;
  std::unique_ptr<Drive> drive;
  NodeRef tree;
  std::vector<NodeRef> folders;

 private:
  std::string folder_;
  table::Ledger ledger_;
  RootAccounts accounts_;
  std::int64_t files_ = 0;
};

void get(benchmark::State& state, const char* layout) {
  Bench bench(layout);
  bench.fill(kFiles);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const auto file = static_cast<std::int64_t>(random() % kFiles);
    const NodeRef& folder = bench.folders[static_cast<std::size_t>(file / kFilesInFolder)];
    benchmark::DoNotOptimize(bench.drive->lookup(folder, Bench::name_of(file)));
  }
}
BENCHMARK_CAPTURE(get, path, "path");
BENCHMARK_CAPTURE(get, node, "node");
BENCHMARK_CAPTURE(get, adjacency, "adjacency");

// From its second name on, so that no listing is taken for a step of a walk and answered from what
// was read ahead.
void list(benchmark::State& state, const char* layout) {
  Bench bench(layout);
  bench.fill(kFiles);
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const NodeRef& folder = bench.folders[random() % bench.folders.size()];
    benchmark::DoNotOptimize(bench.drive->readdir(folder, "file", kFilesInFolder + 1));
  }
}
BENCHMARK_CAPTURE(list, path, "path");
BENCHMARK_CAPTURE(list, node, "node");
BENCHMARK_CAPTURE(list, adjacency, "adjacency");

void create(benchmark::State& state, const char* layout) {
  Bench bench(layout);
  for (auto _ : state) bench.add();
}
BENCHMARK_CAPTURE(create, path, "path");
BENCHMARK_CAPTURE(create, node, "node");
BENCHMARK_CAPTURE(create, adjacency, "adjacency");

// There and back with each two; the commit belongs to it.
void move(benchmark::State& state, const char* layout) {
  Bench bench(layout);
  bench.fill(state.range(0));
  std::string from = "tree", to = "path";
  for (auto _ : state) {
    if (!bench.drive->rename(root_ref(), from, root_ref(), to, RenameMode::replace, nobody_holds)) {
      state.SkipWithError("not moved");
    }
    bench.store->commit();
    std::swap(from, to);
  }
}
void ranges(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t files : {1'000, 10'000, 100'000, 1'000'000}) benchmark->Arg(files);
  benchmark->Unit(benchmark::kMicrosecond)->Iterations(2);
}
BENCHMARK_CAPTURE(move, path, "path")->Apply(ranges);
BENCHMARK_CAPTURE(move, node, "node")->Apply(ranges);
BENCHMARK_CAPTURE(move, adjacency, "adjacency")->Apply(ranges);

}  // namespace
}  // namespace prefixfs
