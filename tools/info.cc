#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <vector>

#include "fs/drives.h"
#include "fs/keys.h"
#include "table/item_json.h"
#include "tools/branch_pages.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/figures.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

constexpr std::size_t kNamedKeys = 3;

struct Args {
  std::string file;
  bool json = false;
};

struct DriveFacts {
  DriveInfo info;
  bool mount_lives = false;
  bool known_layout = true;
  std::uint64_t nodes = 0;  // the root among them
  std::uint64_t bytes = 0;
  std::size_t depth = 0;
  std::string deepest = "/";
  std::uint64_t longest_key = 0;  // bytes
  std::uint64_t keys_too_long = 0;
  std::vector<std::string> some_too_long;
};

struct Environment {
  std::string name;
  std::uint64_t flags = 0;
};

// Whether a process of that number is there; it may be another one by now.
bool lives(std::uint64_t pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }

// The partition that follows `pk`, found without reading what that one holds.
std::optional<std::string> next_partition(table::Table& table, const std::string& pk) {
  table::Scan scan{.limit = 1};
  // No partition key lies between a key and the key with a NUL at its end.
  if (!pk.empty()) scan.exclusive_start = table::Key{pk + '\0', ""};
  const table::QueryResult found = table.scan(scan);
  if (found.rows.empty()) return std::nullopt;
  return found.rows.front().key.pk;
}

void read_keys(table::Table& table, const std::string& pk, DriveFacts& facts) {
  const table::CountResult count = table.count({.pk = pk, .prefix = ""});
  facts.longest_key = std::max(facts.longest_key, count.longest_sk);
  if (count.longest_sk <= table::kMaxSkBytes) return;
  table::Query query{.pk = pk};
  do {
    const table::QueryResult page = table.query(query);
    for (const table::Row& row : page.rows) {
      if (row.key.sk.size() <= table::kMaxSkBytes) continue;
      ++facts.keys_too_long;
      if (facts.some_too_long.size() < kNamedKeys) facts.some_too_long.push_back(row.key.sk);
    }
    query.exclusive_start = page.last ? std::optional(page.last->sk) : std::nullopt;
  } while (query.exclusive_start);
}

void read_nodes(const std::string& file, DriveFacts& facts) {
  DriveSession session(file, facts.info.name, Access::read);
  const Result<Located> root = session.drive().resolve(Path());
  if (!root) return;
  facts.nodes = 1;
  for_each_below(session, root->ref, [&](const BranchEntry& entry) {
    ++facts.nodes;
    if (entry.node.is_file()) facts.bytes += entry.node.size;
    const auto slashes = std::count(entry.below.begin(), entry.below.end(), '/');
    const auto depth = static_cast<std::size_t>(slashes) + 1;
    if (depth <= facts.depth) return;
    facts.depth = depth;
    facts.deepest = "/" + entry.below;
  });
}

struct Facts {
  table::StoreStats store;
  std::vector<DriveFacts> drives;
  std::vector<Environment> environments;
};

Facts read_facts(const std::string& file) {
  Facts facts;
  const auto store = open_table(file, Access::read);
  table::Table& table = store->table();
  facts.store = store->stats();
  for (DriveInfo& info : list_drives(table)) {
    DriveFacts& drive = facts.drives.emplace_back();
    drive.mount_lives = info.mounted_by && lives(*info.mounted_by);
    drive.info = std::move(info);
    drive.known_layout = make_layout(drive.info.layout, drive.info.name) != nullptr;
    if (drive.known_layout) read_nodes(file, drive);
  }
  std::string last;
  for (auto pk = next_partition(table, ""); pk; pk = next_partition(table, *pk)) {
    if (pk->starts_with(kEnvPrefix)) {
      const table::CountResult count = table.count({.pk = *pk, .prefix = std::string(kFlagPrefix)});
      facts.environments.push_back({pk->substr(kEnvPrefix.size()), count.items});
    }
    for (DriveFacts& drive : facts.drives) {
      const std::string own = drive_pk(drive.info.name);
      if (*pk == own || pk->starts_with(own + "#")) read_keys(table, *pk, drive);
    }
  }
  return facts;
}

void print_json(Io& io, const std::string& file, const Facts& facts) {
  const auto text = [](std::string_view s) { return table::json_string(s); };
  const table::StoreStats& store = facts.store;
  io.out << fmt::format(
      R"({{"file": {}, "schema_version": {}, "page_bytes": {}, "file_bytes": {}, )"
      R"("log_bytes": {}, "free_bytes": {}, "items": {}, "blocks": {}, "drives": [)",
      text(file), store.schema_version, store.page_bytes, store.file_bytes, store.log_bytes,
      store.free_bytes, store.items, store.blocks);
  const char* separator = "";
  for (const DriveFacts& drive : facts.drives) {
    io.out << std::exchange(separator, ", ")
           << fmt::format(R"({{"name": {}, "layout": {}, "nodes": {}, "bytes": {}, "depth": {}, )"
                          R"("deepest_path": {}, "longest_key_bytes": {}, "keys_over_limit": {})",
                          text(drive.info.name), text(drive.info.layout), drive.nodes, drive.bytes,
                          drive.depth, text(drive.deepest), drive.longest_key, drive.keys_too_long);
    if (drive.info.mounted_by) {
      io.out << fmt::format(R"(, "mounted_by": {}, "mount_lives": {})", *drive.info.mounted_by,
                            drive.mount_lives);
    }
    io.out << '}';
  }
  io.out << "], \"environments\": [";
  separator = "";
  for (const Environment& environment : facts.environments) {
    io.out << std::exchange(separator, ", ")
           << fmt::format(R"({{"name": {}, "flags": {}}})", text(environment.name),
                          environment.flags);
  }
  io.out << "]}\n";
}

// A key may be a thousand bytes and more: both ends tell which one it is.
std::string shortened(const std::string& key) {
  constexpr std::size_t kEnd = 30;
  if (key.size() <= 2 * kEnd) return key;
  const auto inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(key[at]) & 0xC0) == 0x80;
  };
  std::size_t head = kEnd, tail = key.size() - kEnd;
  while (head > 0 && inside_character(head)) --head;
  while (tail < key.size() && inside_character(tail)) ++tail;
  return key.substr(0, head) + "..." + key.substr(tail);
}

void print_drive(Io& io, const DriveFacts& drive) {
  io.out << "\ndrive " << drive.info.name << '\n';
  const auto line = [&](std::string_view name, const std::string& value) {
    io.out << fmt::format("  {:<12} {}\n", name, value);
  };
  line("layout", drive.info.layout + (drive.known_layout ? "" : " (unknown to this program)"));
  line("nodes", grouped(drive.nodes) + ", files of " + counted(drive.bytes, "byte"));
  line("deepest", counted(drive.depth, "level") + ": " + shown_name(io, shortened(drive.deepest)));
  line("longest key", counted(drive.longest_key, "byte"));
  if (drive.keys_too_long > 0) {
    line("too long", counted(drive.keys_too_long, "key") + " over the " +
                         grouped(table::kMaxSkBytes) + " bytes of DynamoDB:");
    for (const std::string& key : drive.some_too_long) {
      io.out << "               " << escaped_name(shortened(key)) << '\n';
    }
    if (drive.keys_too_long > drive.some_too_long.size()) {
      io.out << "               and " << grouped(drive.keys_too_long - drive.some_too_long.size())
             << " more\n";
    }
  }
  if (drive.info.mounted_by) {
    line("mounted by", "process " + std::to_string(*drive.info.mounted_by) +
                           (drive.mount_lives ? "" : ", which has ended"));
  }
}

void print(Io& io, const std::string& file, const Facts& facts) {
  const table::StoreStats& store = facts.store;
  const auto line = [&](std::string_view name, const std::string& value) {
    io.out << fmt::format("{:<8} {}\n", name, value);
  };
  line("file", shown_name(io, file));
  line("schema", std::to_string(store.schema_version));
  line("size",
       counted(store.file_bytes, "byte") + ", " + grouped(store.free_bytes) + " of it free");
  line("log", counted(store.log_bytes, "byte"));
  line("items", grouped(store.items));
  line("blocks", grouped(store.blocks));
  for (const DriveFacts& drive : facts.drives) print_drive(io, drive);
  if (!facts.environments.empty()) io.out << '\n';
  for (const Environment& environment : facts.environments) {
    io.out << "environment " << shown_name(io, environment.name) << ": "
           << counted(environment.flags, "flag") << '\n';
  }
}

ExitStatus run(const Args& args, Io& io) {
  const Facts facts = read_facts(args.file);
  if (args.json) {
    print_json(io, args.file, facts);
  } else {
    print(io, args.file, facts);
  }
  return ExitStatus::ok;
}

}  // namespace

void add_info(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "info",
      .usage = "[--json] FILE",
      .what = "Say what a table file holds",
      .more = "Reads the whole file.",
      .example = "prefixfs info home.db",
  });
  command.positional(args->file, "FILE");
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
