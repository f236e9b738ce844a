// The statements that SqliteTable runs on the items.

#pragma once

#include <string_view>

namespace table::sql {

inline constexpr std::string_view kGet = "SELECT attrs FROM item WHERE pk = ?1 AND sk = ?2";
// On a table whose only index is its key, REPLACE overwrites in one descent.
inline constexpr std::string_view kPut =
    "INSERT OR REPLACE INTO item(pk, sk, attrs) VALUES(?1, ?2, ?3)";
inline constexpr std::string_view kDelete = "DELETE FROM item WHERE pk = ?1 AND sk = ?2";
inline constexpr std::string_view kForward =
    "SELECT sk, attrs FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk";
inline constexpr std::string_view kBackward =
    "SELECT sk, attrs FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC";
// Another tool may have put BLOBs there, which sort behind all text.
inline constexpr std::string_view kScan =
    "SELECT pk, sk, attrs FROM item WHERE (pk, sk) >= (?1, ?2) AND pk < x'' AND sk < x'' "
    "ORDER BY pk, sk";
inline constexpr std::string_view kErase =
    "DELETE FROM item WHERE pk = ?1 AND sk >= ?2 AND sk < ?3";

}  // namespace table::sql
