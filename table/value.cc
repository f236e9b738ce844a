#include "table/value.h"

#include <algorithm>
#include <cstring>

#include "table/utf8.h"

namespace table {
namespace {

// COST.md, "Item size": lists and maps cost this, and one byte for each element.
constexpr std::size_t kContainerBytes = 3;

struct Billed {
  std::size_t operator()(const std::string& s) const { return s.size(); }
  std::size_t operator()(const Number& n) const { return n.billed_bytes(); }
  std::size_t operator()(const Binary& b) const { return b.bytes.size(); }
  std::size_t operator()(bool) const { return 1; }
  std::size_t operator()(Null) const { return 1; }
  std::size_t operator()(const List& list) const {
    std::size_t sum = kContainerBytes + list.size();
    for (const Value& value : list) sum += billed_bytes(value);
    return sum;
  }
  std::size_t operator()(const Item& map) const {
    std::size_t sum = kContainerBytes + map.size();
    for (const auto& [name, value] : map.entries()) sum += name.size() + billed_bytes(value);
    return sum;
  }
  std::size_t operator()(const StringSet& set) const { return members(set); }
  std::size_t operator()(const NumberSet& set) const { return members(set); }
  std::size_t operator()(const BinarySet& set) const { return members(set); }

  template <class Set>
  std::size_t members(const Set& set) const {
    std::size_t sum = 0;
    for (const auto& member : set.members) sum += (*this)(member);
    return sum;
  }
};

bool entry_before(const Item::Entry& entry, std::string_view name) { return entry.first < name; }

}  // namespace

Item::Item() = default;
Item::Item(std::initializer_list<Entry> entries) {
  reserve(entries.size());
  for (const auto& [name, value] : entries) set(name, value);
}
Item::Item(const Item&) = default;
Item::Item(Item&&) noexcept = default;
Item& Item::operator=(const Item&) = default;
Item& Item::operator=(Item&&) noexcept = default;
Item::~Item() = default;

const Value* Item::find(std::string_view name) const {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, entry_before);
  return it != entries_.end() && it->first == name ? &it->second : nullptr;
}

Value* Item::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

void Item::set(std::string_view name, Value value) {
  // Attributes mostly arrive in order.
  if (entries_.empty() || entries_.back().first < name) {
    entries_.emplace_back(name, std::move(value));
    return;
  }
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, entry_before);
  if (it->first == name) {
    it->second = std::move(value);
  } else {
    entries_.emplace(it, name, std::move(value));
  }
}

bool Item::erase(std::string_view name) {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, entry_before);
  if (it == entries_.end() || it->first != name) return false;
  entries_.erase(it);
  return true;
}

void Item::reserve(std::size_t attributes) { entries_.reserve(attributes); }

bool Item::empty() const { return entries_.empty(); }
std::size_t Item::size() const { return entries_.size(); }
bool Item::operator==(const Item& other) const { return entries_ == other.entries_; }

std::string_view type_name(Type type) {
  switch (type) {
    case Type::S:
      return "S";
    case Type::N:
      return "N";
    case Type::B:
      return "B";
    case Type::BOOL:
      return "BOOL";
    case Type::NUL:
      return "NULL";
    case Type::L:
      return "L";
    case Type::M:
      return "M";
    case Type::SS:
      return "SS";
    case Type::NS:
      return "NS";
    case Type::BS:
      return "BS";
  }
  return "";
}

std::size_t billed_bytes(const Value& value) { return std::visit(Billed{}, value.data); }

std::size_t billed_bytes(std::string_view pk, std::string_view sk, const Item& item) {
  constexpr std::size_t kKeyNames = 4;  // "pk" and "sk" are attributes like any other
  std::size_t sum = kKeyNames + pk.size() + sk.size();
  for (const auto& [name, value] : item.entries()) sum += name.size() + billed_bytes(value);
  return sum;
}

bool is_utf8(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end) {
    std::uint64_t word;
    if (end - p >= static_cast<std::ptrdiff_t>(sizeof word)) {
      std::memcpy(&word, p, sizeof word);
      if ((word & 0x8080808080808080) == 0) {
        p += sizeof word;
        continue;
      }
    }
    const Utf8Step step = utf8_step(p, end);
    if (!step.valid) return false;
    p += step.bytes;
  }
  return true;
}

}  // namespace table
