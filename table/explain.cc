#include "table/explain.h"

#include <fmt/format.h>

#include <vector>

#include "table/item_json.h"
#include "table/item_sql.h"

namespace table {
namespace {

// Any bytes as an SQL literal: those that a quoted text cannot hold, or a terminal would not show,
// are spelt in hexadecimal.
std::string literal(std::string_view text) {
  bool plain = is_utf8(text);
  for (const char c : text) plain = plain && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  std::string sql;
  if (!plain) {
    for (const char c : text) sql += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return "CAST(x'" + sql + "' AS TEXT)";
  }
  for (const char c : text) sql += c == '\'' ? "''" : std::string(1, c);
  return "'" + sql + "'";
}

// Puts the values in the place of "?1", "?2", ...
std::string bound(std::string_view statement, const std::vector<std::string>& values) {
  std::string sql;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    if (statement[i] == '?') {
      sql += values[static_cast<std::size_t>(statement[++i] - '1')];
    } else {
      sql += statement[i];
    }
  }
  return sql + ";";
}

}  // namespace

KeyRange range_of(const Query& query) {
  KeyRange range = range_of(query.sk);
  if (!query.exclusive_start) return range;
  return after(std::move(range), *query.exclusive_start, query.direction);
}

Key start_of(const Scan& scan) {
  if (!scan.exclusive_start) return {};
  return {scan.exclusive_start->pk, successor(scan.exclusive_start->sk)};
}

std::string sql_of(const Query& query) {
  const KeyRange range = range_of(query);
  return bound(query.direction == Direction::forward ? sql::kForward : sql::kBackward,
               // A BLOB sorts behind all text.
               {literal(query.pk), literal(range.low), range.high ? literal(*range.high) : "x''"});
}

std::string sql_of(const Scan& scan) {
  const Key start = start_of(scan);
  return bound(sql::kScan, {literal(start.pk), literal(start.sk)});
}

std::string sql_of_get(const Key& key) {
  return bound(sql::kGet, {literal(key.pk), literal(key.sk)});
}

std::string sql_of_put(const Key& key, const Item& item) {
  return bound(sql::kPut, {literal(key.pk), literal(key.sk), literal(encode_item(item))});
}

std::string sql_of_delete(const Key& key) {
  return bound(sql::kDelete, {literal(key.pk), literal(key.sk)});
}

}  // namespace table
