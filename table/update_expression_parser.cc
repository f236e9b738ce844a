// Update expressions, and the paths that must not overlap.

#include <fmt/format.h>

#include <algorithm>

#include "table/expression_parser.h"

namespace table {
namespace {

bool is_set(const Value& value) {
  return value.type() == Type::SS || value.type() == Type::NS || value.type() == Type::BS;
}

class UpdateParser {
 public:
  UpdateParser(std::string_view text, Placeholders& placeholders)
      : p_(text, "UpdateExpression", placeholders) {}

  UpdateExpression parse() {
    while (!p_.at_end()) section();
    require_distinct(paths_, p_);
    return std::move(update_);
  }

 private:
  void section() {
    const std::string_view kSections[] = {"SET", "REMOVE", "ADD", "DELETE"};
    const auto* const found = std::ranges::find_if(
        kSections, [&](std::string_view word) { return is_word(p_.peek(), word); });
    if (found == std::end(kSections)) p_.fail_at_next();
    p_.take();
    bool& seen = seen_[found - std::begin(kSections)];
    if (seen) {
      p_.fail(
          fmt::format("The \"{}\" section can only be used once in an update expression;", *found));
    }
    seen = true;
    do {
      p_.count_operator();
      DocumentPath path = p_.path();
      const std::string& name = std::get<std::string>(path.front());
      if (name == "pk" || name == "sk") {
        throw ValidationError(
            fmt::format("One or more parameter values were invalid: Cannot update "
                        "attribute {}. This attribute is part of the key",
                        name));
      }
      paths_.push_back(path);
      if (*found == "SET") set(std::move(path));
      if (*found == "REMOVE") update_.remove.push_back(std::move(path));
      if (*found == "ADD") add(std::move(path));
      if (*found == "DELETE") erase(std::move(path));
    } while (p_.take_op(","));
  }

  void set(DocumentPath path) {
    p_.expect_op("=");
    update_.set.push_back({std::move(path), sum()});
  }

  void add(DocumentPath path) {
    Value value = p_.value();
    if (value.if_number() == nullptr && !is_set(value)) p_.fail_type("ADD", value);
    update_.add.push_back({std::move(path), std::move(value)});
  }

  void erase(DocumentPath path) {
    Value value = p_.value();
    if (!is_set(value)) p_.fail_type("DELETE", value);
    update_.erase.push_back({std::move(path), std::move(value)});
  }

  SetTerm sum() {
    SetTerm first = term();
    if (!p_.next_is("+") && !p_.next_is("-")) return first;
    p_.count_operator();
    const std::string_view op = p_.take().text;
    SetTerm::Sum sum{.minus = op == "-"};
    sum.terms.push_back(std::move(first));
    sum.terms.push_back(term());
    for (const SetTerm& side : sum.terms) {
      const auto* const value = std::get_if<Value>(&side.what);
      if (value != nullptr && value->if_number() == nullptr) p_.fail_type(op, *value);
    }
    return {std::move(sum)};
  }

  SetTerm term() {
    p_.enter();
    SetTerm term = innermost();
    p_.leave();
    return term;
  }

  SetTerm innermost() {
    if (p_.next_is_value()) return {p_.value()};
    if (p_.take_op("(")) {
      SetTerm inner = sum();
      p_.expect_op(")");
      return inner;
    }
    if (!p_.next_is_call()) {
      if (!p_.next_is_path()) p_.fail_at_next();
      return {SetTerm::Path{p_.path()}};
    }
    p_.count_operator();
    const std::string_view name = p_.take().text;
    p_.take();
    if (name == "if_not_exists") return if_not_exists();
    if (name == "list_append") return list_append();
    for (const char* other : {"attribute_exists", "attribute_not_exists", "attribute_type",
                              "begins_with", "contains", "size"}) {
      if (name == other) {
        p_.fail(
            fmt::format("The function is not allowed in an update expression; function: {}", name));
      }
    }
    p_.fail(fmt::format("Invalid function name; function: {}", name));
  }

  SetTerm if_not_exists() {
    if (!p_.next_is_path() || p_.next_is_call()) {
      p_.fail("Operator or function requires a document path; operator or function: if_not_exists");
    }
    SetTerm::IfNotExists result{p_.path(), {}};
    if (p_.next_is(")")) p_.fail_operands("if_not_exists", 1);
    p_.expect_op(",");
    result.otherwise.push_back(sum());
    if (p_.next_is(",")) p_.fail_operands("if_not_exists", 3);
    p_.expect_op(")");
    return {std::move(result)};
  }

  SetTerm list_append() {
    SetTerm::ListAppend result;
    do {
      result.lists.push_back(sum());
      const auto* const value = std::get_if<Value>(&result.lists.back().what);
      if (value != nullptr && value->type() != Type::L) p_.fail_type("list_append", *value);
    } while (p_.take_op(","));
    p_.expect_op(")");
    if (result.lists.size() != 2) p_.fail_operands("list_append", result.lists.size());
    return {std::move(result)};
  }

  ExpressionParser p_;
  UpdateExpression update_;
  std::vector<DocumentPath> paths_;
  bool seen_[4] = {};
};

}  // namespace

void require_distinct(std::vector<DocumentPath> paths, const ExpressionParser& p) {
  std::ranges::sort(paths);
  // In order, a path comes right before those that go on from it.
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const DocumentPath &a = paths[i - 1], &b = paths[i];
    const std::size_t common = std::min(a.size(), b.size());
    const auto differ =
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
    const std::string which = fmt::format("path one: {}, path two: {}", path_text(a), path_text(b));
    if (differ.first == a.begin() + static_cast<std::ptrdiff_t>(common)) {
      p.fail(
          "Two document paths overlap with each other; must remove or rewrite one of these "
          "paths; " +
          which);
    }
    if (differ.first->index() != differ.second->index()) {
      p.fail(
          "Two document paths conflict with each other; must remove or rewrite one of these "
          "paths; " +
          which);
    }
  }
}

UpdateExpression parse_update(std::string_view text, Placeholders& placeholders) {
  return UpdateParser(text, placeholders).parse();
}

}  // namespace table
