// `--explain`: what a request is, which keys it touches, the SQL it becomes and what it would cost,
// without running it.  The prediction looks at the items as they are now.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/key_range.h"
#include "table/table.h"
#include "tools/io.h"

namespace prefixfs {

// An object of DynamoDB's API, members in the order they are added.
class RequestJson {
 public:
  RequestJson& add(std::string_view name, std::string_view json);
  RequestJson& add_text(std::string_view name, std::string_view text);
  // Not at all, if there is none.
  RequestJson& maybe(std::string_view name, const std::optional<std::string>& json);
  RequestJson& maybe_text(std::string_view name, const std::optional<std::string>& text);
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

std::string key_json(const table::Key& key);

struct Explanation {
  std::string operation;  // "Query"
  std::string request;    // JSON
  struct Keys {
    std::optional<std::string> pk;  // nullopt: all partitions
    table::KeyRange sk{};
    bool single = false;  // one key, sk.low
  };
  std::vector<Keys> keys{};
  std::vector<std::string> sql{};
  table::Charge predicted{};
  std::vector<std::string> notes{};
};

enum class Requests { plain, transaction };

// Adds what the actions touch, become and cost: doubled in a transaction, and as a failed
// request where a condition does not hold now.
void explain_writes(Explanation& explanation, table::Table& table,
                    std::span<const table::Action> actions, Requests requests);

void print_explanation(Io& io, bool json, const Explanation& explanation);

}  // namespace prefixfs
