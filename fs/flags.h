// Feature flags: the second model of MODEL.md, one item a flag under the partition of its
// environment.
//
//   flag          (ENV#<env>, FLAG#<key>)   value S (B where it is not UTF-8), type S, updatedBy S
//   environment   (ENV#<env>, ENV)          made by mkdir; owner S
//
// An environment is there while it has that row or a flag.  All is asked of the table it is given,
// so that it is booked where that is a MeteredTable.  Stateless.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/result.h"
#include "table/table.h"

namespace prefixfs {

struct Flag {
  std::string value;
  std::string type = "string";
  std::string updated_by;
  table::Item extra{};  // attributes this program does not know; kept as they are

  bool operator==(const Flag&) const = default;
};

inline constexpr std::string_view kFlagTypes[] = {"bool", "int", "float", "string", "json"};
bool is_flag_type(std::string_view type);

// Why `value` is no value of `type`: "is no bool: true or false"; nullopt where it is one.  A type
// nobody knows takes any.
std::optional<std::string> flag_problem(std::string_view type, std::string_view value);

table::Item encode_flag(const Flag& flag);
// nullopt: not a flag (no value that is S or B).
std::optional<Flag> decode_flag(const table::Item& item);

struct NamedFlag {
  std::string key;
  Flag flag;
};
struct FlagPage {
  std::vector<NamedFlag> flags;  // in key order
  bool more = false;             // continue after `last`
  std::string last;
};

// One GetItem.
std::optional<Flag> get_flag(table::Table& t, std::string_view env, std::string_view key);
// One Query, of at most `limit` flags (0: a page of 1 MB), after the key `after`.
FlagPage list_flags(table::Table& t, std::string_view env, std::string_view after = {},
                    std::size_t limit = 0);
std::vector<NamedFlag> all_flags(table::Table& t, std::string_view env);
// One Query that evaluates one item.
bool environment_exists(table::Table& t, std::string_view env);
bool has_flags(table::Table& t, std::string_view env);
// One Scan that evaluates one item, for each and one more, since the table knows no list of its
// partitions.
std::vector<std::string> environments(table::Table& t);

table::Put put_of(std::string_view env, std::string_view key, const Flag& flag);
// The environment's own row.
table::Put environment_put(std::string_view env, std::string_view owner);
table::Delete environment_delete(std::string_view env);

// What DynamoDB could not take as an environment or a key: empty, not UTF-8, too long.
std::optional<std::string> flag_name_problem(std::string_view env, std::string_view key);

}  // namespace prefixfs
