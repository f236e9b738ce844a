#include <map>
#include <string>
#include <unordered_set>

#include "fs/mount.h"
#include "tools/branch_pages.h"
#include "tools/command.h"
#include "tools/cost_line.h"
#include "tools/figures.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string location;
  std::string drive = "home";
  bool human = false;
  bool summary = false;
  bool cost = false;
};

class Usage {
 public:
  Usage(const Args& args, DriveSession& session, Io& io)
      : args_(args), session_(session), io_(io), ordered_(session.drive().layout().ordered()) {}

  void run(const Located& top) {
    std::uint64_t total = bytes_of(top.node);
    if (top.node.is_folder()) {
      const std::string prefix = top.ref.path.with_slash();
      for_each_below(session_, top.ref, [&](const BranchEntry& entry) {
        const std::uint64_t bytes = bytes_of(entry.node);
        total += bytes;
        if (!args_.summary) add(prefix + entry.below, entry.node, bytes);
      });
      while (!open_.empty()) close_last();
    }
    print(total, top.ref.path.text());
  }

 private:
  // Folders whose sum is not complete, by path and a '/': each is followed by those inside it.
  using Open = std::map<std::string, std::uint64_t>;

  // A node with several names counts where it comes first.
  std::uint64_t bytes_of(const Node& node) {
    if (node.links > 1 && !node.is_folder() && !counted_.insert(node.id).second) return 0;
    return to_stat(node, session_.accounts()).sectors * 512;
  }

  void print(std::uint64_t bytes, const std::string& path) {
    io_.out << (args_.human ? size_text(bytes) : std::to_string((bytes + 1023) / 1024)) << '\t'
            << shown_name(io_, path) << '\n';
  }

  void add(const std::string& path, const Node& node, std::uint64_t bytes) {
    // In key order all below a folder "a" comes in one run, at "a/": past it the sum is complete.
    while (ordered_ && !open_.empty() && passed(open_.rbegin()->first, path)) close_last();
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const auto folder = open_.find(path.substr(0, slash + 1));
      if (folder != open_.end()) folder->second += bytes;
    }
    if (node.is_folder()) open_.emplace(path + "/", bytes);
  }

  static bool passed(const std::string& folder, const std::string& path) {
    return path > folder && !path.starts_with(folder);
  }

  void close_last() {
    const auto last = std::prev(open_.end());
    print(last->second, last->first.substr(0, last->first.size() - 1));
    open_.erase(last);
  }

  const Args& args_;
  DriveSession& session_;
  Io& io_;
  const bool ordered_;
  Open open_;
  std::unordered_set<NodeId> counted_;  // of those with several names
};

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  Usage(args, session, io).run(session.locate(location.path));
  if (args.cost) show_cost(io, session.ledger());
  return ExitStatus::ok;
}

}  // namespace

void add_du(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "du",
      .usage = "[-h] [-s] [--drive NAME] [--cost] FILE:/PATH",
      .what = "Sum up what each folder holds",
      .more =
          "In KiB.  Holes of sparse files take no room and are not counted, and what has several\n"
          "names is counted once.",
      .example = "prefixfs du -h home.db:/",
  });
  command.help_is_long();
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.flag("-h", args->human, "Sizes as 1.2K, 14M");
  command.flag("-s", args->summary, "One line for all of it");
  command.flag_cost(args->cost);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
