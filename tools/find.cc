#include <fnmatch.h>

#include <optional>

#include "tools/branch_pages.h"
#include "tools/command.h"
#include "tools/cost_line.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string location;
  std::string drive = "home";
  std::optional<std::string> name;
  std::optional<std::string> type;
  bool print0 = false;
  bool cost = false;
};

std::optional<Kind> kind_of(const std::string& letter) {
  if (letter == "f") return Kind::file;
  if (letter == "d") return Kind::folder;
  if (letter == "l") return Kind::symlink;
  if (letter == "p") return Kind::fifo;
  if (letter == "s") return Kind::socket;
  if (letter == "c") return Kind::character;
  if (letter == "b") return Kind::block;
  return std::nullopt;
}

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  std::optional<Kind> kind;
  if (args.type) {
    kind = kind_of(*args.type);
    if (!kind) throw WrongUse("-type " + *args.type, "is none of f, d, l, p, s, c, b");
  }
  DriveSession session(location.file, args.drive, Access::read);
  const Located top = session.locate(location.path);

  const auto print_if = [&](const std::string& path, std::string_view name, const Node& node) {
    if (kind && node.kind != *kind) return;
    // fnmatch wants a string that ends in NUL; names hold none inside.
    if (args.name && ::fnmatch(args.name->c_str(), std::string(name).c_str(), 0) != 0) return;
    if (args.print0) {
      io.out << path << '\0';
    } else {
      io.out << shown_name(io, path) << '\n';
    }
  };
  print_if(top.ref.path.text(), top.ref.path.name(), top.node);
  if (top.node.is_folder()) {
    const std::string prefix = top.ref.path.with_slash();
    for_each_below(session, top.ref, [&](const BranchEntry& entry) {
      const std::string path = prefix + entry.below;
      print_if(path, std::string_view(path).substr(path.rfind('/') + 1), entry.node);
    });
  }
  if (args.cost) show_cost(io, session.ledger());
  return ExitStatus::ok;
}

}  // namespace

void add_find(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "find",
      .usage = "FILE:/PATH [-name GLOB] [-type f|d|l|p|s|c|b] [-print0] [--drive NAME] [--cost]",
      .what = "List a whole branch, one path a line",
      .more = "One Query reads the branch however deep it goes; paths come in the order of their\n"
              "keys, in which \"a!\" stands between \"a\" and \"a/x\".",
      .example = "prefixfs find home.db:/docs -name '*.txt' -type f",
  });
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.option("--name", args->name, "GLOB", "Only names that match");
  command.option("--type", args->type, "LETTER", "Only this kind of node");
  command.flag("--print0", args->print0, "End each path in NUL, and show it raw");
  command.flag_cost(args->cost);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
