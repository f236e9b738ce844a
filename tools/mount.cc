#include "fs/fuse_session.h"
#include "tools/command.h"

namespace prefixfs {
namespace {

struct Args {
  MountOptions mount;
  std::vector<std::string> options;
};

ExitStatus run(Args args, Io& io) {
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
      .usage = "[--drive NAME] [--layout LAYOUT] [-f] [-o OPTIONS]... FILE DIR",
      .what = "Mount a drive; makes file and drive if absent",
      .more = "OPTIONS are separated by commas: ro, allow_other, sync, commit=SECONDS, threads=N,\n"
              "log=FILE, and those of mount(8) such as nosuid or noatime.",
      .example = "prefixfs mount home.db /mnt/home -o commit=5",
  });
  command.positional(args->mount.file, "FILE");
  command.positional(args->mount.dir, "DIR");
  command.option_drive(args->mount.drive);
  command.option_layout(args->mount.layout);
  command.flag("-f,--foreground", args->mount.foreground, "Stay in the foreground");
  command.repeated_option("-o", args->options, "OPTIONS", "Mount options");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
