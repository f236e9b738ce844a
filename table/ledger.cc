#include "table/ledger.h"

namespace table {

Account& Account::operator+=(const Account& other) {
  calls += other.calls;
  seconds += other.seconds;
  charge += other.charge;
  work += other.work;
  return *this;
}

Account& Account::operator-=(const Account& earlier) {
  calls -= earlier.calls;
  seconds -= earlier.seconds;
  charge -= earlier.charge;
  work -= earlier.work;
  return *this;
}

void Ledger::book(std::string_view operation, const Charge& charge, double seconds,
                  const EngineWork& work) {
  const std::lock_guard lock(mutex_);
  auto at = accounts_.find(operation);
  if (at == accounts_.end()) at = accounts_.emplace(operation, Account{}).first;
  at->second += {.calls = 1, .seconds = seconds, .charge = charge, .work = work};
}

Accounts Ledger::accounts() const {
  const std::lock_guard lock(mutex_);
  return accounts_;
}

Account Ledger::total() const {
  const std::lock_guard lock(mutex_);
  Account total;
  for (const auto& [operation, account] : accounts_) {
    total += account;
  }
  return total;
}

void Ledger::reset() {
  const std::lock_guard lock(mutex_);
  accounts_.clear();
}

}  // namespace table
