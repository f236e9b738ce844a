// Ledger adds up what each file system operation consumed, and tells of each as it happens to
// whoever traces.  Thread-safe.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "table/capacity.h"
#include "table/engine_work.h"

namespace table {

struct Account {
  std::uint64_t calls = 0;
  double seconds = 0;
  Charge charge;
  EngineWork work;

  Account& operator+=(const Account& other);
  Account& operator-=(const Account& earlier);  // what came since
};

// What each operation consumed, by its name.
using Accounts = std::map<std::string, Account, std::less<>>;

// One operation, for a trace.
struct Traced {
  std::string_view operation;
  std::string subject;                // what it was done to: a path, or two
  std::vector<std::string> requests;  // what it became, in order
  Charge charge;
  double seconds = 0;
};

class Ledger {
 public:
  void book(std::string_view operation, const Charge& charge, double seconds,
            const EngineWork& work = {});
  Accounts accounts() const;
  Account total() const;
  void reset();

  // Called for each operation booked by a MeteredTable, on the operation's thread.  Set before use.
  void trace_to(std::function<void(const Traced&)> tracer) { tracer_ = std::move(tracer); }
  bool tracing() const { return static_cast<bool>(tracer_); }
  void trace(const Traced& traced) const { tracer_(traced); }

 private:
  std::function<void(const Traced&)> tracer_;
  mutable std::mutex mutex_;
  Accounts accounts_;  // guarded by mutex_
};

}  // namespace table
