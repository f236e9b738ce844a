#include "table/metered_table.h"

#include <utility>

#include "table/request_text.h"

namespace table {

MeteredTable::MeteredTable(Table& inner, Ledger& ledger, std::string_view operation)
    : inner_(inner),
      ledger_(ledger),
      operation_(operation),
      start_(std::chrono::steady_clock::now()) {}

MeteredTable::~MeteredTable() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  ledger_.book(operation_, sum_, elapsed.count(), work_);
  if (!ledger_.tracing()) return;
  ledger_.trace({operation_, std::move(subject_), std::move(requests_), sum_, elapsed.count()});
}

ContentWork::ContentWork(Store& store, MeteredTable& table)
    : store_(store), table_(table), before_(store.work()) {}

ContentWork::~ContentWork() {
  EngineWork work = store_.work();
  work -= before_;
  table_.add(work);
}

GetResult MeteredTable::get(const Key& key, Consistency consistency) {
  GetResult result = inner_.get(key, consistency);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(key, result));
  return result;
}

BatchGetResult MeteredTable::batch_get(std::span<const Key> keys, Consistency consistency) {
  BatchGetResult result = inner_.batch_get(keys, consistency);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(keys, result));
  return result;
}

QueryResult MeteredTable::query(const Query& query) {
  QueryResult result = inner_.query(query);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(query, result));
  return result;
}

QueryResult MeteredTable::scan(const Scan& scan) {
  QueryResult result = inner_.scan(scan);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(scan, result));
  return result;
}

ListResult MeteredTable::list(const ListChildren& list) {
  ListResult result = inner_.list(list);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(list, result));
  return result;
}

CountResult MeteredTable::count(const Count& count) {
  CountResult result = inner_.count(count);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(count, result));
  return result;
}

WriteResult MeteredTable::write(const Write& write) {
  WriteResult result = inner_.write(write);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) {
    const Action action = std::visit([](const auto& one) { return Action(one); }, write);
    requests_.push_back(text_of(std::span(&action, 1), result));
  }
  return result;
}

WriteResult MeteredTable::batch_write(std::span<const Write> writes) {
  WriteResult result = inner_.batch_write(writes);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back("BatchWriteItem " + std::to_string(writes.size()));
  return result;
}

WriteResult MeteredTable::transact(std::span<const Action> actions) {
  WriteResult result = inner_.transact(actions);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(actions, result));
  return result;
}

WriteResult MeteredTable::apply(std::span<const Action> actions) {
  WriteResult result = inner_.apply(actions);
  sum_ += result.charge;
  work_ += result.work;
  if (ledger_.tracing()) requests_.push_back(text_of(actions, result));
  return result;
}

}  // namespace table
