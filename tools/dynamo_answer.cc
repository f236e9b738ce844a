#include "tools/dynamo_answer.h"

#include <fmt/format.h>

#include "table/item_json.h"

namespace prefixfs {
namespace {

std::string consumed_capacity(std::string_view file, double units) {
  return fmt::format(R"("ConsumedCapacity": {{"TableName": {}, "CapacityUnits": {}}})",
                     table::json_string(table_name(file)), units);
}

}  // namespace

std::string table_name(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
}

std::string get_answer(std::string_view file, const table::Key& key,
                       const table::GetResult& result) {
  std::string answer = "{";
  if (result.item) {
    answer += "\"Item\": " + table::to_dynamo_json(key.pk, key.sk, *result.item) + ", ";
  }
  return answer + consumed_capacity(file, result.charge.read_units) + "}\n";
}

void QueryAnswer::page(const table::QueryResult& page) {
  if (!begun_) io_.out << "{\"Items\": [";
  begun_ = true;
  for (const table::Row& row : page.rows) {
    io_.out << (count_ == 0 ? "" : ", ") << table::to_dynamo_json(row.key.pk, row.key.sk, row.item);
    ++count_;
  }
  scanned_ += page.scanned;
  units_ += page.charge.read_units;
  last_ = page.last;
}

void QueryAnswer::finish() {
  io_.out << "], \"Count\": " << count_ << ", \"ScannedCount\": " << scanned_ << ", ";
  if (last_) {
    io_.out << "\"LastEvaluatedKey\": {\"pk\": {\"S\": " << table::json_string(last_->pk)
            << "}, \"sk\": {\"S\": " << table::json_string(last_->sk) << "}}, ";
  }
  io_.out << consumed_capacity(file_, units_) << "}\n";
}

}  // namespace prefixfs
