// Answers of get and query in DynamoDB's own shape (COST.md, "Response shapes").

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "table/table.h"
#include "tools/io.h"

namespace prefixfs {

// How the table is called in answers: the file's name without its folders.
std::string table_name(std::string_view file);

// {"Item": {...}, "ConsumedCapacity": {...}}; without an Item where there is none.
std::string get_answer(std::string_view file, const table::Key& key,
                       const table::GetResult& result);

// Writes {"Items": [...], "Count": ...} while its pages come, so that no page has to be kept.
class QueryAnswer {
 public:
  QueryAnswer(Io& io, std::string_view file) : io_(io), file_(file) {}

  void page(const table::QueryResult& page);
  void finish();

 private:
  Io& io_;
  std::string file_;
  bool begun_ = false;
  std::size_t count_ = 0;
  std::size_t scanned_ = 0;
  double units_ = 0;
  std::optional<table::Key> last_;
};

}  // namespace prefixfs
