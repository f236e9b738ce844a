// DynamoDB's expressions, from text to what the table works with: Condition, a key range, document
// paths, UpdateExpression.
//
//   condition  = and-term *( OR and-term )             and-term = not-term *( AND not-term )
//   not-term   = NOT not-term | "(" condition ")" | test
//   test       = operand ( "=" | "<>" | "<" | "<=" | ">" | ">=" ) operand
//              | operand BETWEEN operand AND operand | operand IN "(" operand *( "," operand ) ")"
//              | attribute_exists "(" path ")" | attribute_not_exists "(" path ")"
//              | attribute_type "(" path "," value ")"
//              | begins_with "(" path "," operand ")" | contains "(" path "," operand ")"
//   operand    = path | value | size "(" path ")"
//   path       = attribute *( "." attribute | "[" index "]" )
//   attribute  = name | placeholder                    tokens: expression_lexer.h
//
//   key        = part-test [ AND sort-test ] in any order, sort-test one of = < <= > >= BETWEEN
//                begins_with; both sides of the key in parentheses if wanted
//   projection = path *( "," path )
//   update     = 1*( SET path "=" sum *( "," ... ) | REMOVE path *( "," path )
//                  | ADD path value *( "," ... ) | DELETE path value *( "," ... ) )   each once
//   sum        = term [ ( "+" | "-" ) term ]
//   term       = path | value | if_not_exists "(" path "," sum ")" | list_append "(" sum "," sum
//   ")"
//              | "(" sum ")"
//
// Words of the language are read in any case; functions are not.  What is wrong is said as DynamoDB
// says it, by a ValidationError.

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "table/condition.h"
#include "table/expression_lexer.h"
#include "table/table.h"
#include "table/update_expression.h"

namespace table {

inline constexpr std::size_t kMaxExpressionBytes = 4096;
inline constexpr std::size_t kMaxExpressionOperators = 300;
inline constexpr std::size_t kMaxInOperands = 100;
inline constexpr std::size_t kMaxPathSteps = 32;

// A request that is refused for what it says: DynamoDB's ValidationException.
class ValidationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What "#name" and ":value" stand for, and which of them an expression has used.
class Placeholders {
 public:
  Placeholders() = default;
  // Names with "#" and ":" in front.
  Placeholders(std::map<std::string, std::string> names, Item values);

  // nullptr: not defined.
  const std::string* name(std::string_view placeholder);
  const Value* value(std::string_view placeholder);
  // After all expressions of a request are parsed.  Throws ValidationError naming the unused.
  void require_all_used() const;

 private:
  std::map<std::string, std::string> names_;
  Item values_;
  std::set<std::string, std::less<>> used_;
};

enum class ConditionUse {
  condition,  // ConditionExpression
  filter,     // FilterExpression of a Query: no key attributes
  scan,       // FilterExpression of a Scan
};

struct KeyCondition {
  std::string pk;
  SkCondition sk = SkAll{};
};

Condition parse_condition(std::string_view text, Placeholders& placeholders, ConditionUse use);
KeyCondition parse_key_condition(std::string_view text, Placeholders& placeholders);
std::vector<DocumentPath> parse_projection(std::string_view text, Placeholders& placeholders);
UpdateExpression parse_update(std::string_view text, Placeholders& placeholders);

}  // namespace table
