#include <optional>

#include "table/explain.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/explanation.h"
#include "tools/paged_read.h"

namespace prefixfs {
namespace {

struct Args {
  PagedReadArgs read;
  std::vector<std::string> start;
};

std::optional<table::Key> start_of(const Args& args) {
  if (!args.start.empty() && args.read.start_key) {
    throw WrongUse("scan", "--start and --exclusive-start-key say the same");
  }
  if (args.read.start_key) {
    return key_of(item_argument("--exclusive-start-key", json_argument(*args.read.start_key)));
  }
  if (args.start.size() != 2) return std::nullopt;
  return table::Key{args.start[0], args.start[1]};
}

Explanation explanation(const Args& args, const table::Scan& scan) {
  RequestJson request;
  request.add_text("TableName", table_name(args.read.file))
      .maybe("ExpressionAttributeValues", args.read.raw.values);
  add_to_request(request, args.read);
  if (scan.exclusive_start) request.add("ExclusiveStartKey", key_json(*scan.exclusive_start));
  Explanation made{.operation = "Scan",
                   .request = request.text(),
                   .keys = {{.pk = std::nullopt}},
                   .sql = {table::sql_of(scan)}};
  if (scan.exclusive_start) {
    made.notes.push_back("from behind (" + scan.exclusive_start->pk + ", " +
                         scan.exclusive_start->sk + ")");
  }
  return made;
}

ExitStatus answer(const Args& args, Io& io) {
  RequestExpressions expressions(args.read.raw.names, args.read.raw.values);
  table::Scan scan{.limit = args.read.limit,
                   .exclusive_start = start_of(args),
                   .consistency = args.read.consistency(),
                   .filter = expressions.condition(args.read.filter, table::ConditionUse::scan)};
  const PagedRead read(args.read, expressions.projection(args.read.projection),
                       PagedRead::Partitions::all);
  expressions.finish();

  RawTable raw(args.read.file, Access::read, args.read.raw, "scan");
  const auto next_from = [&](table::Table& table) {
    return [&](const std::optional<table::Key>& last) {
      if (last) scan.exclusive_start = last;
      return table.scan(scan);
    };
  };
  if (args.read.raw.explain) {
    Explanation made = explanation(args, scan);
    made.predicted = read.predicted(next_from(raw.unmetered()));
    print_explanation(io, args.read.raw.json, made);
    return ExitStatus::ok;
  }
  read.show(io, next_from(raw.table()), [&](const table::Key& last) {
    return "--start '" + shown_name(io, last.pk) + "' '" + shown_name(io, last.sk) + "'";
  });
  raw.finish(io);
  return ExitStatus::ok;
}

ExitStatus run(const Args& args, Io& io) {
  return answer_request(io, args.read.raw, args.read.file, [&] { return answer(args, io); });
}

}  // namespace

void add_scan(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "scan",
      .usage = "FILE [--filter-expression C] [--projection-expression P] [--select COUNT]\n"
               "         [--limit N] [--start PK SK] [--consistent] [--all] [--json] [--explain]",
      .what = "Scan: show the items of all partitions, and what that costs",
      .more = "One page of at most 1 MB, or with --all every page.  A filter reduces what is\n"
              "shown, not what is paid.",
      .example = "prefixfs scan home.db --filter-expression 'sizeBytes > :n'\n"
                 "    --expression-attribute-values '{\":n\": {\"N\": \"1000\"}}'",
  });
  command.positional(args->read.file, "FILE");
  command.option_of_two("--start", args->start, "PK SK", "Continue after this key");
  declare_paged_read(command, args->read);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
