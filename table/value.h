// Value is one attribute value of any DynamoDB type; Item is a set of named values.
//
// Values first: copyable, comparable, no I/O.  An Item here never contains the key attributes pk
// and sk; those travel beside it as a Key.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "table/number.h"

namespace table {

struct Value;

// Attributes sorted by name (unsigned bytes), each name once.  Small, so a vector.
class Item {
 public:
  using Entry = std::pair<std::string, Value>;

  Item();
  Item(std::initializer_list<Entry> entries);
  Item(const Item&);
  Item(Item&&) noexcept;
  Item& operator=(const Item&);
  Item& operator=(Item&&) noexcept;
  ~Item();

  const Value* find(std::string_view name) const;  // nullptr: absent
  Value* find(std::string_view name);
  void set(std::string_view name, Value value);  // inserts or replaces
  bool erase(std::string_view name);             // false: was absent

  void reserve(std::size_t attributes);

  bool empty() const;
  std::size_t size() const;
  const std::vector<Entry>& entries() const { return entries_; }

  bool operator==(const Item& other) const;

 private:
  std::vector<Entry> entries_;
};

struct Binary {
  std::string bytes;
  auto operator<=>(const Binary&) const = default;
};
struct Null {
  auto operator<=>(const Null&) const = default;
};
using List = std::vector<Value>;
// Sets are kept sorted and without duplicates; DynamoDB knows no empty set.
struct StringSet {
  std::vector<std::string> members;
  bool operator==(const StringSet&) const = default;
};
struct NumberSet {
  std::vector<Number> members;
  bool operator==(const NumberSet&) const = default;
};
struct BinarySet {
  std::vector<Binary> members;
  bool operator==(const BinarySet&) const = default;
};

// In the order of the variant below.
enum class Type { S, N, B, BOOL, NUL, L, M, SS, NS, BS };
std::string_view type_name(Type type);  // "S", "N", ... "NULL"

struct Value {
  std::variant<std::string, Number, Binary, bool, Null, List, Item, StringSet, NumberSet, BinarySet>
      data;

  Value() : data(Null{}) {}
  Value(std::string s) : data(std::move(s)) {}         // NOLINT(google-explicit-constructor)
  Value(std::string_view s) : data(std::string(s)) {}  // NOLINT
  Value(const char* s) : data(std::string(s)) {}       // NOLINT
  Value(Number n) : data(std::move(n)) {}              // NOLINT
  Value(std::int64_t n) : data(Number(n)) {}           // NOLINT
  Value(std::uint64_t n) : data(Number(n)) {}          // NOLINT
  Value(int n) : data(Number(n)) {}                    // NOLINT
  Value(Binary b) : data(std::move(b)) {}              // NOLINT
  Value(bool b) : data(b) {}                           // NOLINT
  Value(Null) : data(Null{}) {}                        // NOLINT
  Value(List l) : data(std::move(l)) {}                // NOLINT
  Value(Item m) : data(std::move(m)) {}                // NOLINT
  Value(StringSet s) : data(std::move(s)) {}           // NOLINT
  Value(NumberSet s) : data(std::move(s)) {}           // NOLINT
  Value(BinarySet s) : data(std::move(s)) {}           // NOLINT

  Type type() const { return static_cast<Type>(data.index()); }
  const std::string* if_string() const { return std::get_if<std::string>(&data); }
  const Number* if_number() const { return std::get_if<Number>(&data); }
  const Binary* if_binary() const { return std::get_if<Binary>(&data); }
  const Item* if_map() const { return std::get_if<Item>(&data); }

  bool operator==(const Value& other) const { return data == other.data; }
};

// Bytes billed for a value, and for an item with its key attributes (COST.md, "Item size").
std::size_t billed_bytes(const Value& value);
std::size_t billed_bytes(std::string_view pk, std::string_view sk, const Item& item);

// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms): what S may hold.
bool is_utf8(std::string_view text);

}  // namespace table
