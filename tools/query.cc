#include <optional>

#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/figures.h"
#include "tools/item_table.h"
#include "tools/prefix_trap.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file;
  std::string pk;
  std::optional<std::string> begins_with, eq, lt, le, gt, ge;
  std::vector<std::string> between;
  bool reverse = false;
  std::size_t limit = 0;
  std::optional<std::string> start;
  bool consistent = false;
  bool all = false;
  bool json = false;
};

// Throws WrongUse if there is more than one.
void require_one_condition(const Args& args) {
  int conditions = args.between.empty() ? 0 : 1;
  for (const auto* value : {&args.begins_with, &args.eq, &args.lt, &args.le, &args.gt, &args.ge}) {
    if (value->has_value()) ++conditions;
  }
  if (conditions > 1) throw WrongUse("query", "takes at most one condition on the sort key");
}

table::SkCondition condition(const Args& args) {
  using table::Compare;
  if (args.begins_with) return table::SkBeginsWith{*args.begins_with};
  if (args.eq) return table::SkCompare{Compare::eq, *args.eq};
  if (args.lt) return table::SkCompare{Compare::lt, *args.lt};
  if (args.le) return table::SkCompare{Compare::le, *args.le};
  if (args.gt) return table::SkCompare{Compare::gt, *args.gt};
  if (args.ge) return table::SkCompare{Compare::ge, *args.ge};
  if (args.between.size() == 2) return table::SkBetween{args.between[0], args.between[1]};
  return table::SkAll{};
}

// The lines below the rows.
void print_sums(Io& io, const Args& args, std::size_t count, std::size_t scanned,
                std::uint64_t pages, double units, const std::optional<table::Key>& last) {
  io.out << (count > 0 ? "\n" : "") << counted(count, "item");
  if (scanned != count) io.out << " of " << grouped(scanned) << " evaluated";
  io.out << ", " << counted(pages, "page") << ", " << units_text(units, "read") << " ("
         << (args.consistent ? "strongly" : "eventually") << " consistent)\n";
  if (last) io.out << "more may follow: --start '" << shown_name(io, last->sk) << "'\n";
}

ExitStatus run(const Args& args, Io& io) {
  require_one_condition(args);
  const auto store = open_table(args.file, Access::read);
  table::Table& table = store->table();
  table::Query query{
      .pk = args.pk,
      .sk = condition(args),
      .direction = args.reverse ? table::Direction::backward : table::Direction::forward,
      .limit = args.limit,
      .exclusive_start = args.start,
      .consistency = args.consistent ? table::Consistency::strong : table::Consistency::eventual};

  QueryAnswer answer(io, args.file);
  std::size_t count = 0, scanned = 0;
  std::uint64_t pages = 0;
  double units = 0;
  std::optional<table::Key> last;
  do {
    const table::QueryResult page = table.query(query);
    if (args.json) {
      answer.page(page);
    } else {
      print_rows(io, page.rows);
    }
    count += page.rows.size();
    scanned += page.scanned;
    pages += page.charge.pages;
    units += page.charge.read_units;
    last = page.last;
    if (last) query.exclusive_start = last->sk;
  } while (args.all && last);
  if (args.json) {
    answer.finish();
  } else {
    print_sums(io, args, count, scanned, pages, units, last);
  }

  if (args.begins_with) {
    if (const auto trap = prefix_trap(table, args.pk, *args.begins_with)) {
      io.out.flush();  // in this order on a terminal
      complain(io, *args.begins_with, *trap);
    }
  }
  return ExitStatus::ok;
}

}  // namespace

void add_query(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "query",
      .usage =
          "FILE PK [--begins-with P | --eq SK | --lt SK | --le SK | --gt SK | --ge SK |\n"
          "         --between A B] [--reverse] [--limit N] [--start SK] [--consistent] [--all]\n"
          "         [--json]",
      .what = "Query: show a run of items in the order of their keys, and what it costs",
      .more = "One page of at most 1 MB, or with --all every page.",
      .example = "prefixfs query home.db 'DRIVE#home' --begins-with 'PATH#/docs/'",
  });
  command.positional(args->file, "FILE");
  command.positional(args->pk, "PK");
  command.option("--begins-with", args->begins_with, "SK", "Begins with these bytes");
  command.option("--eq", args->eq, "SK", "Is this");
  command.option("--lt", args->lt, "SK", "Sorts before this");
  command.option("--le", args->le, "SK", "Is this or sorts before it");
  command.option("--gt", args->gt, "SK", "Sorts after this");
  command.option("--ge", args->ge, "SK", "Is this or sorts after it");
  command.option_of_two("--between", args->between, "SK SK", "From one to another, both included");
  command.flag("--reverse", args->reverse, "Last one first");
  command.option("--limit", args->limit, "N", "Evaluate at most so many a page");
  command.option("--start", args->start, "SK", "Continue after this sort key");
  command.flag("--consistent", args->consistent, "Strongly consistent: twice the units");
  command.flag("--all", args->all, "Follow the pages to the end");
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
