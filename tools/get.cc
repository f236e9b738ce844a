#include "table/explain.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"
#include "tools/explanation.h"
#include "tools/figures.h"
#include "tools/item_table.h"
#include "tools/raw_request.h"

namespace prefixfs {
namespace {

struct Args {
  KeyArgs key;
  bool consistent = false;
  std::optional<std::string> projection;
  RawOptions raw;
};

ExitStatus explain(const Args& args, const Addressed& asked, table::Consistency consistency,
                   RawTable& raw, Io& io) {
  RequestJson request;
  request.add_text("TableName", table_name(asked.file)).add("Key", key_json(asked.key));
  if (args.consistent) request.add("ConsistentRead", "true");
  request.maybe_text("ProjectionExpression", args.projection)
      .maybe("ExpressionAttributeNames", args.raw.names);
  print_explanation(io, args.raw.json,
                    {.operation = "GetItem",
                     .request = request.text(),
                     .keys = {{.pk = asked.key.pk, .sk = {asked.key.sk, {}}, .single = true}},
                     .sql = {table::sql_of_get(asked.key)},
                     .predicted = raw.unmetered().get(asked.key, consistency).charge});
  return ExitStatus::ok;
}

ExitStatus answer(const Args& args, const Addressed& asked, Io& io) {
  const auto& [file, key] = asked;
  require_key(key, args.raw.limits());
  RequestExpressions expressions(args.raw.names, std::nullopt);
  const auto projection = expressions.projection(args.projection);
  expressions.finish();
  const auto consistency =
      args.consistent ? table::Consistency::strong : table::Consistency::eventual;
  RawTable raw(file, Access::read, args.raw, "get");
  if (args.raw.explain) return explain(args, asked, consistency, raw, io);

  const table::GetResult result = raw.table().get(key, consistency);
  const std::string capacity = units_text(result.charge.read_units, "read") + " (" +
                               (args.consistent ? "strongly" : "eventually") + " consistent)";
  if (args.raw.json) {
    io.out << get_answer(file, key, result, projection);
  } else if (!result.item) {
    complain(io, file, "no item (" + key.pk + ", " + key.sk + "), which cost " + capacity);
  } else {
    print_item(io, key, shown_item(key, *result.item, projection));
    if (result.damaged) complain(io, file, "the item's attributes cannot be read");
    io.out << '\n'
           << counted(table::billed_bytes(key.pk, key.sk, *result.item), "byte") << ", " << capacity
           << '\n';
  }
  raw.finish(io);
  return result.item ? ExitStatus::ok : ExitStatus::failed;
}

ExitStatus run(const Args& args, Io& io) {
  return answer_request(io, args.raw, args.key.file,
                        [&] { return answer(args, addressed(args.key, "get"), io); });
}

}  // namespace

void add_get(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "get",
      .usage = "[--consistent] [--projection-expression PATHS] [--json] [--explain]\n"
               "         FILE PK SK | FILE --key JSON | [--drive NAME] FILE:/PATH",
      .what = "GetItem: show one item and what reading it costs",
      .more = "An item that is not there has been paid for too; exit status 1.",
      .example = "prefixfs get home.db 'ENV#prod' 'FLAG#dark-mode'",
  });
  declare_key(command, args->key);
  command.flag("--consistent,--consistent-read", args->consistent,
               "Strongly consistent: twice the units");
  command.option("--projection-expression", args->projection, "PATHS",
                 "Only these attributes: 'kind, #o'");
  declare_raw(command, args->raw, Expressions::names);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
