#include <sys/stat.h>

#include <optional>

#include "fs/keys.h"
#include "fs/node_item.h"
#include "table/value.h"
#include "tools/command.h"
#include "tools/rename_report.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string from;
  std::string to;
  std::string drive = "home";
  bool keep = false;
  bool json = false;
};

bool same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// FILE:/B, or /B in the same file.
Path destination(const std::string& to, const Location& from) {
  if (to.starts_with('/') && to.find(":/") == std::string::npos) return parse_path(to, to);
  const Location location = parse_location(to);
  if (to.find(":/") == std::string::npos) throw WrongUse(to, "expected FILE:/PATH or /PATH");
  if (!same_file(location.file, from.file)) {
    throw Failure(to, "another file than " + from.file + ": export and import in place of mv");
  }
  return location.path;
}

std::size_t item_bytes(DriveSession& session, const Path& path, const Node& node) {
  const table::Key key = path_key(session.drive().name(), path);
  return table::billed_bytes(key.pk, key.sk, encode_node(node));
}

// The name that `from` gets, and the folder it goes to.
struct Target {
  Located folder;
  std::string name;
};
Target target_of(DriveSession& session, const Path& from, const Path& to) {
  if (Result<Located> there = session.drive().resolve(to)) {
    if (there->node.is_folder() && to != from) return {*std::move(there), std::string(from.name())};
  }
  return {session.locate(to.parent()), std::string(to.name())};
}

RenameReport rename(DriveSession& session, const Located& node, const Located& from_dir,
                    const Target& target, RenameMode mode) {
  RenameReport report;
  report.layout = session.drive().layout().name();
  report.from = node.ref.path.text();
  report.to = target.folder.ref.path.child(target.name).text();
  report.items = 1;
  session.drive().on_folder_rename([&report](const RenameCost& cost) {
    report.items = cost.items;
    report.bytes = cost.bytes;
  });
  const Result<Renamed> renamed = session.drive().rename(
      from_dir.ref, node.ref.path.name(), target.folder.ref, target.name, mode, nobody_holds);
  session.drive().on_folder_rename(nullptr);
  if (!renamed) {
    const bool exists = renamed.error() == std::errc::file_exists ||
                        renamed.error() == std::errc::directory_not_empty;
    throw Failure(exists ? session.file() + ":" + report.to : session.text(node.ref.path),
                  renamed.error());
  }
  if (!node.node.is_folder()) report.bytes = item_bytes(session, node.ref.path, node.node);

  const auto accounts = session.ledger().accounts();
  const table::Account& account = accounts.at("rename");
  report.puts = account.charge.puts;
  report.deletes = account.charge.deletes;
  report.read_units = account.charge.read_units;
  report.seconds = account.seconds;
  report.parent_updates = account.charge.updates;
  if (report.parent_updates > 0) {
    report.parent_write_units =
        table::write_units(item_bytes(session, from_dir.ref.path, from_dir.node));
  }
  if (report.parent_updates > 1) {
    report.parent_write_units +=
        table::write_units(item_bytes(session, target.folder.ref.path, target.folder.node));
  }
  report.write_units = account.charge.write_units - report.parent_write_units;
  return report;
}

ExitStatus run(const Args& args, Io& io) {
  const Location from = parse_location(args.from);
  const Path to = destination(args.to, from);
  if (from.path.is_root()) throw Failure(from.text(), "the root cannot be moved");
  RenameReport report;
  {
    DriveSession session(from.file, args.drive, Access::write);
    const Located node = session.locate(from.path);
    const Located from_dir = session.locate(from.path.parent());
    const Target target = target_of(session, from.path, to);
    report = rename(session, node, from_dir, target,
                    args.keep ? RenameMode::no_replace : RenameMode::replace);
    session.store().sync();
  }
  if (args.json) {
    io.out << to_json(report, Prices(), PartitionRate()) << '\n';
  } else {
    report.from = shown_name(io, report.from);
    report.to = shown_name(io, report.to);
    io.out << to_text(report, Prices(), PartitionRate());
  }
  return ExitStatus::ok;
}

}  // namespace

void add_mv(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "mv",
      .usage = "[-n] [--json] [--drive NAME] FILE:/FROM FILE:/TO | FILE:/FROM /TO",
      .what = "Move or rename a node with all below it, and say what it cost",
      .more = "If TO is a folder, the node goes into it.  A file takes the place of another, a\n"
              "folder that of an empty one; with -n that fails.  All or nothing.",
      .example = "prefixfs mv home.db:/docs /documents",
  });
  command.positional(args->from, "FILE:/FROM");
  command.positional(args->to, "FILE:/TO");
  command.option_drive(args->drive);
  command.args().add_flag("-n", args->keep, "Never replace what is there");
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
