#include "table/ledger.h"

namespace table {

void Ledger::book(std::string_view operation, const Charge& charge, double seconds) {
  const std::lock_guard lock(mutex_);
  auto at = accounts_.find(operation);
  if (at == accounts_.end()) at = accounts_.emplace(operation, Account{}).first;
  ++at->second.calls;
  at->second.seconds += seconds;
  at->second.charge += charge;
}

std::map<std::string, Account, std::less<>> Ledger::accounts() const {
  const std::lock_guard lock(mutex_);
  return accounts_;
}

Account Ledger::total() const {
  const std::lock_guard lock(mutex_);
  Account total;
  for (const auto& [operation, account] : accounts_) {
    total.calls += account.calls;
    total.seconds += account.seconds;
    total.charge += account.charge;
  }
  return total;
}

void Ledger::reset() {
  const std::lock_guard lock(mutex_);
  accounts_.clear();
}

}  // namespace table
