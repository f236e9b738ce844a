#include "table/condition.h"

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstdint>

#include "table/utf8.h"

namespace table {
namespace {

// What an operand stands for: nothing, a value of the item or of the condition, or a computed one.
class Found {
 public:
  Found() = default;
  explicit Found(const Value* value) {
    if (value != nullptr) what_ = value;
  }
  explicit Found(Value value) : what_(std::move(value)) {}

  // nullptr: the operand is missing.
  const Value* get() const {
    if (const auto* pointer = std::get_if<const Value*>(&what_)) return *pointer;
    return std::get_if<Value>(&what_);
  }

 private:
  std::variant<std::monostate, const Value*, Value> what_;
};

bool equal(const Found& left, const Found& right) {
  const Value* const a = left.get();
  const Value* const b = right.get();
  return a != nullptr && b != nullptr && *a == *b;
}

// Unordered: an operand is missing, the types differ, or the type has no order.
std::partial_ordering order(const Found& left, const Found& right) {
  const Value* const a = left.get();
  const Value* const b = right.get();
  if (a == nullptr || b == nullptr || a->type() != b->type()) {
    return std::partial_ordering::unordered;
  }
  if (const Number* number = a->if_number()) return *number <=> *b->if_number();
  if (const std::string* text = a->if_string()) return *text <=> *b->if_string();
  if (const Binary* binary = a->if_binary()) return *binary <=> *b->if_binary();
  return std::partial_ordering::unordered;
}

bool compare(Compare op, const Found& left, const Found& right) {
  switch (op) {
    case Compare::eq:
      return equal(left, right);
    case Compare::ne:
      return !equal(left, right);
    case Compare::lt:
      return order(left, right) < 0;
    case Compare::le:
      return order(left, right) <= 0;
    case Compare::gt:
      return order(left, right) > 0;
    case Compare::ge:
      return order(left, right) >= 0;
  }
  return false;
}

std::uint64_t utf16_units(std::string_view text) {
  std::uint64_t units = 0;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end) {
    const Utf8Step step = utf8_step(p, end);
    units += step.valid && step.bytes == 4 ? 2 : 1;
    p += step.bytes;
  }
  return units;
}

struct Size {
  Found operator()(const std::string& s) const { return Found(Value(utf16_units(s))); }
  Found operator()(const Binary& b) const { return count(b.bytes.size()); }
  Found operator()(const List& list) const { return count(list.size()); }
  Found operator()(const Item& map) const { return count(map.size()); }
  Found operator()(const StringSet& set) const { return count(set.members.size()); }
  Found operator()(const NumberSet& set) const { return count(set.members.size()); }
  Found operator()(const BinarySet& set) const { return count(set.members.size()); }
  Found operator()(const Number&) const { return Found(); }
  Found operator()(bool) const { return Found(); }
  Found operator()(Null) const { return Found(); }

  static Found count(std::size_t n) { return Found(Value(static_cast<std::uint64_t>(n))); }
};

template <class T>
bool is_member(const std::vector<T>& members, const T* part) {
  return part != nullptr && std::find(members.begin(), members.end(), *part) != members.end();
}

struct Holds {
  const Value& part;

  bool operator()(const std::string& s) const { return has_substring(s, part.if_string()); }
  bool operator()(const Binary& b) const {
    const Binary* const bytes = part.if_binary();
    return has_substring(b.bytes, bytes != nullptr ? &bytes->bytes : nullptr);
  }
  bool operator()(const List& list) const { return is_member(list, &part); }
  bool operator()(const StringSet& set) const { return is_member(set.members, part.if_string()); }
  bool operator()(const NumberSet& set) const { return is_member(set.members, part.if_number()); }
  bool operator()(const BinarySet& set) const { return is_member(set.members, part.if_binary()); }
  bool operator()(const Number&) const { return false; }
  bool operator()(const Item&) const { return false; }
  bool operator()(bool) const { return false; }
  bool operator()(Null) const { return false; }

  static bool has_substring(const std::string& whole, const std::string* substring) {
    return substring != nullptr && whole.find(*substring) != std::string::npos;
  }
};

class Judge {
 public:
  Judge(std::string_view pk, std::string_view sk, const Item* item)
      : pk_(pk), sk_(sk), item_(item) {}

  bool judge(const Condition& condition) const { return std::visit(*this, condition.node()); }

  bool operator()(const Condition::Always&) const { return true; }
  bool operator()(const Condition::And& node) const {
    return std::all_of(node.all.begin(), node.all.end(),
                       [&](const Condition& condition) { return judge(condition); });
  }
  bool operator()(const Condition::Or& node) const {
    return std::any_of(node.any.begin(), node.any.end(),
                       [&](const Condition& condition) { return judge(condition); });
  }
  bool operator()(const Condition::Not& node) const {
    assert(node.one.size() == 1);
    return !judge(node.one.front());
  }
  bool operator()(const Condition::Comparison& node) const {
    return compare(node.op, resolve(node.left), resolve(node.right));
  }
  bool operator()(const Condition::Between& node) const {
    const Found value = resolve(node.value);
    return compare(Compare::ge, value, resolve(node.low)) &&
           compare(Compare::le, value, resolve(node.high));
  }
  bool operator()(const Condition::In& node) const {
    const Found value = resolve(node.value);
    return std::any_of(node.list.begin(), node.list.end(),
                       [&](const Operand& operand) { return equal(value, resolve(operand)); });
  }
  bool operator()(const Condition::Exists& node) const {
    return (find(node.path).get() != nullptr) == node.wanted;
  }
  bool operator()(const Condition::HasType& node) const {
    const Found found = find(node.path);
    return found.get() != nullptr && type_name(found.get()->type()) == node.type;
  }
  bool operator()(const Condition::BeginsWith& node) const {
    const Found found = find(node.path), prefix = resolve(node.prefix);
    if (found.get() == nullptr || prefix.get() == nullptr) return false;
    const Value &whole = *found.get(), &start = *prefix.get();
    if (whole.type() != start.type()) return false;
    if (whole.if_string()) return whole.if_string()->starts_with(*start.if_string());
    if (whole.if_binary()) return whole.if_binary()->bytes.starts_with(start.if_binary()->bytes);
    return false;
  }
  bool operator()(const Condition::Contains& node) const {
    const Found found = find(node.path), part = resolve(node.part);
    if (found.get() == nullptr || part.get() == nullptr) return false;
    return std::visit(Holds{*part.get()}, found.get()->data);
  }

 private:
  Found resolve(const Operand& operand) const {
    if (const auto* path = std::get_if<DocumentPath>(&operand)) return find(*path);
    if (const auto* value = std::get_if<Value>(&operand)) return Found(value);
    const Found found = find(std::get<SizeOf>(operand).path);
    return found.get() != nullptr ? std::visit(Size{}, found.get()->data) : Found();
  }

  Found find(const DocumentPath& path) const {
    if (item_ == nullptr || path.empty()) return Found();
    const auto* const first = std::get_if<std::string>(&path.front());
    if (first == nullptr) return Found();
    if (*first == "pk" || *first == "sk") {
      return path.size() == 1 ? Found(Value(*first == "pk" ? pk_ : sk_)) : Found();
    }
    return Found(table::find(*item_, path));
  }

  std::string_view pk_, sk_;
  const Item* item_;
};

}  // namespace

Condition item_exists() { return Condition::Exists{{"pk"}, true}; }

Condition item_absent() { return Condition::Exists{{"pk"}, false}; }

Condition attribute_equals(std::string_view name, Value value) {
  return Condition::Comparison{Compare::eq, DocumentPath{std::string(name)}, std::move(value)};
}

bool holds(const Condition& condition, std::string_view pk, std::string_view sk, const Item* item) {
  return Judge(pk, sk, item).judge(condition);
}

}  // namespace table
