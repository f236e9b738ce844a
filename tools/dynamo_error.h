// A request that DynamoDB would refuse, under the name and in the words of DynamoDB.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "table/table.h"
#include "tools/failure.h"

namespace prefixfs {

// Why one action of a cancelled transaction could not be done; code "None" where it could.
struct CancellationReason {
  std::string code;
  std::string message{};
};

// "prefixfs: FILE: ConditionalCheckFailedException: The conditional request failed, which cost 1
// write unit", exit status 1.
class DynamoError : public Failure {
 public:
  DynamoError(std::string_view file, std::string_view name, std::string_view message,
              double write_units = 0, std::vector<CancellationReason> reasons = {});

  // {"__type": "...#NAME", "message": ...}, a line.
  const std::string& json() const { return json_; }

 private:
  std::string json_;
};

// What is wrong with a write of one item.  REQUIRES: !result.ok()
DynamoError write_error(std::string_view file, const table::Write& write,
                        const table::WriteResult& result);
// The same of BatchWriteItem and TransactWriteItems.
DynamoError batch_error(std::string_view file, const table::WriteResult& result);
DynamoError transaction_error(std::string_view file, const table::WriteResult& result);

// Throws table::ValidationError for a key that DynamoDB would not take.
void require_key(const table::Key& key, table::Limits limits);

}  // namespace prefixfs
