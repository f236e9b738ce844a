#include "fs/flags.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "fs/keys.h"
#include "table/json_reader.h"

namespace prefixfs {
namespace {

// Whether a text is JSON.
class JsonCheck {
 public:
  explicit JsonCheck(std::string_view text) : reader_(text) {}

  bool whole() { return value(0) && reader_.at_end(); }

 private:
  bool value(int depth) {
    if (depth > table::kMaxJsonDepth) return false;
    switch (reader_.peek()) {
      case '{':
        return members(depth);
      case '[':
        return elements(depth);
      case '"':
        return reader_.string().has_value();
      case 't':
        return reader_.take_word("true");
      case 'f':
        return reader_.take_word("false");
      case 'n':
        return reader_.take_word("null");
      default:
        return reader_.number().has_value();
    }
  }

  bool members(int depth) {
    reader_.take('{');
    if (reader_.take('}')) return true;
    do {
      if (!reader_.string() || !reader_.take(':') || !value(depth + 1)) return false;
    } while (reader_.take(','));
    return reader_.take('}');
  }

  bool elements(int depth) {
    reader_.take('[');
    if (reader_.take(']')) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (reader_.take(','));
    return reader_.take(']');
  }

  table::JsonReader reader_;
};

template <class T>
bool parses(std::string_view text) {
  // std::from_chars takes no plus.
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(number);
  return true;
}

std::string env_pk(std::string_view env) { return flag_key(env, {}).pk; }

std::string text_of(const table::Item& item, std::string_view name) {
  const table::Value* const value = item.find(name);
  const std::string* const text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : *text;
}

}  // namespace

bool is_flag_type(std::string_view type) {
  return std::ranges::find(kFlagTypes, type) != std::end(kFlagTypes);
}

std::optional<std::string> flag_problem(std::string_view type, std::string_view value) {
  if (type == "bool" && value != "true" && value != "false") return "is no bool: true or false";
  if (type == "int" && !parses<std::int64_t>(value)) {
    return "is no int: a whole number of 64 bits";
  }
  if (type == "float" && !parses<double>(value)) return "is no float: a finite decimal number";
  if (type == "json" && !JsonCheck(value).whole()) return "is no json";
  return std::nullopt;
}

table::Item encode_flag(const Flag& flag) {
  table::Item item = flag.extra;
  if (table::is_utf8(flag.value)) {
    item.set("value", flag.value);
  } else {
    item.set("value", table::Binary{flag.value});
  }
  item.set("type", flag.type);
  item.set("updatedBy", flag.updated_by);
  return item;
}

std::optional<Flag> decode_flag(const table::Item& item) {
  const table::Value* const value = item.find("value");
  if (value == nullptr) return std::nullopt;
  Flag flag;
  if (const std::string* const text = value->if_string()) {
    flag.value = *text;
  } else if (const table::Binary* const bytes = value->if_binary()) {
    flag.value = bytes->bytes;
  } else {
    return std::nullopt;
  }
  if (item.find("type") != nullptr) flag.type = text_of(item, "type");
  flag.updated_by = text_of(item, "updatedBy");
  flag.extra = item;
  for (const char* known : {"value", "type", "updatedBy"}) flag.extra.erase(known);
  return flag;
}

std::optional<Flag> get_flag(table::Table& t, std::string_view env, std::string_view key) {
  const table::GetResult got = t.get(flag_key(env, key));
  return got.item ? decode_flag(*got.item) : std::nullopt;
}

FlagPage list_flags(table::Table& t, std::string_view env, std::string_view after,
                    std::size_t limit) {
  table::Query query{
      .pk = env_pk(env), .sk = table::SkBeginsWith{std::string(kFlagPrefix)}, .limit = limit};
  if (!after.empty()) query.exclusive_start = flag_key(env, after).sk;
  const table::QueryResult result = t.query(query);
  FlagPage page{.more = result.last.has_value()};
  for (const table::Row& row : result.rows) {
    page.last = row.key.sk.substr(kFlagPrefix.size());
    if (auto flag = decode_flag(row.item)) page.flags.push_back({page.last, *std::move(flag)});
  }
  return page;
}

std::vector<NamedFlag> all_flags(table::Table& t, std::string_view env) {
  std::vector<NamedFlag> all;
  FlagPage page;
  do {
    page = list_flags(t, env, page.last);
    std::ranges::move(page.flags, std::back_inserter(all));
  } while (page.more);
  return all;
}

bool environment_exists(table::Table& t, std::string_view env) {
  return t.query({.pk = env_pk(env), .limit = 1}).scanned > 0;
}

bool has_flags(table::Table& t, std::string_view env) {
  return t.query(
              {.pk = env_pk(env), .sk = table::SkBeginsWith{std::string(kFlagPrefix)}, .limit = 1})
             .scanned > 0;
}

std::vector<std::string> environments(table::Table& t) {
  std::vector<std::string> names;
  table::Key after{std::string(kEnvPrefix), ""};
  while (true) {
    const table::QueryResult page = t.scan({.limit = 1, .exclusive_start = after});
    if (page.scanned == 0 || !page.last) break;
    const std::string& pk = page.last->pk;
    if (!pk.starts_with(kEnvPrefix)) break;
    names.push_back(pk.substr(kEnvPrefix.size()));
    // No key sorts between a partition and its name with a NUL behind it.
    after = {pk + '\0', ""};
  }
  return names;
}

table::Put put_of(std::string_view env, std::string_view key, const Flag& flag) {
  return {flag_key(env, key), encode_flag(flag)};
}

table::Put environment_put(std::string_view env, std::string_view owner) {
  return {environment_key(env), {{"owner", owner}}, table::item_absent()};
}

table::Delete environment_delete(std::string_view env) { return {environment_key(env)}; }

std::optional<std::string> flag_name_problem(std::string_view env, std::string_view key) {
  for (const auto& [what, name] : {std::pair{"environment", env}, {"key", key}}) {
    if (name.empty()) return std::string(what) + " is empty";
    if (!table::is_utf8(name)) return std::string(what) + " is not UTF-8";
  }
  const table::Key full = flag_key(env, key);
  if (full.pk.size() > table::kMaxPkBytes) return "environment is longer than a key can be";
  if (full.sk.size() > table::kMaxSkBytes) return "key is longer than a key can be";
  return std::nullopt;
}

}  // namespace prefixfs
