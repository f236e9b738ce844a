// A drive of each layout on a table file of its own, for tests.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/drive.h"
#include "fs/keys.h"
#include "table/store.h"

namespace prefixfs {

// Names are numbers as text, so that no user database is asked.
class NumberAccounts final : public Accounts {
 public:
  std::string user_name(std::uint32_t uid) override { return std::to_string(uid); }
  std::string group_name(std::uint32_t gid) override { return std::to_string(gid); }
  std::uint32_t user_id(std::string_view name) override { return id(name); }
  std::uint32_t group_id(std::string_view name) override { return id(name); }

 private:
  static std::uint32_t id(std::string_view name) {
    return name == "root" ? 0 : static_cast<std::uint32_t>(std::stoul(std::string(name)));
  }
};

class DriveFixture : public testing::TestWithParam<std::string> {
 protected:
  DriveFixture() {
    std::string folder = testing::TempDir() + "prefixfs-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("mkdtemp: " + folder);
    folder_ = folder;
    open_store();
    const auto made = make_drive(*store, {.name = "home", .layout = GetParam()}, tick());
    EXPECT_TRUE(made);
    open_drive();
  }
  ~DriveFixture() override {
    drive.reset();
    store.reset();
    std::filesystem::remove_all(folder_);
  }

  void open_store() {
    store = table::Store::open(file(), {.mode = table::OpenMode::create, .background = false});
  }
  void open_drive() {
    drive = std::make_unique<Drive>(*store, ledger, accounts, make_layout(GetParam(), "home"),
                                    "home", file(), [this] { return tick(); });
  }
  // As after an unmount and a mount.
  void reopen() {
    drive.reset();
    store.reset();
    open_store();
    open_drive();
  }

  std::string file() const { return folder_ + "/drive.db"; }
  Time tick() { return {++seconds_, 0}; }
  Time now() const { return {seconds_, 0}; }

  NodeRef at(std::string_view path) {
    const Path parsed = *Path::parse(path);
    NodeRef ref = root_ref();
    Path walked;
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      const std::string_view name = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (name.empty()) continue;
      const auto node = drive->lookup(ref, name);
      walked = walked.child(name);
      ref = {node ? node->id : kNoId, ref.id, walked};
    }
    EXPECT_EQ(ref.path, parsed);
    return ref;
  }
  Node node(std::string_view path) {
    const auto found = drive->getattr(at(path));
    EXPECT_TRUE(found) << path;
    return found ? *found : Node{};
  }
  bool exists(std::string_view path) {
    return static_cast<bool>(drive->resolve(*Path::parse(path)));
  }

  // "/a/b/" makes a folder, "/a/b" a file, with the folders above.
  void make(std::string_view path) {
    const bool folder = path.ends_with('/');
    Path walked;
    NodeRef dir = root_ref();
    const Path whole = *Path::parse(path);
    std::vector<std::string> names;
    for (Path p = whole; !p.is_root(); p = p.parent()) names.emplace_back(p.name());
    for (std::size_t i = names.size(); i-- > 0;) {
      const bool last = i == 0;
      auto found = drive->lookup(dir, names[i]);
      if (!found) {
        found = drive->create(dir, names[i],
                              {.kind = last && !folder ? Kind::file : Kind::folder,
                               .mode = last && !folder ? 0644u : 0755u});
      }
      ASSERT_TRUE(found) << path;
      dir = {found->id, dir.id, dir.path.child(names[i])};
    }
  }
  void make(std::initializer_list<std::string_view> paths) {
    for (const std::string_view path : paths) make(path);
  }
  void put(std::string_view path, std::string_view content, std::uint64_t offset = 0) {
    if (!exists(path)) make(path);
    const auto written = drive->write(at(path), offset, std::as_bytes(std::span(content)));
    ASSERT_TRUE(written) << path;
    ASSERT_EQ(written->bytes, content.size());
  }
  std::string content(const NodeRef& ref) {
    std::string text(1 << 20, '?');
    const auto read = drive->read(ref, 0, std::as_writable_bytes(std::span(text)));
    EXPECT_TRUE(read);
    text.resize(read ? *read : 0);
    return text;
  }
  std::string content(std::string_view path) { return content(at(path)); }

  std::vector<std::string> list(std::string_view path, std::size_t limit = 1000) {
    std::vector<std::string> names;
    std::string after;
    while (true) {
      const auto page = drive->readdir(at(path), after, limit);
      EXPECT_TRUE(page) << path;
      if (!page) return names;
      for (const Entry& entry : page->entries) names.push_back(entry.name);
      if (!page->more) return names;
      after = page->last;
    }
  }

  Result<Renamed> rename(std::string_view from, std::string_view to,
                         RenameMode mode = RenameMode::replace) {
    const Path a = *Path::parse(from), b = *Path::parse(to);
    return drive->rename(at(a.parent().text()), a.name(), at(b.parent().text()), b.name(), mode,
                         nobody_holds);
  }
  Result<Removed> unlink(std::string_view path, const Held& held = nobody_holds) {
    const Path p = *Path::parse(path);
    return drive->unlink(at(p.parent().text()), p.name(), held);
  }
  Result<Removed> rmdir(std::string_view path, const Held& held = nobody_holds) {
    const Path p = *Path::parse(path);
    return drive->rmdir(at(p.parent().text()), p.name(), held);
  }

  // What one call made the table do.
  template <class Call>
  table::Charge cost_of(Call call) {
    const table::Charge before = ledger.total().charge;
    call();
    table::Charge after = ledger.total().charge;
    after -= before;
    return after;
  }

  std::string folder_;
  NumberAccounts accounts;
  table::Ledger ledger;
  std::unique_ptr<table::Store> store;
  std::unique_ptr<Drive> drive;
  std::int64_t seconds_ = 1'000'000;
};

// Every rule holds on every layout.
inline const auto kLayouts = testing::Values("path", "node", "adjacency");

}  // namespace prefixfs
