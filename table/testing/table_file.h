// What tests do to a table file behind the Store's back.

#pragma once

#include <string>

#include "table/store.h"

namespace table {

// What SQLite's integrity check says: "ok", or what is wrong.
std::string integrity(Store& store);

// Copies what the log holds into the main file on a connection of its own, as the background thread
// of a store does now and then.
void checkpoint(const std::string& file);

}  // namespace table
