// Ledger adds up what each file system operation consumed.  Thread-safe.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "table/capacity.h"

namespace table {

struct Account {
  std::uint64_t calls = 0;
  double seconds = 0;
  Charge charge;
};

class Ledger {
 public:
  void book(std::string_view operation, const Charge& charge, double seconds);
  std::map<std::string, Account, std::less<>> accounts() const;
  Account total() const;
  void reset();

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Account, std::less<>> accounts_;  // guarded by mutex_
};

}  // namespace table
