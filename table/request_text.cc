#include "table/request_text.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

namespace table {
namespace {

// Keys hold any bytes; a trace is lines of text.
std::string shown(std::string_view key) {
  std::string text;
  text.reserve(key.size());
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || byte == '\\') {
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

struct SkText {
  std::string operator()(const SkAll&) const { return ""; }
  std::string operator()(const SkBeginsWith& sk) const {
    return " begins_with " + shown(sk.prefix);
  }
  std::string operator()(const SkCompare& sk) const {
    constexpr std::string_view kSigns[] = {"=", "<>", "<", "<=", ">", ">="};
    return fmt::format(" {} {}", kSigns[static_cast<int>(sk.op)], shown(sk.sk));
  }
  std::string operator()(const SkBetween& sk) const {
    return fmt::format(" between {} and {}", shown(sk.low), shown(sk.high));
  }
};

struct ActionText {
  std::string operator()(const Put& a) const { return "Put " + shown(a.key.sk); }
  std::string operator()(const Update& a) const { return "Update " + shown(a.key.sk); }
  std::string operator()(const Delete& a) const { return "Delete " + shown(a.key.sk); }
  std::string operator()(const Check& a) const { return "Check " + shown(a.key.sk); }
  std::string operator()(const MoveRange& a) const {
    return fmt::format("Move {} to {}", shown(a.from), shown(a.to));
  }
  std::string operator()(const SwapRange& a) const {
    return fmt::format("Swap {} and {}", shown(a.a), shown(a.b));
  }
  std::string operator()(const EraseRange& a) const { return "Erase " + shown(a.prefix); }
};

}  // namespace

std::string text_of(const Key& key, const GetResult& result) {
  return fmt::format("GetItem {} {}{}", shown(key.pk), shown(key.sk),
                     result.item ? "" : " (absent)");
}

std::string text_of(std::span<const Key> keys, const BatchGetResult& result) {
  return fmt::format("BatchGetItem {} of {}", result.rows.size(), counted(keys.size(), "item"));
}

std::string text_of(const Query& query, const QueryResult& result) {
  return fmt::format("Query {}{}  {}", shown(query.pk), std::visit(SkText(), query.sk),
                     counted(result.scanned, "item"));
}

std::string text_of(const Scan&, const QueryResult& result) {
  return "Scan  " + counted(result.scanned, "item");
}

std::string text_of(const ListChildren& list, const ListResult& result) {
  return fmt::format("Query {} begins_with {}  {}, {}", shown(list.pk), shown(list.prefix),
                     counted(result.rows.size(), "item"), counted(result.hops, "hop"));
}

std::string text_of(const Count& count, const CountResult& result) {
  return fmt::format("Query {} begins_with {} (count)  {}", shown(count.pk), shown(count.prefix),
                     counted(result.items, "item"));
}

std::string text_of(std::span<const Action> actions, const WriteResult& result) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  for (std::size_t i = 0; i < actions.size() && i < kNamed; ++i) {
    text += (i == 0 ? "" : " + ") + std::visit(ActionText(), actions[i]);
  }
  if (actions.size() > kNamed) text += fmt::format(" + {} more", actions.size() - kNamed);
  if (result.moved > 0) text += "  " + counted(result.moved, "item") + " moved";
  if (!result.ok()) text += fmt::format("  ({})", status_name(result.status));
  return text;
}

}  // namespace table
