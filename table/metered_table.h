// MeteredTable decorates a Table for the length of one file system operation and books what it
// consumed, failures and misses included, and what the engine did for it, when it goes out of
// scope.  Lives on the stack of that operation: attribution needs no thread-local and no global.
// For one thread.

#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "table/ledger.h"
#include "table/store.h"
#include "table/table.h"

namespace table {

class MeteredTable final : public Table {
 public:
  // `operation` must outlive this: a literal.
  MeteredTable(Table& inner, Ledger& ledger, std::string_view operation);
  // `subject()` says what it is done to, as a std::string; called where somebody traces.
  template <class Subject>
  MeteredTable(Table& inner, Ledger& ledger, std::string_view operation, Subject&& subject)
      : MeteredTable(inner, ledger, operation) {
    if (ledger.tracing()) subject_ = subject();
  }
  ~MeteredTable() override;

  const Charge& charge() const { return sum_; }  // so far

  // Work of the engine for this operation that came through no verb of the table.
  void add(const EngineWork& work) { work_ += work; }

  GetResult get(const Key& key, Consistency consistency) override;
  BatchGetResult batch_get(std::span<const Key> keys, Consistency consistency) override;
  QueryResult query(const Query& query) override;
  QueryResult scan(const Scan& scan) override;
  ListResult list(const ListChildren& list) override;
  CountResult count(const Count& count) override;
  WriteResult write(const Write& write) override;
  WriteResult batch_write(std::span<const Write> writes) override;
  WriteResult transact(std::span<const Action> actions) override;
  WriteResult apply(std::span<const Action> actions) override;

 private:
  Table& inner_;
  Ledger& ledger_;
  std::string_view operation_;
  std::string subject_;                // kept where somebody traces, like
  std::vector<std::string> requests_;  // what was asked
  std::chrono::steady_clock::time_point start_;
  Charge sum_;
  EngineWork work_;
};

// Books on an operation what the engine does for its content while this exists.
// REQUIRES: inside a Step, and no verb of the table meanwhile
class ContentWork {
 public:
  ContentWork(Store& store, MeteredTable& table);
  ContentWork(const ContentWork&) = delete;
  ContentWork& operator=(const ContentWork&) = delete;
  ~ContentWork();

 private:
  Store& store_;
  MeteredTable& table_;
  EngineWork before_;
};

}  // namespace table
