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

}  // namespace table
