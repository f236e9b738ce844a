// What put, update and delete share: one write of one item, and its answer.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "table/table.h"
#include "tools/explanation.h"
#include "tools/raw_request.h"

namespace prefixfs {

struct SingleWriteArgs {
  std::optional<std::string> condition;
  std::string return_values = "NONE";
  RawOptions raw;
};
void declare_single_write(Command& command, SingleWriteArgs& args, const std::string& returns);

struct SingleWrite {
  std::string file;
  std::string operation;  // "PutItem"
  std::string name;       // of the command
  table::Write write;
  RequestJson request;  // begun: TableName and what is written
  // What ReturnValues may be.
  std::vector<std::string> returns{"NONE", "ALL_OLD"};
};

// Throws DynamoError if it is refused, ValidationError if it could not be asked.
ExitStatus run_single_write(const SingleWrite& one, const SingleWriteArgs& args, Io& io);

}  // namespace prefixfs
