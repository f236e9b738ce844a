#include <cstdint>
#include <limits>
#include <vector>

#include "tools/command.h"
#include "tools/cost_line.h"
#include "tools/figures.h"
#include "tools/node_line.h"
#include "tools/session.h"
#include "tools/tree_walk.h"

namespace prefixfs {
namespace {

struct Args {
  std::string location;
  std::string drive = "home";
  std::size_t levels = std::numeric_limits<std::size_t>::max();
  bool cost = false;
};

// What stands before a name: a line down for each level that goes on, and the branch to the name.
std::string indent(const std::vector<bool>& last_at) {
  std::string text;
  for (std::size_t i = 0; i + 1 < last_at.size(); ++i) text += last_at[i] ? "    " : "│   ";
  return text + (last_at.back() ? "└── " : "├── ");
}

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  Located top = session.locate(location.path);
  io.out << name_and_target(io, location.path.text(), top.node) << '\n';

  std::uint64_t folders = 0, others = 0;
  ExitStatus status = ExitStatus::ok;
  if (top.node.is_folder()) {
    std::vector<bool> last_at;  // by level: whether the entry there is the last of its folder
    TreeWalk walk(session.drive(), std::move(top.ref), {});
    while (const auto step = walk.next()) {
      if (step->what == TreeWalk::Step::What::failed) {
        complain(io, session.text(step->ref.path), step->error);
        status = ExitStatus::failed;
      }
      if (step->what != TreeWalk::Step::What::enter) continue;
      last_at.resize(step->depth);
      last_at.back() = step->last;
      io.out << indent(last_at) << name_and_target(io, step->entry.name, step->entry.node) << '\n';
      ++(step->entry.node.is_folder() ? folders : others);
      if (step->entry.node.is_folder() && step->depth >= args.levels) walk.skip();
    }
    io.out << '\n' << counted(folders, "folder") << ", " << counted(others, "file") << '\n';
  }
  if (args.cost) show_cost(io, session.ledger());
  return status;
}

}  // namespace

void add_tree(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "tree",
      .usage = "[-L LEVELS] [--drive NAME] [--cost] FILE[:/PATH]",
      .what = "Show a branch as a tree",
      .example = "prefixfs tree -L 2 home.db:/",
  });
  command.positional(args->location, "FILE[:/PATH]");
  command.option_drive(args->drive);
  command.option("-L", args->levels, "LEVELS", "How deep to go");
  command.flag_cost(args->cost);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
