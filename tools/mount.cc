#include "fs/fuse_session.h"
#include "tools/command.h"
#include "tools/price_setting.h"

namespace prefixfs {
namespace {

struct Args {
  MountOptions mount;
  std::vector<std::string> options;
};

ExitStatus run(Args args, Io& io) {
  if (const auto prices = price_setting({})) args.mount.prices = *prices;
  for (const std::string& text : args.options) {
    if (const auto wrong = parse_mount_options(text, args.mount)) {
      throw WrongUse("-o " + text, *wrong);
    }
  }
  io.out.flush();  // what is buffered is not to be written by two processes
  return static_cast<ExitStatus>(run_mount(args.mount));
}

}  // namespace

void add_mount(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "mount",
      .usage = "[--drive NAME | --flags] [--layout LAYOUT] [-f] [--trace] [-o OPTIONS]... FILE DIR",
      .what = "Mount a drive; makes file and drive if absent",
      .more =
          "OPTIONS are separated by commas: ro, allow_other, sync, commit=SECONDS, threads=N,\n"
          "log=FILE, timeout=SECONDS and nowriteback and nocache for what the kernel keeps,\n"
          "size=BYTES[K|M|G] (what the table file may hold; past it ENOSPC, and df says so),\n"
          "rename-limit=NODES (a folder with more below it is not renamed: E2BIG),\n"
          "prices=W:R:DATE for what .prefixfs says in dollars, and those of mount(8) such as "
          "nosuid\n"
          "or noatime.  DIR/.prefixfs/cost and DIR/.prefixfs/renames say what was done, as JSON.",
      .example = "prefixfs mount home.db /mnt/home -o commit=5",
  });
  command.positional(args->mount.file, "FILE");
  command.positional(args->mount.dir, "DIR");
  command.option_drive(args->mount.drive);
  command.option_layout(args->mount.layout);
  command.flag("--flags", args->mount.flags,
               "The feature flags: environments are folders, flags are files");
  command.flag("-f,--foreground", args->mount.foreground, "Stay in the foreground");
  command.flag("--trace", args->mount.trace,
               "Log each operation with the requests it became (with -f: on standard error)");
  command.repeated_option("-o", args->options, "OPTIONS", "Mount options");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
