#include "tools/request_list.h"

#include <algorithm>

#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"

namespace prefixfs {
namespace {

void require_name(std::string_view file, const std::string& table) {
  if (table == table_name(file)) return;
  throw DynamoError(file, "ResourceNotFoundException",
                    "Requested resource not found: Table: " + table +
                        " not found; the table of this file is called " + table_name(file));
}

}  // namespace

Json json_document(std::string_view option, std::string_view text) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) throw WrongUse(option, "is no JSON");
  return document;
}

std::string member_json(std::string_view option, const Json& object, const char* name) {
  std::optional<std::string> json = maybe_json(object, name);
  if (!json) throw WrongUse(option, std::string(name) + " is missing");
  return *std::move(json);
}

std::optional<std::string> member_text(std::string_view option, const Json& object,
                                       const char* name) {
  if (!object.is_object() || !object.contains(name)) return std::nullopt;
  if (!object[name].is_string()) throw WrongUse(option, std::string(name) + " needs a string");
  return object[name].get<std::string>();
}

std::optional<std::string> maybe_json(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) return std::nullopt;
  return object[name].dump();
}

void require_members(std::string_view option, const Json& object,
                     const std::vector<std::string_view>& known) {
  if (!object.is_object()) throw WrongUse(option, "expected an object");
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw WrongUse(option, "unknown member " + name);
    }
  }
}

Json of_the_table(std::string_view option, std::string_view file, Json document) {
  if (document.is_array()) return document;
  if (!document.is_object() || document.empty()) {
    throw WrongUse(option, "expected {\"TABLE\": ...} or an array");
  }
  for (const auto& [table, what] : document.items()) require_name(file, table);
  return document.begin().value();
}

void require_table(std::string_view option, std::string_view file, const Json& action) {
  if (const auto table = member_text(option, action, "TableName")) require_name(file, *table);
}

}  // namespace prefixfs
