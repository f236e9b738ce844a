#include <set>

#include "table/explain.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"
#include "tools/explanation.h"
#include "tools/figures.h"
#include "tools/item_table.h"
#include "tools/raw_request.h"
#include "tools/request_list.h"

namespace prefixfs {
namespace {

constexpr std::string_view kOption = "--request-items";

struct Args {
  std::string file;
  std::vector<std::string> words;  // PK SK PK SK ...
  std::optional<std::string> request;
  std::optional<std::string> projection;
  bool consistent = false;
  RawOptions raw;
};

struct Asked {
  std::vector<table::Key> keys;
  bool consistent = false;
  std::optional<std::string> projection, names;
};

Asked asked_for(const Args& args) {
  Asked asked{{}, args.consistent, args.projection, args.raw.names};
  if (args.request ? !args.words.empty() : args.words.empty() || args.words.size() % 2 != 0) {
    throw WrongUse("batch-get", "expected PK SK pairs, or --request-items JSON");
  }
  for (std::size_t i = 0; i + 1 < args.words.size(); i += 2) {
    asked.keys.push_back({args.words[i], args.words[i + 1]});
  }
  if (!args.request) return asked;
  Json what =
      of_the_table(kOption, args.file, json_document(kOption, json_argument(*args.request)));
  if (what.is_object()) {
    require_members(kOption, what,
                    {"Keys", "ConsistentRead", "ProjectionExpression", "ExpressionAttributeNames"});
    if (what.contains("ConsistentRead")) asked.consistent = what["ConsistentRead"] == true;
    if (auto text = member_text(kOption, what, "ProjectionExpression")) asked.projection = text;
    if (auto names = maybe_json(what, "ExpressionAttributeNames")) asked.names = names;
    what = what.value("Keys", Json());
  }
  if (!what.is_array()) throw WrongUse(kOption, "Keys needs an array");
  for (const Json& key : what) asked.keys.push_back(key_of(item_argument(kOption, key.dump())));
  return asked;
}

void require_keys(const std::vector<table::Key>& keys, table::Limits limits) {
  if (keys.empty()) throw table::ValidationError("The list of keys must not be empty");
  if (keys.size() > table::kMaxBatchGetItems && limits == table::Limits::dynamo) {
    throw table::ValidationError("Too many items requested for the BatchGetItem call");
  }
  std::set<table::Key> each;
  for (const table::Key& key : keys) {
    require_key(key, limits);
    if (!each.insert(key).second) {
      throw table::ValidationError("Provided list of item keys contains duplicates");
    }
  }
}

std::string keys_json(const std::vector<table::Key>& keys) {
  std::string json = "{\"Keys\": [";
  for (const table::Key& key : keys) json += (json.back() == '[' ? "" : ", ") + key_json(key);
  return json + "]";
}

ExitStatus explain(const Args& args, const Asked& asked, table::Consistency consistency,
                   RawTable& raw, Io& io) {
  std::string of_table = keys_json(asked.keys);
  if (asked.consistent) of_table += ", \"ConsistentRead\": true";
  of_table += "}";
  RequestJson tables;
  tables.add(table_name(args.file), of_table);
  Explanation made{.operation = "BatchGetItem",
                   .request = RequestJson().add("RequestItems", tables.text()).text()};
  for (const table::Key& key : asked.keys) {
    made.keys.push_back({.pk = key.pk, .sk = {key.sk, {}}, .single = true});
    made.sql.push_back(table::sql_of_get(key));
  }
  made.predicted = raw.unmetered().batch_get(asked.keys, consistency).charge;
  print_explanation(io, args.raw.json, made);
  return ExitStatus::ok;
}

ExitStatus answer(const Args& args, Io& io) {
  const Asked asked = asked_for(args);
  require_keys(asked.keys, args.raw.limits());
  RequestExpressions expressions(asked.names, std::nullopt);
  const auto projection = expressions.projection(asked.projection);
  expressions.finish();
  const auto consistency =
      asked.consistent ? table::Consistency::strong : table::Consistency::eventual;
  RawTable raw(args.file, Access::read, args.raw, "batch-get");
  if (args.raw.explain) return explain(args, asked, consistency, raw, io);

  const table::BatchGetResult result = raw.table().batch_get(asked.keys, consistency);
  if (args.raw.json) {
    std::string items = "[";
    for (const table::Row& row : result.rows) {
      items += (items.size() > 1 ? ", " : "") + item_json(row.key, row.item, projection);
    }
    RequestJson responses, unprocessed;
    responses.add(table_name(args.file), items + "]");
    if (!result.unprocessed.empty()) {
      unprocessed.add(table_name(args.file), keys_json(result.unprocessed) + "}");
    }
    io.out << "{\"Responses\": " << responses.text()
           << ", \"UnprocessedKeys\": " << unprocessed.text() << ", "
           << consumed_capacity_list(args.file, result.charge.read_units) << "}\n";
  } else {
    for (const table::Row& row : result.rows) {
      print_item(io, row.key, shown_item(row.key, row.item, projection));
      io.out << '\n';
    }
    io.out << grouped(result.rows.size()) << " of " << counted(asked.keys.size(), "item") << ", "
           << units_text(result.charge.read_units, "read") << '\n';
    if (!result.unprocessed.empty()) {
      io.out << counted(result.unprocessed.size(), "key") << " left for another request: the "
             << "answer is at most 16 MB\n";
    }
  }
  raw.finish(io);
  return ExitStatus::ok;
}

}  // namespace

void add_batch_get(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "batch-get",
      .usage = "FILE PK SK [PK SK]... | FILE --request-items JSON\n"
               "         [--consistent] [--projection-expression PATHS] [--json] [--explain]",
      .what = "BatchGetItem: show up to 100 items, each paid for by itself",
      .example = "prefixfs batch-get home.db 'ENV#dev' 'FLAG#banner' 'ENV#prod' 'FLAG#banner'",
  });
  command.positional(args->file, "FILE");
  command.rest(args->words);
  command.option("--request-items", args->request, "JSON",
                 R"({"TABLE": {"Keys": [...]}}, or the array of keys alone)");
  command.flag("--consistent,--consistent-read", args->consistent,
               "Strongly consistent: twice the units");
  command.option("--projection-expression", args->projection, "PATHS", "Only these attributes");
  declare_raw(command, args->raw, Expressions::names);
  command.runs([args](Io& io) {
    return answer_request(io, args->raw, args->file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
