#include "tools/raw_request.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fs/keys.h"
#include "table/item_json.h"
#include "tools/cost_line.h"
#include "tools/dynamo_error.h"

namespace prefixfs {
namespace {

std::map<std::string, std::string> names_of(const std::string& text) {
  const auto json = nlohmann::json::parse(json_argument(text), nullptr, false);
  std::map<std::string, std::string> names;
  constexpr std::string_view kOption = "--expression-attribute-names";
  if (!json.is_object()) throw WrongUse(kOption, R"(expected an object like {"#n": "name"})");
  if (json.empty()) throw table::ValidationError("ExpressionAttributeNames must not be empty");
  for (const auto& [placeholder, name] : json.items()) {
    if (!name.is_string()) throw WrongUse(kOption, placeholder + " needs a string");
    names.emplace(placeholder, name.get<std::string>());
  }
  return names;
}

std::string take_text(table::Item& item, std::string_view attribute) {
  const table::Value* const value = item.find(attribute);
  if (value == nullptr) {
    throw table::ValidationError("One or more parameter values were invalid: Missing the key " +
                                 std::string(attribute) + " in the item");
  }
  const std::string* const text = value->if_string();
  if (text == nullptr) {
    throw table::ValidationError(
        "One or more parameter values were invalid: Type mismatch for key " +
        std::string(attribute) +
        " expected: S actual: " + std::string(table::type_name(value->type())));
  }
  std::string taken = *text;
  item.erase(attribute);
  return taken;
}

}  // namespace

void declare_raw(Command& command, RawOptions& options, Expressions expressions) {
  if (expressions != Expressions::none) {
    command.option("--expression-attribute-names", options.names, "JSON",
                   R"(What #names stand for: {"#o": "owner"})");
  }
  if (expressions == Expressions::names_and_values) {
    command.option("--expression-attribute-values", options.values, "JSON",
                   R"(What :values stand for: {":o": {"S": "ana"}})");
  }
  command.flag_json(options.json);
  command.flag("--explain", options.explain,
               "Show the request, its keys, its SQL and its predicted units; run nothing");
  command.flag("--no-limits", options.no_limits, "Keep to SQLite's limits, not to DynamoDB's");
  command.flag_cost(options.cost);
}

void declare_key(Command& command, KeyArgs& args) {
  command.positional(args.file, "FILE PK SK, or FILE:/PATH,");
  command.optional_positional(args.pk);
  command.optional_positional(args.sk);
  command.option("--key", args.key, "JSON", R"(The key: {"pk": {"S": ...}, "sk": {"S": ...}})");
  command.option_drive(args.drive);
}

Addressed addressed(const KeyArgs& args, std::string_view command) {
  if (args.pk.empty() != args.sk.empty() || (args.key && !args.pk.empty())) {
    throw WrongUse(command, "expected FILE PK SK, FILE --key JSON, or FILE:/PATH");
  }
  if (args.key) return {args.file, key_of(item_argument("--key", json_argument(*args.key)))};
  if (!args.pk.empty()) return {args.file, {args.pk, args.sk}};
  const Location location = parse_location(args.file);
  DriveSession session(location.file, args.drive, Access::read);
  session.require_path_keys();
  return {location.file, path_key(args.drive, location.path)};
}

std::string json_argument(std::string_view text) {
  constexpr std::string_view kFile = "file://";
  if (!text.starts_with(kFile)) return std::string(text);
  const std::string name(text.substr(kFile.size()));
  std::ifstream file(name, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw Failure(name, "cannot be read");
  return content;
}

table::Item item_argument(std::string_view option, std::string_view json) {
  std::string why;
  std::optional<table::Item> item = table::from_dynamo_json(json, &why);
  if (!item) throw WrongUse(option, why);
  return *std::move(item);
}

table::Key key_of(table::Item item) {
  const auto is_text = [&](std::string_view name) {
    const table::Value* const value = item.find(name);
    return value != nullptr && value->if_string() != nullptr;
  };
  if (item.size() != 2 || !is_text("pk") || !is_text("sk")) {
    throw table::ValidationError("The provided key element does not match the schema");
  }
  return take_key(item);
}

table::Key take_key(table::Item& item) {
  std::string pk = take_text(item, "pk");
  return {std::move(pk), take_text(item, "sk")};
}

table::Placeholders placeholders_of(const std::optional<std::string>& names,
                                    const std::optional<std::string>& values) {
  std::map<std::string, std::string> name_map;
  table::Item value_map;
  if (names) name_map = names_of(*names);
  if (values) {
    value_map = item_argument("--expression-attribute-values", json_argument(*values));
    if (value_map.empty()) {
      throw table::ValidationError("ExpressionAttributeValues must not be empty");
    }
  }
  return table::Placeholders(std::move(name_map), std::move(value_map));
}

table::Condition RequestExpressions::condition(const std::optional<std::string>& text,
                                               table::ConditionUse use) {
  return text ? table::parse_condition(*text, placeholders_, use) : table::Condition();
}
table::KeyCondition RequestExpressions::key_condition(const std::string& text) {
  return table::parse_key_condition(text, placeholders_);
}
std::vector<table::DocumentPath> RequestExpressions::projection(
    const std::optional<std::string>& text) {
  if (!text) return {};
  return table::parse_projection(*text, placeholders_);
}
table::UpdateExpression RequestExpressions::update(const std::optional<std::string>& text) {
  return text ? table::parse_update(*text, placeholders_) : table::UpdateExpression();
}

RawTable::RawTable(const std::string& file, Access access, const RawOptions& options,
                   std::string_view operation)
    : store_(open_table(file, options.explain ? Access::read : access, options.limits())),
      metered_(std::make_unique<table::MeteredTable>(store_->table(), ledger_, operation)),
      cost_(options.cost) {}

void RawTable::finish(Io& io) {
  metered_.reset();
  if (!cost_) return;
  io.out.flush();  // in this order on a terminal
  show_cost(io, ledger_);
}

ExitStatus answer_request(Io& io, const RawOptions& options, const std::string& file,
                          const std::function<ExitStatus()>& run) {
  try {
    try {
      return run();
    } catch (const table::ValidationError& error) {
      throw DynamoError(file, "ValidationException", error.what());
    }
  } catch (const DynamoError& error) {
    if (options.json) io.out << error.json() << std::flush;
    throw;
  }
}

}  // namespace prefixfs
