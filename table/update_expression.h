// UpdateExpression is what an UpdateItem does to an item: DynamoDB's update expressions as a tree.
//
// A value type.  All that is read is read of the item before the update.

#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "table/document_path.h"
#include "table/value.h"

namespace table {

enum class UpdateError {
  none,
  bad_path,           // a parent of the path does not exist, or is neither map nor list
  missing_attribute,  // an operand names nothing
  wrong_operand,      // + and - of what is no number, list_append of what is no list, ADD, DELETE
  out_of_range,       // a sum that is no Number
  too_deep,           // lists and maps would nest more than 32 deep
};

struct SetTerm {
  struct Path {
    DocumentPath path;
  };
  struct IfNotExists {
    DocumentPath path;
    std::vector<SetTerm> otherwise;  // exactly one
  };
  struct ListAppend {
    std::vector<SetTerm> lists;  // exactly two
  };
  struct Sum {
    std::vector<SetTerm> terms;  // exactly two
    bool minus = false;
  };
  std::variant<Value, Path, IfNotExists, ListAppend, Sum> what;
};

struct UpdateExpression {
  struct Set {
    DocumentPath path;
    SetTerm value;
  };
  struct Add {  // a number to a number, members to a set; to nothing, either begins
    DocumentPath path;
    Value value;
  };
  struct Delete {  // members of a set; the attribute goes with the last
    DocumentPath path;
    Value members;
  };
  std::vector<Set> set{};
  std::vector<DocumentPath> remove{};
  std::vector<Add> add{};
  std::vector<Delete> erase{};

  bool empty() const { return set.empty() && remove.empty() && add.empty() && erase.empty(); }
};

// The key of an item that is stored, which operands may read.
struct StoredKey {
  std::string_view pk, sk;
};

// Changes `item` as a whole or, with an error, not at all.  Without `key`, nothing is stored yet.
UpdateError apply(const UpdateExpression& update, Item& item,
                  const std::optional<StoredKey>& key = {});

}  // namespace table
