#include "tools/item_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include "table/item_json.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

using table::Item;
using table::Row;

// A longer one is shown whole, and its line is not aligned.
constexpr std::size_t kWidestKey = 60;

std::string shown_value(const Io& io, const table::Value& value) {
  return shown_name(io, value_text(value));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  if (columns < width) text.append(width - columns, ' ');
  return text;
}

using Columns = std::array<std::string_view, 3>;
constexpr Columns kNodeColumns = {"kind", "sizeBytes", "owner"};
constexpr Columns kFlagColumns = {"value", "type", "updatedBy"};

bool all_have(std::span<const Row> rows, std::string_view a, std::string_view b) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return row.item.find(a) != nullptr && row.item.find(b) != nullptr;
  });
}

void print_columns(Io& io, std::span<const Row> rows, std::size_t key_width,
                   const Columns& columns) {
  std::vector<std::array<std::string, 3>> cells(rows.size());
  std::array<std::size_t, 3> widths{};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const table::Value* value = rows[r].item.find(columns[c]);
      cells[r][c] = value ? shown_value(io, *value) : "-";
      widths[c] = std::max(widths[c], std::min(columns_of(cells[r][c]), kWidestKey));
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    io.out << padded(shown_name(io, rows[r].key.sk), key_width) << "  "
           << padded(cells[r][0], widths[0]) << "  " << padded(cells[r][1], widths[1]) << "  "
           << cells[r][2] << '\n';
  }
}

}  // namespace

std::string value_text(const table::Value& value) {
  if (const std::string* text = value.if_string()) return *text;
  if (const table::Number* number = value.if_number()) return number->text();
  return table::to_dynamo_json(value);
}

void print_item(Io& io, const table::Key& key, const Item& item) {
  std::size_t width = 2;
  for (const auto& [name, value] : item.entries()) width = std::max(width, columns_of(name));
  const auto line = [&](std::string_view name, std::string_view type, const std::string& text) {
    io.out << padded(shown_name(io, name), width) << "  " << padded(std::string(type), 4) << "  "
           << text << '\n';
  };
  line("pk", "S", shown_name(io, key.pk));
  line("sk", "S", shown_name(io, key.sk));
  for (const auto& [name, value] : item.entries()) {
    line(name, table::type_name(value.type()), shown_value(io, value));
  }
}

void print_rows(Io& io, std::span<const Row> rows) {
  std::size_t width = 0;
  for (const Row& row : rows) {
    width = std::max(width, std::min(columns_of(shown_name(io, row.key.sk)), kWidestKey));
  }
  if (all_have(rows, "kind", "sizeBytes")) return print_columns(io, rows, width, kNodeColumns);
  if (all_have(rows, "value", "type")) return print_columns(io, rows, width, kFlagColumns);
  for (const Row& row : rows) {
    io.out << padded(shown_name(io, row.key.sk), width);
    if (row.damaged) io.out << "  (attributes cannot be read)";
    for (const auto& [name, value] : row.item.entries()) {
      io.out << "  " << shown_name(io, name) << '=' << shown_value(io, value);
    }
    io.out << '\n';
  }
}

}  // namespace prefixfs
