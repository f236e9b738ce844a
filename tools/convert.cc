#include "fs/convert.h"

#include <memory>
#include <string>
#include <variant>

#include "fs/layout.h"
#include "tools/command.h"
#include "tools/figures.h"
#include "tools/layouts.h"
#include "tools/progress.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file;
  std::string drive = "home";
  std::string to;
};

std::variant<Conversion, StrayRows> convert(table::Store& store, table::Ledger& ledger,
                                            const DriveInfo& drive, const std::string& to, Io& io) {
  Progress progress(io);
  return convert_drive(store, ledger, drive, to,
                       [&](std::uint64_t nodes) { progress.nodes_are(nodes); });
}

ExitStatus refuse(const Args& args, const StrayRows& strays, Io& io) {
  for (const table::Key& key : strays.some) {
    complain(io, args.file, key.pk + " " + key.sk + ": is no node of the tree");
  }
  complain(io, args.file,
           counted(strays.count, "row") + " of drive \"" + args.drive +
               "\" would be lost: remove what is no node of the tree first; nothing was changed");
  return ExitStatus::failed;
}

ExitStatus run(const Args& args, Io& io) {
  if (args.to.empty()) throw WrongUse("--to", "is missing, one of: " + layout_names());
  require_layout(args.to, args.drive);
  const auto store = open_table(args.file, Access::write);
  const DriveInfo drive = require_drive(store->table(), args.file, args.drive);
  if (drive.layout == args.to) {
    throw Failure(args.file, "drive \"" + args.drive + "\" has layout " + args.to + " already");
  }
  if (!make_layout(drive.layout, drive.name)) {
    throw Failure(args.file, "drive \"" + args.drive + "\" has the unknown layout " + drive.layout);
  }
  if (!store->lock_drive(args.drive)) {
    throw Failure(args.file,
                  "drive \"" + args.drive + "\" is mounted" +
                      (drive.mounted_by ? " by process " + std::to_string(*drive.mounted_by) : "") +
                      ": unmount it first");
  }
  table::Ledger ledger;
  const auto done = convert(*store, ledger, drive, args.to, io);
  if (const auto* strays = std::get_if<StrayRows>(&done)) return refuse(args, *strays, io);
  store->sync();

  const auto& conversion = std::get<Conversion>(done);
  const table::Charge& charge = conversion.charge;
  io.out << "converted drive " << args.drive << " from " << drive.layout << " to " << args.to
         << ": " << counted(conversion.nodes, "node") << ", " << counted(charge.puts, "put")
         << " and " << counted(charge.deletes, "delete") << ": "
         << units_text(charge.write_units, "write") << ", " << units_text(charge.read_units, "read")
         << '\n';
  return ExitStatus::ok;
}

}  // namespace

void add_convert(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "convert",
      .usage = "[--drive NAME] --to LAYOUT FILE",
      .what = "Rewrite a drive that is not mounted to another layout",
      .more = "All or nothing.  Only keys and attributes are rewritten, content stays as it is;\n"
              "there and back is the same drive.  Layouts: " +
              layout_names() + ".",
      .example = "prefixfs convert home.db --to adjacency",
  });
  command.positional(args->file, "FILE");
  command.option_drive(args->drive);
  command.option("--to", args->to, "LAYOUT", "The layout it is to have");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
