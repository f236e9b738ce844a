// Condition is what must hold of the stored item before a write, or of an evaluated item to pass a
// filter: DynamoDB's condition expressions as a tree.
//
// Built by hand, or by parse_condition() of expression.h.  A value type.
//
// What DynamoDB does where one could think otherwise:
//   - Values of different types are not equal and have no order: only "ne" is true of them.
//   - A missing operand is equal to nothing, not even to another missing one: only "ne" is true.
//   - Only S, N and B have an order: that of bytes, of numbers, of bytes.
//   - begins_with: S and B.
//   - contains: a part of an S or B, a member of a set, an element of an L of any type.
//   - size: UTF-16 code units of an S (not its bytes), bytes of a B, members of sets, L and M;
//     of any other type it is missing.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "table/document_path.h"
#include "table/value.h"

namespace table {

enum class Compare { eq, ne, lt, le, gt, ge };

struct SizeOf {
  DocumentPath path;
  bool operator==(const SizeOf&) const = default;
};
using Operand = std::variant<DocumentPath, Value, SizeOf>;

class Condition {
 public:
  struct Always {};
  struct And {
    std::vector<Condition> all;
  };
  struct Or {
    std::vector<Condition> any;
  };
  struct Not {
    std::vector<Condition> one;  // exactly one
  };
  struct Comparison {
    Compare op;
    Operand left, right;
  };
  struct Between {
    Operand value, low, high;
  };
  struct In {
    Operand value;
    std::vector<Operand> list;
  };
  struct Exists {
    DocumentPath path;
    bool wanted = true;  // false: attribute_not_exists
  };
  struct HasType {
    DocumentPath path;
    std::string type;
  };
  struct BeginsWith {
    DocumentPath path;
    Operand prefix;
  };
  struct Contains {
    DocumentPath path;
    Operand part;
  };
  using Node = std::variant<Always, And, Or, Not, Comparison, Between, In, Exists, HasType,
                            BeginsWith, Contains>;

  Condition() : node_(std::make_shared<const Node>(Always{})) {}
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Condition>)
      Condition(T node)  // NOLINT(google-explicit-constructor)
      : node_(std::make_shared<const Node>(std::move(node))) {}

  const Node& node() const { return *node_; }
  bool is_always() const { return std::holds_alternative<Always>(*node_); }

 private:
  std::shared_ptr<const Node> node_;
};

// The two that the file system uses: of the item as a whole (attribute_exists(pk)).
Condition item_exists();
Condition item_absent();
Condition attribute_equals(std::string_view name, Value value);

// `item` is nullptr where no item is stored.  The key attributes pk and sk can be named too; they
// are S.
bool holds(const Condition& condition, std::string_view pk, std::string_view sk, const Item* item);

}  // namespace table
