// The JSON of requests on several items: --request-items and --transact-items.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/table.h"

namespace prefixfs {

using Json = nlohmann::ordered_json;

// Throws WrongUse naming `option`: not JSON.
Json json_document(std::string_view option, std::string_view text);

// The member as the JSON it is; throws WrongUse if it is missing.
std::string member_json(std::string_view option, const Json& object, const char* name);
// The text of a member; nullopt: there is none.  Throws WrongUse: no text.
std::optional<std::string> member_text(std::string_view option, const Json& object,
                                       const char* name);
// The JSON of a member that may be missing.
std::optional<std::string> maybe_json(const Json& object, const char* name);

// Throws WrongUse if `object` has a member of another name.
void require_members(std::string_view option, const Json& object,
                     const std::vector<std::string_view>& known);

// What is asked of the one table of `file`: {"TABLE": what}, or `what` itself where it is an array.
// Throws DynamoError: another table, or more than one.
Json of_the_table(std::string_view option, std::string_view file, Json document);
// The same for "TableName" inside an action, which may be missing.
void require_table(std::string_view option, std::string_view file, const Json& action);

}  // namespace prefixfs
