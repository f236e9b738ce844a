#include <cstddef>
#include <vector>

#include "tools/command.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

constexpr std::size_t kChunkBytes = 1024 * 1024;

struct Args {
  std::string location;
  std::string drive = "home";
};

ExitStatus run(const Args& args, Io& io) {
  const Location location = parse_location(args.location);
  DriveSession session(location.file, args.drive, Access::read);
  const Located file = session.locate(location.path);
  if (file.node.is_folder()) throw Failure(location.text(), std::errc::is_a_directory);
  if (file.node.kind == Kind::symlink) {
    throw Failure(location.text(), "Is a symlink to " + file.node.target);
  }
  if (!file.node.is_file()) throw Failure(location.text(), "Is not a regular file");

  std::vector<std::byte> chunk(kChunkBytes);
  for (std::uint64_t offset = 0;;) {
    const Result<std::size_t> got = session.drive().read(file.ref, offset, chunk);
    if (!got) throw Failure(location.text(), got.error());
    io.out.write(reinterpret_cast<const char*>(chunk.data()), static_cast<std::streamsize>(*got));
    if (*got < chunk.size()) return ExitStatus::ok;
    offset += *got;
  }
}

}  // namespace

void add_cat(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "cat",
      .usage = "[--drive NAME] FILE:/PATH",
      .what = "Write a file to standard output",
      .more = "Symlinks are not followed: a path is a key.",
      .example = "prefixfs cat home.db:/docs/a.txt",
  });
  command.positional(args->location, "FILE:/PATH");
  command.option_drive(args->drive);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
