// Items as a table for people.

#pragma once

#include <span>
#include <string>

#include "table/table.h"
#include "tools/io.h"

namespace prefixfs {

// A value on one line: strings and numbers bare, all else in DynamoDB's JSON.
std::string value_text(const table::Value& value);

// One attribute a line, the key first.
void print_item(Io& io, const table::Key& key, const table::Item& item);

// One item a line: the sort key, then columns where all items have the same purpose (nodes: kind,
// sizeBytes, owner; flags: value, type, updatedBy), else name=value.
void print_rows(Io& io, std::span<const table::Row> rows);

}  // namespace prefixfs
