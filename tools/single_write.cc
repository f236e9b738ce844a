#include "tools/single_write.h"

#include <algorithm>

#include "table/item_json.h"
#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"
#include "tools/figures.h"
#include "tools/item_table.h"

namespace prefixfs {
namespace {

const table::Key& key_of(const table::Write& write) {
  return std::visit([](const auto& one) -> const table::Key& { return one.key; }, write);
}

// What an update changes.
std::vector<table::DocumentPath> targets(const table::UpdateExpression& update) {
  std::vector<table::DocumentPath> paths;
  for (const auto& set : update.set) paths.push_back(set.path);
  for (const auto& path : update.remove) paths.push_back(path);
  for (const auto& add : update.add) paths.push_back(add.path);
  for (const auto& erase : update.erase) paths.push_back(erase.path);
  return paths;
}

// The attributes that ReturnValues asks for, as JSON; nullopt: none.
std::optional<std::string> attributes(const SingleWrite& one, const std::string& returns,
                                      const table::WriteResult& result) {
  if (returns == "NONE") return std::nullopt;
  const std::optional<table::Item>& item = returns.ends_with("OLD") ? result.old : result.updated;
  if (!item) return std::nullopt;
  if (returns.starts_with("ALL")) return item_json(key_of(one.write), *item);
  const auto paths = targets(std::get<table::Update>(one.write).expression);
  const table::Item part = table::project(*item, paths);
  return part.empty() ? std::nullopt : std::optional(table::to_dynamo_json(part));
}

std::string what_happened(const SingleWrite& one, const table::WriteResult& result) {
  if (std::holds_alternative<table::Put>(one.write)) {
    return result.old ? "replaced an item" : "put a new item";
  }
  if (std::holds_alternative<table::Delete>(one.write)) {
    return result.old ? "deleted an item" : "there was no item to delete";
  }
  if (result.old) return "updated an item";
  return result.updated ? "made a new item" : "there was no item to update";
}

std::size_t bytes_after(const SingleWrite& one, const table::WriteResult& result) {
  const table::Key& key = key_of(one.write);
  if (const auto* put = std::get_if<table::Put>(&one.write)) {
    return table::billed_bytes(key.pk, key.sk, put->item);
  }
  const auto& item = std::holds_alternative<table::Delete>(one.write) ? result.old : result.updated;
  return item ? table::billed_bytes(key.pk, key.sk, *item) : 0;
}

table::Action action_of(const table::Write& write) {
  return std::visit([](const auto& one) { return table::Action(one); }, write);
}

ExitStatus explain(const SingleWrite& one, const SingleWriteArgs& args, RawTable& raw, Io& io) {
  RequestJson request = one.request;
  request.maybe_text("ConditionExpression", args.condition)
      .maybe("ExpressionAttributeNames", args.raw.names)
      .maybe("ExpressionAttributeValues", args.raw.values);
  if (args.return_values != "NONE") request.add_text("ReturnValues", args.return_values);
  Explanation made{.operation = one.operation, .request = request.text()};
  const table::Action action = action_of(one.write);
  explain_writes(made, raw.unmetered(), std::span(&action, 1), Requests::plain);
  print_explanation(io, args.raw.json, made);
  return ExitStatus::ok;
}

}  // namespace

void declare_single_write(Command& command, SingleWriteArgs& args, const std::string& returns) {
  command.option("--condition-expression", args.condition, "CONDITION",
                 "What must hold of the stored item: 'attribute_not_exists(pk)'");
  command.option("--return-values", args.return_values, "WHAT", returns);
  declare_raw(command, args.raw, Expressions::names_and_values);
}

ExitStatus run_single_write(const SingleWrite& one, const SingleWriteArgs& args, Io& io) {
  require_key(key_of(one.write), args.raw.limits());
  if (std::find(one.returns.begin(), one.returns.end(), args.return_values) == one.returns.end()) {
    throw table::ValidationError("Return values set to invalid value: " + args.return_values);
  }
  RawTable raw(one.file, Access::write, args.raw, one.name);
  if (args.raw.explain) return explain(one, args, raw, io);

  const table::WriteResult result = raw.table().write(one.write);
  if (!result.ok()) {
    raw.finish(io);
    throw write_error(one.file, one.write, result);
  }
  raw.sync();
  const auto returned = attributes(one, args.return_values, result);
  if (args.raw.json) {
    io.out << "{" << (returned ? "\"Attributes\": " + *returned + ", " : "")
           << consumed_capacity(one.file, result.charge.write_units) << "}\n";
  } else {
    if (returned) io.out << *returned << '\n';
    io.out << what_happened(one, result) << ": " << counted(bytes_after(one, result), "byte")
           << ", " << units_text(result.charge.write_units, "write") << '\n';
  }
  raw.finish(io);
  return ExitStatus::ok;
}

}  // namespace prefixfs
