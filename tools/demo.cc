#include "fs/demo.h"

#include "fs/drives.h"
#include "tools/command.h"
#include "tools/layouts.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file;
  std::string layout = "path";
};

ExitStatus run(const Args& args, Io& io) {
  require_layout(args.layout, std::string(kDemoDrive));
  const auto store = open_table(args.file, Access::create);
  const Result<void> made = make_demo(*store, args.file, args.layout);
  if (!made && made.error() == std::errc::file_exists) {
    throw Failure(args.file, "a drive \"" + std::string(kDemoDrive) +
                                 "\" is there already, and its content is kept");
  }
  if (!made) throw Failure(args.file, made.error());
  store->sync();
  const std::string file = shown_name(io, args.file);
  io.out << "made the demo drive \"" << kDemoDrive << "\" and flags in " << file << ".  Try:\n"
         << "  prefixfs tree " << file << ":/\n"
         << "  prefixfs query " << file << " 'DRIVE#" << kDemoDrive
         << "' --begins-with 'PATH#/docs'\n";
  return ExitStatus::ok;
}

}  // namespace

void add_demo(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "demo",
      .usage = "[--layout LAYOUT] FILE",
      .what = "Make a drive \"home\" with something in it, and feature flags",
      .more = "The same on each run, times included.",
      .example = "prefixfs demo home.db",
  });
  command.positional(args->file, "FILE");
  command.option_layout(args->layout);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
