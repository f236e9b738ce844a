#include "table/document_path.h"

#include <cassert>
#include <map>
#include <optional>
#include <utility>

namespace table {
namespace {

// The wanted parts of one value: all of it, or what the next steps of some paths lead to.
struct Wanted {
  bool all = false;
  std::map<PathStep, Wanted> parts{};
};

std::optional<Value> cut(const Value& value, const Wanted& wanted) {
  if (wanted.all) return value;
  if (const Item* const map = value.if_map()) {
    Item found;
    for (const auto& [part, below] : wanted.parts) {
      const auto* const name = std::get_if<std::string>(&part);
      const Value* const member = name == nullptr ? nullptr : map->find(*name);
      if (member == nullptr) continue;
      if (auto kept = cut(*member, below)) found.set(*name, *std::move(kept));
    }
    if (found.empty()) return std::nullopt;
    return Value(std::move(found));
  }
  if (const auto* const list = std::get_if<List>(&value.data)) {
    List found;
    for (const auto& [part, below] : wanted.parts) {
      const auto* const index = std::get_if<std::size_t>(&part);
      if (index == nullptr || *index >= list->size()) continue;
      if (auto kept = cut((*list)[*index], below)) found.push_back(*std::move(kept));
    }
    if (found.empty()) return std::nullopt;
    return Value(std::move(found));
  }
  return std::nullopt;
}

}  // namespace

const Value* step(const Value& value, const PathStep& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    const Item* const map = value.if_map();
    return map == nullptr ? nullptr : map->find(*name);
  }
  const auto* const list = std::get_if<List>(&value.data);
  const std::size_t index = std::get<std::size_t>(step);
  return list != nullptr && index < list->size() ? &(*list)[index] : nullptr;
}

Value* step(Value& value, const PathStep& next) {
  return const_cast<Value*>(step(static_cast<const Value&>(value), next));
}

const Value* find(const Item& item, const DocumentPath& path) {
  assert(!path.empty());
  const Value* value = item.find(std::get<std::string>(path.front()));
  for (std::size_t i = 1; value != nullptr && i < path.size(); ++i) value = step(*value, path[i]);
  return value;
}

Item project(const Item& item, const std::vector<DocumentPath>& paths) {
  Wanted wanted;
  for (const DocumentPath& path : paths) {
    Wanted* at = &wanted;
    for (const PathStep& part : path) at = &at->parts[part];
    at->all = true;
  }
  Item found;
  for (const auto& [part, below] : wanted.parts) {
    const std::string& name = std::get<std::string>(part);
    const Value* const value = item.find(name);
    if (value == nullptr) continue;
    if (auto kept = cut(*value, below)) found.set(name, *std::move(kept));
  }
  return found;
}

std::string path_text(const DocumentPath& path) {
  std::string text = "[";
  for (const PathStep& part : path) {
    if (text.size() > 1) text += ", ";
    const auto* const name = std::get_if<std::string>(&part);
    text += name != nullptr ? *name : "[" + std::to_string(std::get<std::size_t>(part)) + "]";
  }
  return text + "]";
}

}  // namespace table
