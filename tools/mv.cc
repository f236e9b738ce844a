#include <sys/stat.h>

#include <optional>

#include "tools/command.h"
#include "tools/price_setting.h"
#include "tools/progress.h"
#include "tools/rename_text.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string from;
  std::string to;
  std::string drive = "home";
  bool keep = false;
  bool dry_run = false;
  bool json = false;
  std::optional<std::string> prices;
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

// What would be moved, and to what.
struct Plan {
  Located node;
  Located from_dir;
  Target target;
  RenameMode mode;

  Path to() const { return target.folder.ref.path.child(target.name); }
};

[[noreturn]] void fail(DriveSession& session, const Plan& plan, std::errc error) {
  const bool in_the_way =
      error == std::errc::file_exists || error == std::errc::directory_not_empty;
  throw Failure(session.text(in_the_way ? plan.to() : plan.node.ref.path), error);
}

RenameCost predict(DriveSession& session, const Plan& plan) {
  Result<RenameCost> cost =
      session.drive().predict_rename(plan.from_dir.ref, plan.node.ref.path.name(),
                                     plan.target.folder.ref, plan.target.name, plan.mode);
  if (!cost) fail(session, plan, cost.error());
  return *std::move(cost);
}

RenameCost rename(DriveSession& session, const Plan& plan, Io& io) {
  RenameCost cost;
  Progress progress(io);
  session.drive().on_rename_progress([&](std::uint64_t nodes) { progress.nodes_are(nodes); });
  // A file is counted beforehand, which is exact for one item; a folder while it moves.
  if (!plan.node.node.is_folder()) cost = predict(session, plan);
  session.drive().on_folder_rename([&cost](const RenameCost& folder) { cost = folder; });
  const Result<Renamed> renamed =
      session.drive().rename(plan.from_dir.ref, plan.node.ref.path.name(), plan.target.folder.ref,
                             plan.target.name, plan.mode, nobody_holds);
  session.drive().on_folder_rename(nullptr);
  session.drive().on_rename_progress(nullptr);
  if (!renamed) fail(session, plan, renamed.error());
  if (!cost.seconds) cost.seconds = session.ledger().accounts().at("rename").seconds;
  return cost;
}

ExitStatus run(const Args& args, Io& io) {
  const Prices prices = price_setting(args.prices).value_or(Prices());
  const Location from = parse_location(args.from);
  const Path to = destination(args.to, from);
  if (from.path.is_root()) throw Failure(from.text(), "the root cannot be moved");
  RenameCost cost;
  {
    DriveSession session(from.file, args.drive, args.dry_run ? Access::read : Access::write);
    const Plan plan{.node = session.locate(from.path),
                    .from_dir = session.locate(from.path.parent()),
                    .target = target_of(session, from.path, to),
                    .mode = args.keep ? RenameMode::no_replace : RenameMode::replace};
    if (plan.to() == from.path) throw Failure(from.text(), "is there already");
    cost = args.dry_run ? predict(session, plan) : rename(session, plan, io);
    if (!args.dry_run) session.store().sync();
  }
  if (args.json) {
    io.out << to_json(cost, prices, PartitionRate()) << '\n';
  } else {
    io.out << rename_text(io, cost, prices, PartitionRate());
  }
  return ExitStatus::ok;
}

}  // namespace

void add_mv(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "mv",
      .usage = "[-n] [--dry-run] [--json] [--prices W:R:DATE] [--drive NAME] FILE:/FROM FILE:/TO | "
               "FILE:/FROM /TO",
      .what = "Move or rename a node with all below it, and say what it cost",
      .more = "If TO is a folder, the node goes into it.  A file takes the place of another, a\n"
              "folder that of an empty one; with -n that fails.  All or nothing.",
      .example = "prefixfs mv home.db:/docs /documents",
  });
  command.positional(args->from, "FILE:/FROM");
  command.positional(args->to, "FILE:/TO");
  command.option_drive(args->drive);
  command.flag("-n", args->keep, "Never replace what is there");
  command.flag("--dry-run", args->dry_run, "Only say what it would cost");
  command.flag_json(args->json);
  command.option_prices(args->prices);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
