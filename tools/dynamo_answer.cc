#include "tools/dynamo_answer.h"

#include <fmt/format.h>

#include "table/item_json.h"

namespace prefixfs {
namespace {

table::Item projected(const table::Key& key, const table::Item& item,
                      const std::vector<table::DocumentPath>& projection) {
  table::Item whole = item;
  whole.set("pk", key.pk);
  whole.set("sk", key.sk);
  return table::project(whole, projection);
}

std::string capacity_object(std::string_view file, double units) {
  return fmt::format(R"({{"TableName": {}, "CapacityUnits": {}}})",
                     table::json_string(table_name(file)), units);
}

}  // namespace

std::string table_name(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
}

std::string consumed_capacity(std::string_view file, double units) {
  return "\"ConsumedCapacity\": " + capacity_object(file, units);
}

std::string consumed_capacity_list(std::string_view file, double units) {
  return "\"ConsumedCapacity\": [" + capacity_object(file, units) + "]";
}

std::string item_json(const table::Key& key, const table::Item& item,
                      const std::vector<table::DocumentPath>& projection) {
  if (projection.empty()) return table::to_dynamo_json(key.pk, key.sk, item);
  return table::to_dynamo_json(projected(key, item, projection));
}

table::Item shown_item(const table::Key& key, const table::Item& item,
                       const std::vector<table::DocumentPath>& projection) {
  if (projection.empty()) return item;
  table::Item shown = projected(key, item, projection);
  shown.erase("pk");
  shown.erase("sk");
  return shown;
}

std::string get_answer(std::string_view file, const table::Key& key, const table::GetResult& result,
                       const std::vector<table::DocumentPath>& projection) {
  std::string answer = "{";
  if (result.item) answer += "\"Item\": " + item_json(key, *result.item, projection) + ", ";
  return answer + consumed_capacity(file, result.charge.read_units) + "}\n";
}

void QueryAnswer::page(const table::QueryResult& page) {
  if (!begun_) io_.out << (shows_ == Shows::items ? "{\"Items\": [" : "{");
  begun_ = true;
  for (const table::Row& row : page.rows) {
    if (shows_ == Shows::items) {
      io_.out << (count_ == 0 ? "" : ", ") << item_json(row.key, row.item, projection_);
    }
    ++count_;
  }
  scanned_ += page.scanned;
  units_ += page.charge.read_units;
  last_ = page.last;
}

void QueryAnswer::finish() {
  if (shows_ == Shows::items) io_.out << "], ";
  io_.out << "\"Count\": " << count_ << ", \"ScannedCount\": " << scanned_ << ", ";
  if (last_) io_.out << "\"LastEvaluatedKey\": " << item_json(*last_, {}) << ", ";
  io_.out << consumed_capacity(file_, units_) << "}\n";
}

}  // namespace prefixfs
