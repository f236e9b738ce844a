#include "table/store.h"

#include <spdlog/spdlog.h>

#include "table/sqlite_store.h"

namespace table {

std::unique_ptr<Store> Store::open(const std::string& file, const StoreOptions& options) {
  return std::make_unique<SqliteStore>(file, options);
}

Store::Step::Step(Store& store) : store_(store) { store_.begin_step(); }

Store::Step::~Step() {
  if (!open_) return;
  try {
    store_.end_step(/*keep=*/false);
  } catch (const std::exception& error) {
    // Whoever unwinds past here has an error of his own to report.
    spdlog::error("{}", error.what());
  }
}

void Store::Step::done() {
  open_ = false;
  store_.end_step(/*keep=*/true);
}

}  // namespace table
