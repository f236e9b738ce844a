#include "table/update_expression.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>

#include "table/json_reader.h"

namespace table {
namespace {

// Sorted, each once.
template <class T>
void unite(std::vector<T>& members, const std::vector<T>& more) {
  std::vector<T> both;
  std::set_union(members.begin(), members.end(), more.begin(), more.end(),
                 std::back_inserter(both));
  members = std::move(both);
}
template <class T>
void subtract(std::vector<T>& members, const std::vector<T>& less) {
  std::vector<T> rest;
  std::set_difference(members.begin(), members.end(), less.begin(), less.end(),
                      std::back_inserter(rest));
  members = std::move(rest);
}

// Does `change(members, other members)` to two sets of one type.  False: they are not.
template <class Change>
bool with_sets(Value& value, const Value& other, Change change) {
  return std::visit(
      [&]<class T>(T& set) {
        if constexpr (std::is_same_v<T, StringSet> || std::is_same_v<T, NumberSet> ||
                      std::is_same_v<T, BinarySet>) {
          const T* const second = std::get_if<T>(&other.data);
          if (second == nullptr) return false;
          change(set.members, second->members);
          return true;
        } else {
          return false;
        }
      },
      value.data);
}

bool is_empty_set(const Value& value) {
  return std::visit(
      []<class T>(const T& set) {
        if constexpr (requires { set.members; }) return set.members.empty();
        return false;
      },
      value.data);
}

int depth_of(const Item& item);

int depth_of(const Value& value) {
  if (const Item* map = value.if_map()) return 1 + depth_of(*map);
  const auto* const list = std::get_if<List>(&value.data);
  if (list == nullptr) return 0;
  int deepest = 0;
  for (const Value& element : *list) deepest = std::max(deepest, depth_of(element));
  return 1 + deepest;
}

int depth_of(const Item& item) {
  int deepest = 0;
  for (const auto& [name, value] : item.entries()) deepest = std::max(deepest, depth_of(value));
  return deepest;
}

// One update in the making: reads `before`, writes `after`.
class Updater {
 public:
  Updater(const Item& before, const std::optional<StoredKey>& key)
      : before_(before), key_(key), after_(before) {}

  UpdateError run(const UpdateExpression& update) {
    for (const auto& set : update.set) {
      std::optional<Value> value = evaluate(set.value);
      if (value) store(set.path, *std::move(value));
    }
    for (const auto& add : update.add) this->add(add);
    for (const auto& erase : update.erase) this->erase(erase);
    remove(update.remove);
    if (!update.empty() && depth_of(after_) > kMaxJsonDepth) fail(UpdateError::too_deep);
    return error_;
  }

  Item take() { return std::move(after_); }

 private:
  std::nullopt_t fail(UpdateError error) {
    if (error_ == UpdateError::none) error_ = error;
    return std::nullopt;
  }

  std::optional<Value> evaluate(const SetTerm& term) { return std::visit(*this, term.what); }

 public:
  std::optional<Value> operator()(const Value& value) { return value; }
  std::optional<Value> operator()(const SetTerm::Path& term) {
    std::optional<Value> found = read(term.path);
    return found ? std::move(found) : fail(UpdateError::missing_attribute);
  }
  std::optional<Value> operator()(const SetTerm::IfNotExists& term) {
    std::optional<Value> found = read(term.path);
    return found ? std::move(found) : evaluate(term.otherwise.front());
  }
  std::optional<Value> operator()(const SetTerm::ListAppend& term) {
    std::optional<Value> first = evaluate(term.lists[0]);
    const std::optional<Value> second = evaluate(term.lists[1]);
    if (!first || !second) return std::nullopt;
    auto* const list = std::get_if<List>(&first->data);
    const auto* const more = std::get_if<List>(&second->data);
    if (list == nullptr || more == nullptr) return fail(UpdateError::wrong_operand);
    list->insert(list->end(), more->begin(), more->end());
    return first;
  }
  std::optional<Value> operator()(const SetTerm::Sum& term) {
    const std::optional<Value> first = evaluate(term.terms[0]), second = evaluate(term.terms[1]);
    if (!first || !second) return std::nullopt;
    const Number *const a = first->if_number(), *const b = second->if_number();
    if (a == nullptr || b == nullptr) return fail(UpdateError::wrong_operand);
    const std::optional<Number> sum = term.minus ? table::subtract(*a, *b) : table::add(*a, *b);
    if (!sum) return fail(UpdateError::out_of_range);
    return Value(*sum);
  }

 private:
  std::optional<Value> read(const DocumentPath& path) const {
    const auto& name = std::get<std::string>(path.front());
    if (key_ && path.size() == 1 && name == "pk") return Value(key_->pk);
    if (key_ && path.size() == 1 && name == "sk") return Value(key_->sk);
    const Value* const found = find(before_, path);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  }

  // What holds the last step of `path`; nullptr where the path has but one.  `ok` false: there is
  // no such thing.
  Value* parent(const DocumentPath& path, bool& ok) {
    Value* at = path.size() == 1 ? nullptr : after_.find(std::get<std::string>(path.front()));
    ok = path.size() == 1 || at != nullptr;
    for (std::size_t i = 1; ok && i + 1 < path.size(); ++i) {
      at = step(*at, path[i]);
      ok = at != nullptr;
    }
    return at;
  }

  void store(const DocumentPath& path, Value value) {
    bool ok = false;
    Value* const at = parent(path, ok);
    if (!ok) {
      fail(UpdateError::bad_path);
      return;
    }
    if (at == nullptr) {
      after_.set(std::get<std::string>(path.front()), std::move(value));
      return;
    }
    if (const auto* name = std::get_if<std::string>(&path.back())) {
      if (auto* const map = std::get_if<Item>(&at->data)) {
        map->set(*name, std::move(value));
        return;
      }
    } else if (auto* const list = std::get_if<List>(&at->data)) {
      const std::size_t index = std::get<std::size_t>(path.back());
      if (index < list->size()) {
        (*list)[index] = std::move(value);
      } else {
        list->push_back(std::move(value));  // past the end is at the end
      }
      return;
    }
    fail(UpdateError::bad_path);
  }

  void add(const UpdateExpression::Add& add) {
    const Value* const old = find(before_, add.path);
    Value sum = old == nullptr ? add.value : *old;
    if (old != nullptr) {
      const Number *const a = old->if_number(), *const b = add.value.if_number();
      if (a != nullptr && b != nullptr) {
        const std::optional<Number> number = table::add(*a, *b);
        if (!number) {
          fail(UpdateError::out_of_range);
          return;
        }
        sum = *number;
      } else if (!with_sets(sum, add.value, [](auto& x, const auto& y) { unite(x, y); })) {
        fail(UpdateError::wrong_operand);
        return;
      }
    }
    store(add.path, std::move(sum));
  }

  void erase(const UpdateExpression::Delete& erase) {
    const Value* const old = find(before_, erase.path);
    if (old == nullptr) return;
    Value rest = *old;
    if (!with_sets(rest, erase.members, [](auto& x, const auto& y) { subtract(x, y); })) {
      fail(UpdateError::wrong_operand);
      return;
    }
    if (is_empty_set(rest)) {
      remove({erase.path});
    } else {
      store(erase.path, std::move(rest));
    }
  }

  // Elements of lists are named by their places before the update: the last ones go first.
  void remove(std::vector<DocumentPath> paths) {
    std::sort(paths.begin(), paths.end(), std::greater<>());
    for (const DocumentPath& path : paths) {
      bool ok = false;
      Value* const at = parent(path, ok);
      if (!ok) {
        fail(UpdateError::bad_path);
        return;
      }
      if (at == nullptr) {
        after_.erase(std::get<std::string>(path.front()));
      } else if (const auto* name = std::get_if<std::string>(&path.back())) {
        auto* const map = std::get_if<Item>(&at->data);
        if (map == nullptr) fail(UpdateError::bad_path);
        if (map != nullptr) map->erase(*name);
      } else {
        auto* const list = std::get_if<List>(&at->data);
        const std::size_t index = std::get<std::size_t>(path.back());
        if (list == nullptr) fail(UpdateError::bad_path);
        if (list != nullptr && index < list->size()) {
          list->erase(list->begin() + static_cast<std::ptrdiff_t>(index));
        }
      }
    }
  }

  const Item& before_;
  const std::optional<StoredKey>& key_;
  Item after_;
  UpdateError error_ = UpdateError::none;
};

}  // namespace

UpdateError apply(const UpdateExpression& update, Item& item, const std::optional<StoredKey>& key) {
  Updater updater(item, key);
  const UpdateError error = updater.run(update);
  if (error == UpdateError::none) item = updater.take();
  return error;
}

}  // namespace table
