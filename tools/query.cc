#include <optional>

#include "table/explain.h"
#include "table/item_json.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"
#include "tools/explanation.h"
#include "tools/paged_read.h"
#include "tools/prefix_trap.h"

namespace prefixfs {
namespace {

struct Args {
  PagedReadArgs read;
  std::string pk;
  std::optional<std::string> key_condition;
  std::optional<std::string> begins_with, eq, lt, le, gt, ge;
  std::vector<std::string> between;
  std::optional<std::string> start;
  bool reverse = false;
};

// Throws WrongUse unless the keys are asked for in exactly one way.
void require_one_condition(const Args& args) {
  int conditions = args.between.empty() ? 0 : 1;
  for (const auto* value : {&args.begins_with, &args.eq, &args.lt, &args.le, &args.gt, &args.ge}) {
    if (value->has_value()) ++conditions;
  }
  if (conditions > 1) throw WrongUse("query", "takes at most one condition on the sort key");
  if (args.key_condition ? !args.pk.empty() || conditions > 0 : args.pk.empty()) {
    throw WrongUse("query",
                   "expected PK with at most one condition on the sort key, or a "
                   "--key-condition-expression");
  }
  if (args.start && args.read.start_key) {
    throw WrongUse("query", "--start and --exclusive-start-key say the same");
  }
}

table::SkCondition short_condition(const Args& args) {
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

std::optional<std::string> start_of(const Args& args, const std::string& pk) {
  if (!args.read.start_key) return args.start;
  const table::Key key =
      key_of(item_argument("--exclusive-start-key", json_argument(*args.read.start_key)));
  if (key.pk != pk) {
    throw table::ValidationError(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  return key.sk;
}

// The short form as DynamoDB would be asked: its expression, and its values beside those of the
// filter.
struct LongForm {
  std::string expression;
  table::Item values;

  LongForm(const table::Query& query, table::Item of_filter) : values(std::move(of_filter)) {
    expression = "pk = " + value("pk", query.pk);
    std::visit(*this, query.sk);
  }

  void operator()(const table::SkAll&) {}
  void operator()(const table::SkBeginsWith& sk) {
    expression += " AND begins_with(sk, " + value("sk", sk.prefix) + ")";
  }
  void operator()(const table::SkCompare& sk) {
    constexpr std::string_view kSigns[] = {"=", "<>", "<", "<=", ">", ">="};
    expression += " AND sk " + std::string(kSigns[static_cast<int>(sk.op)]) + " ";
    expression += value("sk", sk.sk);
  }
  void operator()(const table::SkBetween& sk) {
    expression += " AND sk BETWEEN " + value("low", sk.low);
    expression += " AND " + value("high", sk.high);
  }

  std::string value(std::string_view name, const std::string& text) {
    std::string placeholder = ":" + std::string(name);
    while (values.find(placeholder) != nullptr) placeholder += '_';
    values.set(placeholder, text);
    return placeholder;
  }
};

Explanation explanation(const Args& args, const table::Query& query) {
  table::Item values;
  if (args.read.raw.values) {
    values = item_argument("--expression-attribute-values", json_argument(*args.read.raw.values));
  }
  RequestJson request;
  request.add_text("TableName", table_name(args.read.file));
  if (args.key_condition) {
    request.add_text("KeyConditionExpression", *args.key_condition)
        .maybe("ExpressionAttributeValues", args.read.raw.values);
  } else {
    const LongForm form(query, values);
    request.add_text("KeyConditionExpression", form.expression)
        .add("ExpressionAttributeValues", table::to_dynamo_json(form.values));
  }
  add_to_request(request, args.read);
  if (args.reverse) request.add("ScanIndexForward", "false");
  if (query.exclusive_start) {
    request.add("ExclusiveStartKey", key_json({query.pk, *query.exclusive_start}));
  }
  Explanation made{.operation = "Query",
                   .request = request.text(),
                   .keys = {{.pk = query.pk, .sk = table::range_of(query)}},
                   .sql = {table::sql_of(query)}};
  return made;
}

ExitStatus answer(const Args& args, Io& io) {
  require_one_condition(args);
  RequestExpressions expressions(args.read.raw.names, args.read.raw.values);
  const table::KeyCondition keys = args.key_condition
                                       ? expressions.key_condition(*args.key_condition)
                                       : table::KeyCondition{args.pk, short_condition(args)};
  table::Query query{
      .pk = keys.pk,
      .sk = keys.sk,
      .direction = args.reverse ? table::Direction::backward : table::Direction::forward,
      .limit = args.read.limit,
      .exclusive_start = start_of(args, keys.pk),
      .consistency = args.read.consistency(),
      .filter = expressions.condition(args.read.filter, table::ConditionUse::filter)};
  const PagedRead read(args.read, expressions.projection(args.read.projection),
                       PagedRead::Partitions::one);
  expressions.finish();

  RawTable raw(args.read.file, Access::read, args.read.raw, "query");
  const auto next_from = [&](table::Table& table) {
    return [&](const std::optional<table::Key>& last) {
      if (last) query.exclusive_start = last->sk;
      return table.query(query);
    };
  };
  if (args.read.raw.explain) {
    Explanation made = explanation(args, query);
    made.predicted = read.predicted(next_from(raw.unmetered()));
    print_explanation(io, args.read.raw.json, made);
    return ExitStatus::ok;
  }
  read.show(io, next_from(raw.table()),
            [&](const table::Key& last) { return "--start '" + shown_name(io, last.sk) + "'"; });
  if (const auto* begins = std::get_if<table::SkBeginsWith>(&query.sk)) {
    if (const auto trap = prefix_trap(raw.unmetered(), query.pk, begins->prefix)) {
      io.out.flush();  // in this order on a terminal
      complain(io, begins->prefix, *trap);
    }
  }
  raw.finish(io);
  return ExitStatus::ok;
}

ExitStatus run(const Args& args, Io& io) {
  return answer_request(io, args.read.raw, args.read.file, [&] { return answer(args, io); });
}

}  // namespace

void add_query(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "query",
      .usage =
          "FILE PK [--begins-with P | --eq SK | --lt SK | --le SK | --gt SK | --ge SK |\n"
          "         --between A B] [--reverse] [--limit N] [--start SK] [--consistent] [--all]\n"
          "         [--filter-expression C] [--projection-expression P] [--json] [--explain]\n"
          "       prefixfs query FILE --key-condition-expression C\n"
          "         --expression-attribute-values JSON ...",
      .what = "Query: show a run of items in the order of their keys, and what it costs",
      .more = "One page of at most 1 MB, or with --all every page.",
      .example = "prefixfs query home.db 'DRIVE#home' --begins-with 'PATH#/docs/'",
  });
  command.positional(args->read.file, "FILE");
  command.optional_positional(args->pk);
  command.option("--key-condition-expression", args->key_condition, "CONDITION",
                 "'pk = :p AND begins_with(sk, :s)'");
  command.option("--begins-with", args->begins_with, "SK", "Begins with these bytes");
  command.option("--eq", args->eq, "SK", "Is this");
  command.option("--lt", args->lt, "SK", "Sorts before this");
  command.option("--le", args->le, "SK", "Is this or sorts before it");
  command.option("--gt", args->gt, "SK", "Sorts after this");
  command.option("--ge", args->ge, "SK", "Is this or sorts after it");
  command.option_of_two("--between", args->between, "SK SK", "From one to another, both included");
  command.flag("--reverse,--no-scan-index-forward", args->reverse, "Last one first");
  command.option("--start", args->start, "SK", "Continue after this sort key");
  declare_paged_read(command, args->read);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
