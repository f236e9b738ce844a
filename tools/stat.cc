#include <fmt/format.h>

#include <utility>

#include "fs/keys.h"
#include "fs/mount.h"
#include "fs/node_item.h"
#include "table/capacity.h"
#include "table/item_json.h"
#include "table/value.h"
#include "tools/command.h"
#include "tools/figures.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string location;
  std::string drive = "home";
  bool json = false;
};

struct Facts {
  std::string path;
  Node node;
  Stat stat;
  // Where paths are keys.
  std::optional<table::Key> key;
  std::size_t item_bytes = 0;
};

// Nothing where the mode says it all.
Acl shown_acl(const Node& node) {
  return node.acls.access.empty() ? Acl{} : whole_acl(node.mode, node.acls.access);
}

void print_json(Io& io, const Facts& facts) {
  const Node& node = facts.node;
  const auto text = [](std::string_view s) { return table::json_string(s); };
  const auto time = [](const Time& t) { return encode_time(t).text(); };
  io.out << "{\"path\": " << text(facts.path) << ", \"kind\": " << text(kind_name(node.kind))
         << ", \"sizeBytes\": " << node.size << ", \"owner\": " << text(node.owner)
         << ", \"group\": " << text(node.group) << ", \"mode\": " << node.mode
         << ", \"links\": " << facts.stat.links << ", \"id\": " << number(node.id)
         << ", \"storedBytes\": " << facts.stat.sectors * 512 << ", \"mtime\": " << time(node.mtime)
         << ", \"ctime\": " << time(node.ctime) << ", \"atime\": " << time(node.atime)
         << ", \"btime\": " << time(node.btime);
  const auto acl = [&](const char* name, const Acl& entries) {
    if (entries.empty()) return;
    io.out << ", \"" << name << "\": [";
    for (const char* comma = ""; const AclEntry& entry : entries) {
      io.out << std::exchange(comma, ", ") << text(acl_text(entry));
    }
    io.out << "]";
  };
  acl("acl", shown_acl(node));
  acl("defaultAcl", node.acls.default_acl);
  if (node.kind == Kind::symlink) io.out << ", \"target\": " << text(node.target);
  if (node.kind == Kind::character || node.kind == Kind::block) {
    io.out << ", \"rdev\": " << node.rdev;
  }
  if (facts.key) {
    io.out << ", \"pk\": " << text(facts.key->pk) << ", \"sk\": " << text(facts.key->sk)
           << ", \"itemBytes\": " << facts.item_bytes;
  }
  io.out << "}\n";
}

void print(Io& io, const Facts& facts) {
  const Node& node = facts.node;
  const auto line = [&](std::string_view name, const std::string& value) {
    io.out << fmt::format("{:<8} {}\n", name, value);
  };
  line("path", shown_name(io, facts.path));
  line("kind", std::string(kind_name(node.kind)));
  if (node.kind == Kind::symlink) line("target", shown_name(io, node.target));
  line("size", fmt::format("{} bytes, {} stored", node.size, facts.stat.sectors * 512));
  line("mode", fmt::format("{:04o} {}", node.mode, mode_text(node.kind, node.mode)));
  line("owner", escaped_name(node.owner) + ":" + escaped_name(node.group));
  for (const AclEntry& entry : shown_acl(node)) line("acl", escaped_name(acl_text(entry)));
  for (const AclEntry& entry : node.acls.default_acl) {
    line("default", escaped_name(acl_text(entry)));
  }
  line("links", std::to_string(facts.stat.links));
  line("id", std::to_string(number(node.id)));
  line("mtime", exact_time_text(node.mtime));
  line("ctime", exact_time_text(node.ctime));
  line("atime", exact_time_text(node.atime));
  line("btime", exact_time_text(node.btime));
  if (!facts.key) return;
  using table::Consistency;
  line("pk", facts.key->pk);
  line("sk", shown_name(io, facts.key->sk));
  line("item", counted(facts.item_bytes, "byte") + ": " +
                   units_text(table::read_units(facts.item_bytes, Consistency::eventual), "read") +
                   ", " + units_text(table::write_units(facts.item_bytes), "write") + " to put");
}

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  Located found = session.locate(location.path);
  Facts facts{.path = location.path.text(), .node = std::move(found.node)};
  facts.stat = to_stat(facts.node, session.accounts());
  if (session.drive().layout().ordered()) {
    facts.key = path_key(args.drive, location.path);
    facts.item_bytes = table::billed_bytes(facts.key->pk, facts.key->sk, encode_node(facts.node));
  }
  if (args.json) {
    print_json(io, facts);
  } else {
    print(io, facts);
  }
  return ExitStatus::ok;
}

}  // namespace

void add_stat(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "stat",
      .usage = "[--json] [--drive NAME] FILE:/PATH",
      .what = "Show all that is known of a node, and its key",
      .example = "prefixfs stat home.db:/docs/a.txt",
  });
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
