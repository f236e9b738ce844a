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

constexpr std::string_view kOption = "--transact-items";

struct Args {
  std::string file;
  std::string items;
  RawOptions raw;
};

// One action: {"Put": {...}} and the like.
class ActionJson {
 public:
  ActionJson(std::string_view file, const Json& action) {
    require_members(kOption, action, {"Put", "Update", "Delete", "ConditionCheck", "Get"});
    if (action.size() != 1) {
      throw table::ValidationError(
          "TransactItems can only contain one of Check, Put, Update or Delete");
    }
    verb_ = action.begin().key();
    json_ = action.begin().value();
    require_members(
        kOption, json_,
        {"TableName", "Item", "Key", "ConditionExpression", "UpdateExpression",
         "ProjectionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"});
    require_table(kOption, file, json_);
  }

  bool is_get() const { return verb_ == "Get"; }

  table::Action action() const {
    RequestExpressions expressions(maybe_json(json_, "ExpressionAttributeNames"),
                                   maybe_json(json_, "ExpressionAttributeValues"));
    const std::optional<std::string> text = member_text(kOption, json_, "ConditionExpression");
    table::Condition condition = expressions.condition(text);
    if (verb_ == "Update") {
      const auto update = member_text(kOption, json_, "UpdateExpression");
      if (!update) throw WrongUse(kOption, "UpdateExpression is missing");
      table::UpdateExpression expression = expressions.update(update);
      expressions.finish();
      return table::Update{
          .key = key(), .expression = std::move(expression), .condition = std::move(condition)};
    }
    expressions.finish();
    if (verb_ == "Put") {
      table::Item item = item_argument(kOption, member_json(kOption, json_, "Item"));
      table::Key key = take_key(item);
      return table::Put{std::move(key), std::move(item), std::move(condition)};
    }
    if (verb_ == "Delete") return table::Delete{key(), std::move(condition)};
    if (!text) throw WrongUse(kOption, "ConditionExpression is missing");
    return table::Check{key(), std::move(condition)};
  }

  table::Key key() const {
    return key_of(item_argument(kOption, member_json(kOption, json_, "Key")));
  }
  std::vector<table::DocumentPath> projection() const {
    RequestExpressions expressions(maybe_json(json_, "ExpressionAttributeNames"), std::nullopt);
    auto paths = expressions.projection(member_text(kOption, json_, "ProjectionExpression"));
    expressions.finish();
    return paths;
  }

 private:
  std::string verb_;
  Json json_;
};

std::string request_json(const Json& items) {
  return RequestJson().add("TransactItems", items.dump()).text();
}

ExitStatus write(const Args& args, const Json& items, const std::vector<ActionJson>& asked,
                 Io& io) {
  std::vector<table::Action> actions;
  for (const ActionJson& one : asked) {
    if (one.is_get()) {
      throw table::ValidationError("A transaction reads or writes: Get goes with Get alone");
    }
    actions.push_back(one.action());
    std::visit(
        [&](const auto& action) {
          if constexpr (requires { action.key; }) require_key(action.key, args.raw.limits());
        },
        actions.back());
  }
  RawTable raw(args.file, Access::write, args.raw, "transact");
  if (args.raw.explain) {
    Explanation made{.operation = "TransactWriteItems", .request = request_json(items)};
    explain_writes(made, raw.unmetered(), actions, Requests::transaction);
    print_explanation(io, args.raw.json, made);
    return ExitStatus::ok;
  }
  const table::WriteResult result = raw.table().transact(actions);
  if (!result.ok()) {
    raw.finish(io);
    throw transaction_error(args.file, result);
  }
  raw.sync();
  if (args.raw.json) {
    io.out << "{" << consumed_capacity_list(args.file, result.charge.write_units) << "}\n";
  } else {
    io.out << counted(actions.size(), "action") << ": "
           << units_text(result.charge.write_units, "write") << '\n';
  }
  raw.finish(io);
  return ExitStatus::ok;
}

// All items as they are at one moment.
ExitStatus read(const Args& args, const Json& items, const std::vector<ActionJson>& asked, Io& io) {
  std::vector<table::Key> keys;
  std::vector<std::vector<table::DocumentPath>> projections;
  std::set<table::Key> each;
  for (const ActionJson& one : asked) {
    if (!one.is_get()) {
      throw table::ValidationError("A transaction reads or writes: Get goes with Get alone");
    }
    keys.push_back(one.key());
    projections.push_back(one.projection());
    require_key(keys.back(), args.raw.limits());
    if (!each.insert(keys.back()).second) {
      throw table::ValidationError(
          "Transaction request cannot include multiple operations on one item");
    }
  }
  if (keys.size() > table::kMaxTransactActions && args.raw.limits() == table::Limits::dynamo) {
    throw table::ValidationError(
        "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: "
        "Member must have length less than or equal to 100");
  }
  RawTable raw(args.file, Access::read, args.raw, "transact");
  if (args.raw.explain) {
    Explanation made{.operation = "TransactGetItems", .request = request_json(items)};
    for (const table::Key& key : keys) {
      made.keys.push_back({.pk = key.pk, .sk = {key.sk, {}}, .single = true});
      made.sql.push_back(table::sql_of_get(key));
    }
    made.predicted = raw.unmetered().batch_get(keys, table::Consistency::transactional).charge;
    print_explanation(io, args.raw.json, made);
    return ExitStatus::ok;
  }
  const table::BatchGetResult result =
      raw.table().batch_get(keys, table::Consistency::transactional);
  auto row = result.rows.begin();
  std::string responses;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    responses += responses.empty() ? "{" : ", {";
    if (row != result.rows.end() && row->key == keys[i]) {
      responses += "\"Item\": " + item_json(row->key, row->item, projections[i]);
      if (!args.raw.json) {
        print_item(io, row->key, shown_item(row->key, row->item, projections[i]));
        io.out << '\n';
      }
      ++row;
    }
    responses += "}";
  }
  if (args.raw.json) {
    io.out << "{\"Responses\": [" << responses << "], "
           << consumed_capacity_list(args.file, result.charge.read_units) << "}\n";
  } else {
    io.out << grouped(result.rows.size()) << " of " << counted(keys.size(), "item") << ": "
           << units_text(result.charge.read_units, "read") << '\n';
  }
  raw.finish(io);
  return ExitStatus::ok;
}

ExitStatus answer(const Args& args, Io& io) {
  if (args.items.empty()) throw WrongUse("transact", "--transact-items is missing");
  const Json items = json_document(kOption, json_argument(args.items));
  if (!items.is_array()) throw WrongUse(kOption, "expected an array of actions");
  if (items.empty()) throw table::ValidationError("The list of actions must not be empty");
  std::vector<ActionJson> asked;
  for (const Json& item : items) asked.emplace_back(args.file, item);
  return asked.front().is_get() ? read(args, items, asked, io) : write(args, items, asked, io);
}

}  // namespace

void add_transact(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "transact",
      .usage = "FILE --transact-items JSON [--json] [--explain]",
      .what = "TransactWriteItems, TransactGetItems: up to 100 actions, all or none",
      .more = "An array of Put, Update, Delete and ConditionCheck, or of Get; file://NAME, too.",
      .example = "prefixfs transact home.db --transact-items file://actions.json --explain",
  });
  command.positional(args->file, "FILE");
  command.option("--transact-items", args->items, "JSON",
                 "[{\"Put\": {\"Item\": {...}}}, {\"Update\": {\"Key\": {...}, ...}}, ...]");
  declare_raw(command, args->raw, Expressions::none);
  command.runs([args](Io& io) {
    return answer_request(io, args->raw, args->file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
