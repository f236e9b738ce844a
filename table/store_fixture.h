// A table file in a folder of its own, for tests.

#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/sqlite_store.h"
#include "table/store.h"

namespace table {

class TempFolder {
 public:
  TempFolder() {
    const char* base = std::getenv("TMPDIR");
    path_ = std::string(base == nullptr ? "/tmp" : base) + "/prefixfs-table-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp " + path_);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename());
    }
    return names;
  }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class StoreFixture : public testing::Test {
 protected:
  ~StoreFixture() override { store.reset(); }

  std::string file() const { return folder.path() + "/t.db"; }

  static StoreOptions options(OpenMode mode = OpenMode::create) {
    return {.mode = mode, .background = false};
  }
  void open(const StoreOptions& with = options()) {
    store.reset();
    store = Store::open(file(), with);
  }

  Table& table() { return store->table(); }
  BlockStore& blocks() { return store->blocks(); }
  // For what a test does to the engine behind the store's back.
  Database& database() { return static_cast<SqliteStore&>(*store).database(); }

  void put(const std::string& pk, const std::string& sk, const Item& item) {
    ASSERT_TRUE(table().write(Put{{pk, sk}, item}).ok());
  }
  void put(const std::string& sk, const Item& item = {{"kind", "file"}}) { put("p", sk, item); }

  // Everything that is stored, page by page.
  std::map<Key, Item> all() { return all(table()); }
  static std::map<Key, Item> all(Table& table) {
    std::map<Key, Item> found;
    Scan scan;
    do {
      QueryResult page = table.scan(scan);
      for (Row& row : page.rows) found.emplace(std::move(row.key), std::move(row.item));
      scan.exclusive_start = page.last;
    } while (scan.exclusive_start);
    return found;
  }

  static std::vector<std::string> sort_keys(const std::vector<Row>& rows) {
    std::vector<std::string> keys;
    for (const Row& row : rows) keys.push_back(row.key.sk);
    return keys;
  }

  TempFolder folder;
  std::unique_ptr<Store> store;
};

// Runs `body` in a child process and returns its exit status; -1 if a signal ended it.
// REQUIRES: no thread runs but this one.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace table
