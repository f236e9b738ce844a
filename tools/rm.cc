#include <map>
#include <memory>
#include <vector>

#include "tools/command.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::vector<std::string> locations;
  std::string drive = "home";
  bool recursive = false;
  bool force = false;
};

class Removal {
 public:
  Removal(const Args& args, Io& io) : args_(args), io_(io) {}

  ExitStatus run() {
    std::vector<Location> locations;
    for (const std::string& text : args_.locations) locations.push_back(parse_location(text));
    for (const Location& location : locations) remove(location);
    for (const auto& [file, session] : sessions_) session->store().sync();
    return status_;
  }

 private:
  void fail(const Location& location, std::string_view why) {
    complain(io_, location.text(), why);
    status_ = ExitStatus::failed;
  }

  DriveSession& session(const std::string& file) {
    auto& session = sessions_[file];
    if (!session) session = std::make_unique<DriveSession>(file, args_.drive, Access::write);
    return *session;
  }

  void remove(const Location& location) {
    if (location.path.is_root()) return fail(location, "the root is not removed");
    DriveSession& in = session(location.file);
    const Result<Located> found = in.drive().resolve(location.path);
    if (!found) {
      const bool absent = found.error() == std::errc::no_such_file_or_directory;
      if (!absent || !args_.force) fail(location, why_text(found.error()));
      return;
    }
    if (found->node.is_folder() && !args_.recursive) {
      return fail(location, why_text(std::errc::is_a_directory) + " (-r removes it and all below)");
    }
    if (found->node.is_folder()) {
      NodeRef ref = found->ref;
      ref.parent = in.locate(location.path.parent()).ref.id;
      const Result<std::uint64_t> removed = in.drive().remove_tree(ref);
      if (!removed) fail(location, why_text(removed.error()));
      return;
    }
    const Located folder = in.locate(location.path.parent());
    const Result<Removed> removed =
        in.drive().unlink(folder.ref, location.path.name(), nobody_holds);
    if (!removed) fail(location, why_text(removed.error()));
  }

  const Args& args_;
  Io& io_;
  std::map<std::string, std::unique_ptr<DriveSession>> sessions_;  // by file
  ExitStatus status_ = ExitStatus::ok;
};

}  // namespace

void add_rm(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "rm",
      .usage = "[-r] [-f] [--drive NAME] FILE:/PATH...",
      .what = "Remove files, and with -r folders",
      .more =
          "A folder goes with all below it in one step, or not at all.  What cannot be removed\n"
          "is reported, the rest goes.",
      .example = "prefixfs rm -r home.db:/docs-archive",
  });
  command.positionals(args->locations, "FILE:/PATH");
  command.option_drive(args->drive);
  command.flag("-r,-R", args->recursive, "Folders, with all below them");
  command.flag("-f", args->force, "What is absent is no error");
  command.runs([args](Io& io) { return Removal(*args, io).run(); });
}

}  // namespace prefixfs
