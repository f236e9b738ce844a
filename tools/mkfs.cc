#include <sys/types.h>
#include <unistd.h>

#include "fs/accounts.h"
#include "fs/drives.h"
#include "tools/command.h"
#include "tools/layouts.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file;
  NewDrive drive;
};

ExitStatus run(Args args, Io& io) {
  require_layout(args.drive.layout, args.drive.name);
  SystemAccounts accounts;
  args.drive.owner = accounts.user_name(::geteuid());
  args.drive.group = accounts.group_name(::getegid());

  const auto store = open_table(args.file, Access::create);
  table::Store::Step step(*store);
  const Result<void> made = make_drive(*store, args.drive, system_time());
  if (!made && made.error() == std::errc::file_exists) {
    throw Failure(args.file, "a drive \"" + args.drive.name + "\" is there already");
  }
  if (!made) throw Failure(args.file, made.error());
  step.done();
  store->sync();
  io.out << "made drive " << args.drive.name << " (layout " << args.drive.layout << ") in "
         << shown_name(io, args.file) << '\n';
  return ExitStatus::ok;
}

}  // namespace

void add_mkfs(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "mkfs",
      .usage = "[--drive NAME] [--layout LAYOUT] FILE",
      .what = "Make an empty drive, and the table file if there is none",
      .more = "The layout decides which rows hold a node: " + layout_names() + ".",
      .example = "prefixfs mkfs home.db --drive work",
  });
  command.positional(args->file, "FILE");
  command.option_drive(args->drive.name);
  command.option_layout(args->drive.layout);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
