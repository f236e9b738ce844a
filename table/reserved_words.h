// The words that DynamoDB's expressions do not take as attribute names: those need a placeholder
// ("#name").  Case does not matter.

#pragma once

#include <span>
#include <string_view>

namespace table {

bool is_reserved_word(std::string_view word);
std::span<const std::string_view> reserved_words();  // in capitals, sorted

}  // namespace table
