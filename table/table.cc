#include "table/table.h"

namespace table {

std::string_view status_name(WriteStatus status) {
  switch (status) {
    case WriteStatus::ok:
      return "ok";
    case WriteStatus::condition_failed:
      return "condition failed";
    case WriteStatus::item_too_large:
      return "item too large";
    case WriteStatus::key_too_long:
      return "key too long";
    case WriteStatus::empty_key:
      return "empty key";
    case WriteStatus::missing_attribute:
      return "attribute missing";
    case WriteStatus::bad_path:
      return "no such path";
    case WriteStatus::too_deep:
      return "nested too deep";
    case WriteStatus::wrong_type:
      return "wrong type";
    case WriteStatus::too_many_actions:
      return "too many actions";
    case WriteStatus::duplicate_key:
      return "two actions on one item";
    case WriteStatus::too_large:
      return "request too large";
  }
  return "unknown";
}

WriteStatus apply(const Update& update, Item& item, Stored stored) {
  for (const auto& [name, value] : update.set) item.set(name, value);
  for (const auto& [name, amount] : update.add) {
    const Value* const value = item.find(name);
    const Number* const number = value == nullptr ? nullptr : value->if_number();
    if (value != nullptr && number == nullptr) return WriteStatus::wrong_type;
    const auto sum = add(number == nullptr ? Number() : *number, amount);
    if (!sum) return WriteStatus::wrong_type;
    item.set(name, *sum);
  }
  for (const std::string& name : update.remove) item.erase(name);
  const auto key =
      stored == Stored::yes ? std::optional(StoredKey{update.key.pk, update.key.sk}) : std::nullopt;
  switch (apply(update.expression, item, key)) {
    case UpdateError::none:
      return WriteStatus::ok;
    case UpdateError::bad_path:
      return WriteStatus::bad_path;
    case UpdateError::too_deep:
      return WriteStatus::too_deep;
    case UpdateError::missing_attribute:
      return WriteStatus::missing_attribute;
    case UpdateError::wrong_operand:
    case UpdateError::out_of_range:
      return WriteStatus::wrong_type;
  }
  return WriteStatus::ok;
}

bool only_removes(const Update& update) {
  const UpdateExpression& expression = update.expression;
  if (!update.set.empty() || !update.add.empty()) return false;
  if (!expression.set.empty() || !expression.add.empty()) return false;
  return !update.remove.empty() || !expression.remove.empty() || !expression.erase.empty();
}

}  // namespace table
