// Answers in DynamoDB's own shape (COST.md, "Response shapes").

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/document_path.h"
#include "table/table.h"
#include "tools/io.h"

namespace prefixfs {

// How the table is called in answers: the file's name without its folders.
std::string table_name(std::string_view file);

// "ConsumedCapacity": {...}; batches and transactions have a list of it.
std::string consumed_capacity(std::string_view file, double units);
std::string consumed_capacity_list(std::string_view file, double units);

// The item in DynamoDB's JSON, or the parts of it that `projection` names, if it names any.
std::string item_json(const table::Key& key, const table::Item& item,
                      const std::vector<table::DocumentPath>& projection = {});
// Those parts without the key, for people.
table::Item shown_item(const table::Key& key, const table::Item& item,
                       const std::vector<table::DocumentPath>& projection);

// {"Item": {...}, "ConsumedCapacity": {...}}; without an Item where there is none.
std::string get_answer(std::string_view file, const table::Key& key, const table::GetResult& result,
                       const std::vector<table::DocumentPath>& projection = {});

// Writes {"Items": [...], "Count": ...} while its pages come, so that no page has to be kept.
class QueryAnswer {
 public:
  enum class Shows { items, count };
  QueryAnswer(Io& io, std::string_view file, Shows shows,
              std::vector<table::DocumentPath> projection)
      : io_(io), file_(file), shows_(shows), projection_(std::move(projection)) {}

  void page(const table::QueryResult& page);
  void finish();

 private:
  Io& io_;
  std::string file_;
  Shows shows_;
  std::vector<table::DocumentPath> projection_;
  bool begun_ = false;
  std::size_t count_ = 0;
  std::size_t scanned_ = 0;
  double units_ = 0;
  std::optional<table::Key> last_;
};

}  // namespace prefixfs
