#include "fs/fuse_session.h"
#include "tools/command.h"

namespace prefixfs {
namespace {

struct Args {
  std::string dir;
  bool lazy = false;
};

}  // namespace

void add_umount(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "umount",
      .usage = "[-l] DIR",
      .what = "Unmount, and wait until the table file is whole",
      .example = "prefixfs umount /mnt/home",
  });
  command.positional(args->dir, "DIR");
  command.flag("-l,--lazy", args->lazy, "Detach now, end when nobody uses it any more");
  command.runs([args](Io&) { return static_cast<ExitStatus>(run_umount(args->dir, args->lazy)); });
}

}  // namespace prefixfs
