#include "table/metered_table.h"

namespace table {

MeteredTable::MeteredTable(Table& inner, Ledger& ledger, std::string_view operation)
    : inner_(inner),
      ledger_(ledger),
      operation_(operation),
      start_(std::chrono::steady_clock::now()) {}

MeteredTable::~MeteredTable() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  ledger_.book(operation_, sum_, elapsed.count());
}

GetResult MeteredTable::get(const Key& key, Consistency consistency) {
  GetResult result = inner_.get(key, consistency);
  sum_ += result.charge;
  return result;
}

BatchGetResult MeteredTable::batch_get(std::span<const Key> keys, Consistency consistency) {
  BatchGetResult result = inner_.batch_get(keys, consistency);
  sum_ += result.charge;
  return result;
}

QueryResult MeteredTable::query(const Query& query) {
  QueryResult result = inner_.query(query);
  sum_ += result.charge;
  return result;
}

QueryResult MeteredTable::scan(const Scan& scan) {
  QueryResult result = inner_.scan(scan);
  sum_ += result.charge;
  return result;
}

ListResult MeteredTable::list(const ListChildren& list) {
  ListResult result = inner_.list(list);
  sum_ += result.charge;
  return result;
}

CountResult MeteredTable::count(const Count& count) {
  CountResult result = inner_.count(count);
  sum_ += result.charge;
  return result;
}

WriteResult MeteredTable::write(const Write& write) {
  WriteResult result = inner_.write(write);
  sum_ += result.charge;
  return result;
}

WriteResult MeteredTable::batch_write(std::span<const Write> writes) {
  WriteResult result = inner_.batch_write(writes);
  sum_ += result.charge;
  return result;
}

WriteResult MeteredTable::transact(std::span<const Action> actions) {
  WriteResult result = inner_.transact(actions);
  sum_ += result.charge;
  return result;
}

WriteResult MeteredTable::apply(std::span<const Action> actions) {
  WriteResult result = inner_.apply(actions);
  sum_ += result.charge;
  return result;
}

}  // namespace table
