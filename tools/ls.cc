#include <vector>

#include "tools/command.h"
#include "tools/cost_line.h"
#include "tools/node_line.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

constexpr std::size_t kPageEntries = 1000;

struct Args {
  std::string location;
  std::string drive = "home";
  bool long_lines = false;
  bool all = false;
  bool recursive = false;
  bool cost = false;
};

class Listing {
 public:
  Listing(const Args& args, DriveSession& session, Io& io)
      : args_(args), session_(session), io_(io), lines_(io, session.accounts()) {}

  ExitStatus run(const Path& path) {
    Located top = session_.locate(path);
    if (!top.node.is_folder()) {
      print({Entry{path.text(), std::move(top.node)}});
      return ExitStatus::ok;
    }
    // Folders still to be listed, the next one last.
    std::vector<NodeRef> folders{std::move(top.ref)};
    ExitStatus status = ExitStatus::ok;
    bool first = true;
    while (!folders.empty()) {
      const NodeRef folder = std::move(folders.back());
      folders.pop_back();
      if (args_.recursive) {
        io_.out << (first ? "" : "\n") << shown_name(io_, folder.path.text()) << ":\n";
      }
      first = false;
      const Result<std::vector<NodeRef>> below = list(folder);
      if (!below) {
        complain(io_, session_.text(folder.path), below.error());
        status = ExitStatus::failed;
      } else if (args_.recursive) {
        folders.insert(folders.end(), below->rbegin(), below->rend());
      }
    }
    return status;
  }

 private:
  // Returns the folders among the children.
  Result<std::vector<NodeRef>> list(const NodeRef& folder) {
    std::vector<NodeRef> folders;
    std::string after;
    for (bool more = true; more;) {
      const Result<ListPage> page = session_.drive().readdir(
          folder, after, kPageEntries,
          args_.long_lines || args_.recursive ? Detail::nodes : Detail::names);
      if (!page) return page.error();
      print(page->entries);
      if (args_.recursive) {
        for (const Entry& entry : page->entries) {
          if (entry.node.is_folder()) {
            folders.push_back(child_ref(folder, entry.name, entry.node));
          }
        }
      }
      more = page->more;
      after = page->last;
    }
    return folders;
  }

  void print(const std::vector<Entry>& entries) {
    if (args_.long_lines) return lines_.print(entries);
    for (const Entry& entry : entries) io_.out << shown_name(io_, entry.name) << '\n';
  }

  const Args& args_;
  DriveSession& session_;
  Io& io_;
  NodeLines lines_;
};

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  const ExitStatus status = Listing(args, session, io).run(location.path);
  if (args.cost) show_cost(io, session.ledger());
  return status;
}

}  // namespace

void add_ls(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "ls",
      .usage = "[-l] [-R] [--drive NAME] [--cost] FILE:/PATH",
      .what = "List a folder",
      .more =
          "Every name is shown, also those that begin with a dot, in the order of their bytes.\n"
          "On a terminal control characters are shown as \\n, \\033; elsewhere names are raw.",
      .example = "prefixfs ls -l home.db:/docs",
  });
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.flag("-l", args->long_lines, "Mode, owner, size and time as well");
  command.flag("-a", args->all, "Taken for habit's sake: every name is shown anyway");
  command.flag("-R", args->recursive, "All folders below, too");
  command.flag_cost(args->cost);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
