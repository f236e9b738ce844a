// Requests to a table as one short text each, for traces: "GetItem DRIVE#home PATH#/docs".

#pragma once

#include <span>
#include <string>

#include "table/table.h"

namespace table {

std::string text_of(const Key& key, const GetResult& result);
std::string text_of(std::span<const Key> keys, const BatchGetResult& result);
std::string text_of(const Query& query, const QueryResult& result);
std::string text_of(const Scan& scan, const QueryResult& result);
std::string text_of(const ListChildren& list, const ListResult& result);
std::string text_of(const Count& count, const CountResult& result);
// "Put PATH#/a + Update PATH#/", many of one kind as "25 Puts".
std::string text_of(std::span<const Action> actions, const WriteResult& result);

}  // namespace table
