// What requests become on the embedded engine, for people: the SQL with its values in it, to be
// pasted into an SQL shell.  Runs nothing.

#pragma once

#include <string>

#include "table/key_range.h"
#include "table/table.h"

namespace table {

// Without a limit: the engine stops stepping when the page is full.
std::string sql_of(const Query& query);
std::string sql_of(const Scan& scan);

std::string sql_of_get(const Key& key);
std::string sql_of_put(const Key& key, const Item& item);
std::string sql_of_delete(const Key& key);

// What a page of `query` is read from.
KeyRange range_of(const Query& query);
// Where a page of `scan` begins.
Key start_of(const Scan& scan);

}  // namespace table
