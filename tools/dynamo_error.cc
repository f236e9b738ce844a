#include "tools/dynamo_error.h"

#include <fmt/format.h>

#include "table/expression.h"
#include "table/item_json.h"
#include "tools/dynamo_answer.h"
#include "tools/figures.h"

namespace prefixfs {
namespace {

using table::WriteStatus;

constexpr std::string_view kValidation = "ValidationException";

std::string with_cost(std::string_view message, double units) {
  std::string text(message);
  if (units > 0) text += ", which cost " + units_text(units, "write");
  return text;
}

std::string json_of(std::string_view file, std::string_view name, std::string_view message,
                    double units, const std::vector<CancellationReason>& reasons) {
  std::string json =
      fmt::format(R"({{"__type": "com.amazonaws.dynamodb.v20120810#{}", "message": {})", name,
                  table::json_string(message));
  const char* separator = R"(, "CancellationReasons": [)";
  for (const CancellationReason& reason : reasons) {
    json += separator + fmt::format(R"({{"Code": "{}")", reason.code);
    if (!reason.message.empty()) {
      json += ", \"Message\": " + table::json_string(reason.message);
    }
    json += "}";
    separator = ", ";
  }
  if (!reasons.empty()) json += "]";
  if (units > 0) json += ", " + consumed_capacity(file, units);
  return json + "}\n";
}

std::string empty_key_text(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty string value. Key: {}",
      attribute);
}

std::string message_of(WriteStatus status) {
  switch (status) {
    case WriteStatus::condition_failed:
      return "The conditional request failed";
    case WriteStatus::item_too_large:
      return "Item size has exceeded the maximum allowed size";
    case WriteStatus::key_too_long:
      return "One or more parameter values were invalid: a key is longer than 2048 (pk) or 1024 "
             "(sk) bytes";
    case WriteStatus::empty_key:
      return empty_key_text("pk or sk");
    case WriteStatus::missing_attribute:
      return "The provided expression refers to an attribute that does not exist in the item";
    case WriteStatus::bad_path:
      return "The document path provided in the update expression is invalid for update";
    case WriteStatus::too_deep:
      return "Nesting Levels have exceeded supported limits";
    case WriteStatus::wrong_type:
      return "An operand in the update expression has an incorrect data type";
    case WriteStatus::ok:
    case WriteStatus::too_many_actions:
    case WriteStatus::duplicate_key:
    case WriteStatus::too_large:
      break;
  }
  return std::string(table::status_name(status));
}

// What is wrong with a request as a whole is no reason of an action.
bool of_the_request(WriteStatus status) {
  return status == WriteStatus::too_many_actions || status == WriteStatus::duplicate_key ||
         status == WriteStatus::too_large || status == WriteStatus::key_too_long ||
         status == WriteStatus::empty_key;
}

CancellationReason reason_of(WriteStatus status) {
  if (status == WriteStatus::ok) return {"None"};
  if (status == WriteStatus::condition_failed) {
    return {"ConditionalCheckFailed", message_of(status)};
  }
  return {"ValidationError", message_of(status)};
}

}  // namespace

DynamoError::DynamoError(std::string_view file, std::string_view name, std::string_view message,
                         double write_units, std::vector<CancellationReason> reasons)
    : Failure(file, std::string(name) + ": " + with_cost(message, write_units)),
      json_(json_of(file, name, message, write_units, reasons)) {}

DynamoError write_error(std::string_view file, const table::Write& write,
                        const table::WriteResult& result) {
  const bool failed = result.status == WriteStatus::condition_failed;
  std::string message = message_of(result.status);
  if (result.status == WriteStatus::item_too_large &&
      std::holds_alternative<table::Update>(write)) {
    message = "Item size to update has exceeded the maximum allowed size";
  }
  return DynamoError(file, failed ? "ConditionalCheckFailedException" : kValidation, message,
                     result.charge.write_units);
}

DynamoError batch_error(std::string_view file, const table::WriteResult& result) {
  std::string message = message_of(result.status);
  if (result.status == WriteStatus::too_many_actions) {
    message = "Too many items requested for the BatchWriteItem call";
  } else if (result.status == WriteStatus::duplicate_key) {
    message = "Provided list of item keys contains duplicates";
  } else if (result.status == WriteStatus::too_large) {
    message = "The items of the request are larger than 16 MB";
  }
  return DynamoError(file, kValidation, message);
}

DynamoError transaction_error(std::string_view file, const table::WriteResult& result) {
  if (of_the_request(result.status)) {
    std::string message = message_of(result.status);
    if (result.status == WriteStatus::too_many_actions) {
      message =
          "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: "
          "Member must have length less than or equal to 100";
    } else if (result.status == WriteStatus::duplicate_key) {
      message = "Transaction request cannot include multiple operations on one item";
    } else if (result.status == WriteStatus::too_large) {
      message = "The items of the transaction are larger than 4 MB";
    }
    return DynamoError(file, kValidation, message);
  }
  std::vector<CancellationReason> reasons;
  std::string codes;
  for (const WriteStatus status : result.reasons) {
    reasons.push_back(reason_of(status));
    codes += (codes.empty() ? "" : ", ") + reasons.back().code;
  }
  return DynamoError(file, "TransactionCanceledException",
                     "Transaction cancelled, please refer cancellation reasons for specific "
                     "reasons [" +
                         codes + "]",
                     result.charge.write_units, std::move(reasons));
}

void require_key(const table::Key& key, table::Limits limits) {
  if (key.pk.empty()) throw table::ValidationError(empty_key_text("pk"));
  if (key.sk.empty()) throw table::ValidationError(empty_key_text("sk"));
  if (limits == table::Limits::none) return;
  if (key.pk.size() > table::kMaxPkBytes) {
    throw table::ValidationError(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
        "limit of 2048 bytes");
  }
  if (key.sk.size() > table::kMaxSkBytes) {
    throw table::ValidationError(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
        "the size limit of 1024 bytes");
  }
}

}  // namespace prefixfs
