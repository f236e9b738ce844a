#include "fs/demo.h"

#include <span>
#include <utility>

#include "fs/accounts.h"
#include "fs/drive.h"
#include "fs/drives.h"
#include "fs/keys.h"
#include "fs/layout.h"
#include "table/ledger.h"

namespace prefixfs {
namespace {

constexpr std::uint32_t kRoot = 0, kAna = 1000, kBo = 1001;

// The demo's own people, whether or not this system knows them.
class DemoAccounts final : public Accounts {
 public:
  std::string user_name(std::uint32_t uid) override {
    return uid == kAna ? "ana" : uid == kBo ? "bo" : "root";
  }
  std::string group_name(std::uint32_t gid) override { return user_name(gid); }
  std::uint32_t user_id(std::string_view name) override {
    return name == "ana" ? kAna : name == "bo" ? kBo : kRoot;
  }
  std::uint32_t group_id(std::string_view name) override { return user_id(name); }
};

// 2025-01-15 09:00:00 UTC, and half a second later with each look at it.
Clock demo_clock() {
  return [now = Time{1736931600, 0}]() mutable {
    const Time shown = now;
    now.nsec += 500'000'000;
    if (now.nsec == 1'000'000'000) now = {now.sec + 1, 0};
    return shown;
  };
}

// Lines that tell where they are, so that a wrong byte shows.
std::string numbered_lines(std::string_view title, std::size_t bytes) {
  std::string text;
  for (std::uint64_t line = 1; text.size() < bytes; ++line) {
    text.append(title).append(", line ").append(std::to_string(line)).append("\n");
  }
  text.resize(bytes);
  return text;
}

// Bytes as a picture has them: every value, no text.  The generator of MINSTD.
std::string noise(std::uint32_t seed, std::size_t bytes) {
  std::string data(bytes, '\0');
  std::uint64_t state = seed;
  for (char& c : data) {
    state = state * 48271 % 2147483647;
    c = static_cast<char>(state >> 8);
  }
  return data;
}

struct DemoNode {
  std::string path;
  std::uint32_t owner;
  Kind kind;
  std::string content{};  // of files; of symlinks the target
  std::uint32_t mode = 0644;
};

DemoNode folder(std::string path, std::uint32_t owner, std::uint32_t mode = 0755) {
  return {std::move(path), owner, Kind::folder, "", mode};
}
DemoNode file(std::string path, std::uint32_t owner, std::string content,
              std::uint32_t mode = 0644) {
  return {std::move(path), owner, Kind::file, std::move(content), mode};
}

std::vector<DemoNode> demo_nodes() {
  constexpr std::size_t kKib = 1024;
  return {
      // "-" sorts before "/": /docs-archive lies between /docs and what is in /docs.
      folder("/docs", kAna),
      file("/docs/a.txt", kAna, "The sort order of the keys is the tree.\n"),
      file("/docs/empty.txt", kAna, ""),
      file("/docs/meeting notes.txt", kBo, "Agenda\n\n1. Mind the trailing slash.\n"),
      folder("/docs/reports", kAna),
      file("/docs/reports/2024-q4.csv", kAna,
           "month,items,write units\n"
           "october,50,100\nnovember,1000,2000\ndecember,100000,200000\n"),
      folder("/docs/reports/drafts", kAna, 0750),
      file("/docs/reports/drafts/plan.md", kBo, numbered_lines("plan", 3 * kKib)),
      file("/docs/r\xC3\xA9sum\xC3\xA9.txt", kAna, "Na\xC3\xAFve caf\xC3\xA9, 42 \xE2\x82\xAC.\n"),
      {"/docs/latest", kAna, Kind::symlink, "reports/2024-q4.csv", 0777},
      folder("/docs-archive", kAna),
      file("/docs-archive/2019.txt", kAna, "Not below /docs.\n"),
      file("/docs-archive/2020.txt", kAna, "Not below /docs either.\n"),
      folder("/docs-archive/old", kBo),
      file("/docs-archive/old/letter.txt", kBo, numbered_lines("letter", 10 * kKib)),
      file("/docs.txt", kRoot, "A file beside the folder /docs.\n"),
      folder("/photos", kBo),
      folder("/photos/2024", kBo),
      folder("/photos/2024/summer", kBo),
      file("/photos/2024/summer/beach.jpg", kBo, noise(1, 300 * kKib)),
      file("/photos/2024/summer/\xE6\xB5\xB7.jpg", kBo, noise(2, 64 * kKib)),
      folder("/photos/2024/winter", kBo),
      file("/photos/2024/winter/snow.jpg", kBo, noise(3, 130 * kKib + 7)),
      folder("/photos-archive", kBo),
      folder("/photos-archive/2019", kBo),
      file("/photos-archive/2019/old.jpg", kBo, noise(4, 70 * kKib)),
      folder("/shared", kRoot, 01777),
      file("/shared/backup.sh", kRoot, "#!/bin/sh\nexec prefixfs export home.db:/ /backup\n", 0755),
      file("/shared/log.txt", kRoot, numbered_lines("log", 200 * kKib)),
  };
}

Result<void> add_nodes(Drive& drive) {
  for (const DemoNode& what : demo_nodes()) {
    const Result<Path> path = Path::parse(what.path);
    if (!path) return path.error();
    const Result<Located> dir = drive.resolve(path->parent());
    if (!dir) return dir.error();
    NewNode create{.kind = what.kind, .mode = what.mode, .uid = what.owner, .gid = what.owner};
    if (what.kind == Kind::symlink) create.target = what.content;
    const Result<Node> node = drive.create(dir->ref, path->name(), create);
    if (!node) return node.error();
    if (what.kind != Kind::file || what.content.empty()) continue;
    const Result<Written> written =
        drive.write({node->id, dir->ref.id, *path}, 0, std::as_bytes(std::span(what.content)));
    if (!written) return written.error();
  }
  return {};
}

struct DemoFlag {
  const char* key;
  const char* type;
  const char* dev;
  const char* staging;
  const char* prod;
  const char* updated_by;
};

constexpr DemoFlag kFlags[] = {
    {"banner", "string", "dev: expect breakage", "staging", "", "ana"},
    {"checkout-ratio", "float", "1.0", "0.5", "0.05", "bo"},
    {"dark-mode", "bool", "true", "true", "false", "ana"},
    {"limits", "json", R"({"items": 100000, "burst": true})", R"({"items": 10000, "burst": true})",
     R"({"items": 1000, "burst": false})", "root"},
    {"max-uploads", "int", "1000", "100", "10", "bo"},
    {"new-search", "bool", "true", "false", "false", "ana"},
    {"page-size", "int", "5", "50", "50", "ana"},
};

Result<void> add_flags(table::Table& table) {
  const std::pair<const char*, const char * DemoFlag::*> environments[] = {
      {"dev", &DemoFlag::dev}, {"staging", &DemoFlag::staging}, {"prod", &DemoFlag::prod}};
  table::Batch batch;
  for (const auto& [environment, value] : environments) {
    for (const DemoFlag& flag : kFlags) {
      batch.push_back(table::Put{
          flag_key(environment, flag.key),
          {{"value", flag.*value}, {"type", flag.type}, {"updatedBy", flag.updated_by}}});
    }
  }
  if (!table.apply(batch).ok()) return std::errc::io_error;
  return {};
}

}  // namespace

Result<void> make_demo(table::Store& store, const std::string& file, const std::string& layout) {
  const Clock clock = demo_clock();
  const std::string name(kDemoDrive);
  table::Store::Step step(store);
  if (auto made = make_drive(store, {.name = name, .layout = layout}, clock()); !made) return made;

  table::Ledger ledger;
  DemoAccounts accounts;
  {
    Drive drive(store, ledger, accounts, make_layout(layout, name), name, file, clock);
    if (auto added = add_nodes(drive); !added) return added;
  }
  if (auto added = add_flags(store.table()); !added) return added;
  step.done();
  return {};
}

}  // namespace prefixfs
