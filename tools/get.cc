#include "fs/keys.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/figures.h"
#include "tools/item_table.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file;
  std::string pk;
  std::string sk;
  std::string drive = "home";
  bool consistent = false;
  bool json = false;
};

ExitStatus answer(const Args& args, const std::string& file, const table::Key& key,
                  table::Table& table, Io& io) {
  const auto consistency =
      args.consistent ? table::Consistency::strong : table::Consistency::eventual;
  const table::GetResult result = table.get(key, consistency);
  if (args.json) {
    io.out << get_answer(file, key, result);
    return result.item ? ExitStatus::ok : ExitStatus::failed;
  }
  const std::string capacity = units_text(result.charge.read_units, "read") + " (" +
                               (args.consistent ? "strongly" : "eventually") + " consistent)";
  if (!result.item) {
    complain(io, file, "no item (" + key.pk + ", " + key.sk + "), which cost " + capacity);
    return ExitStatus::failed;
  }
  print_item(io, key, *result.item);
  if (result.damaged) complain(io, file, "the item's attributes cannot be read");
  io.out << '\n'
         << counted(table::billed_bytes(key.pk, key.sk, *result.item), "byte") << ", " << capacity
         << '\n';
  return ExitStatus::ok;
}

ExitStatus run(const Args& args, Io& io) {
  if (args.pk.empty() != args.sk.empty()) {
    throw WrongUse("get", "expected FILE PK SK, or FILE:/PATH");
  }
  if (!args.pk.empty()) {
    const auto store = open_table(args.file, Access::read);
    return answer(args, args.file, {args.pk, args.sk}, store->table(), io);
  }
  const Location location = parse_location(args.file);
  DriveSession session(location.file, args.drive, Access::read);
  session.require_path_keys();
  return answer(args, location.file, path_key(args.drive, location.path), session.store().table(),
                io);
}

}  // namespace

void add_get(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "get",
      .usage = "[--consistent] [--json] [--drive NAME] FILE PK SK | FILE:/PATH",
      .what = "GetItem: show one item and what reading it costs",
      .more = "An item that is not there has been paid for too; exit status 1.",
      .example = "prefixfs get home.db 'ENV#prod' 'FLAG#dark-mode'",
  });
  command.positional(args->file, "FILE PK SK, or FILE:/PATH,");
  command.optional_positional(args->pk);
  command.optional_positional(args->sk);
  command.option_drive(args->drive);
  command.flag("--consistent", args->consistent, "Strongly consistent: twice the units");
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
