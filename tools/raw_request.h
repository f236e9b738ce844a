// What the raw operations (get, query, scan, put, update, delete, batch-get, batch-write, transact)
// have in common: their options, JSON arguments, and the table they ask, each request metered.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "table/expression.h"
#include "table/metered_table.h"
#include "tools/command.h"
#include "tools/session.h"

namespace prefixfs {

struct RawOptions {
  bool json = false;
  bool explain = false;
  bool no_limits = false;
  bool cost = false;
  std::optional<std::string> names, values;  // JSON

  table::Limits limits() const { return no_limits ? table::Limits::none : table::Limits::dynamo; }
};

enum class Expressions { none, names, names_and_values };
void declare_raw(Command& command, RawOptions& options, Expressions expressions);

// Which item: FILE PK SK, FILE --key JSON, or FILE:/PATH.
struct KeyArgs {
  std::string file, pk, sk;
  std::optional<std::string> key;
  std::string drive = "home";
};
void declare_key(Command& command, KeyArgs& args);

struct Addressed {
  std::string file;
  table::Key key;
};
// Throws WrongUse if the key is given in no way, or in two.
Addressed addressed(const KeyArgs& args, std::string_view command);

// A JSON argument as it is, or what a file holds: file://NAME, as the AWS CLI has it.
std::string json_argument(std::string_view text);
// Throws WrongUse: `json` is no item in DynamoDB's JSON.  `option` is what the message names.
table::Item item_argument(std::string_view option, std::string_view json);
// Throws ValidationError unless the item is exactly a key.
table::Key key_of(table::Item item);
// Takes the key out of `item`.  Throws ValidationError if there is none.
table::Key take_key(table::Item& item);

// Throws ValidationError, or WrongUse where JSON is not well-formed.
table::Placeholders placeholders_of(const std::optional<std::string>& names,
                                    const std::optional<std::string>& values);

// Parses what is given, with the placeholders of one request.
class RequestExpressions {
 public:
  RequestExpressions(const std::optional<std::string>& names,
                     const std::optional<std::string>& values)
      : placeholders_(placeholders_of(names, values)) {}

  table::Condition condition(const std::optional<std::string>& text,
                             table::ConditionUse use = table::ConditionUse::condition);
  table::KeyCondition key_condition(const std::string& text);
  std::vector<table::DocumentPath> projection(const std::optional<std::string>& text);
  table::UpdateExpression update(const std::optional<std::string>& text);
  // After all.
  void finish() const { placeholders_.require_all_used(); }

 private:
  table::Placeholders placeholders_;
};

// A file open for the requests of one command.
class RawTable {
 public:
  RawTable(const std::string& file, Access access, const RawOptions& options,
           std::string_view operation);

  table::Table& table() { return *metered_; }
  // What is read here is nobody's request: predictions.
  table::Table& unmetered() { return store_->table(); }
  // Makes what was written durable.
  void sync() { store_->sync(); }
  // Says what it cost, if that was asked for.
  void finish(Io& io);

 private:
  table::Ledger ledger_;
  std::unique_ptr<table::Store> store_;
  std::unique_ptr<table::MeteredTable> metered_;
  bool cost_;
};

// Runs a request.  What DynamoDB would refuse is thrown as a DynamoError, which `--json` shows on
// standard output, too.
ExitStatus answer_request(Io& io, const RawOptions& options, const std::string& file,
                          const std::function<ExitStatus()>& run);

}  // namespace prefixfs
