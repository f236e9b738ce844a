#include "table/item_json.h"

#include <algorithm>
#include <cassert>

#include "table/json_reader.h"
#include "table/json_writer.h"

// The parser is our own: 0.58 us decode the 11 attributes of a node (213 bytes) and 0.28 us bill
// them; simdjson 3.0 takes 0.65 us, as each call needs a parser and a padded copy of its own.

namespace table {
namespace {

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  void item(const Item& item) {
    out_ += '{';
    bool first = true;
    for (const auto& [name, value] : item.entries()) {
      if (!first) out_ += ',';
      first = false;
      (*this)(name);
      out_ += ':';
      std::visit(*this, value.data);
    }
    out_ += '}';
  }

  void operator()(const std::string& s) {
    assert(is_utf8(s));
    append_json_string(out_, s);
  }
  void operator()(const Number& n) { out_ += n.text(); }
  void operator()(const Binary& b) {
    tagged("B", [&] { base64(b); });
  }
  void operator()(bool b) { out_ += b ? "true" : "false"; }
  void operator()(Null) { out_ += "null"; }
  void operator()(const List& list) {
    array(list, [&](const Value& value) { std::visit(*this, value.data); });
  }
  void operator()(const Item& map) {
    tagged("M", [&] { item(map); });
  }
  void operator()(const StringSet& set) {
    tagged("SS", [&] { array(set.members, *this); });
  }
  void operator()(const NumberSet& set) {
    tagged("NS", [&] { array(set.members, *this); });
  }
  void operator()(const BinarySet& set) {
    tagged("BS", [&] { array(set.members, [&](const Binary& b) { base64(b); }); });
  }

 private:
  void base64(const Binary& b) {
    out_ += '"';
    out_ += base64_encode(b.bytes);
    out_ += '"';
  }

  template <class Write>
  void tagged(std::string_view tag, Write write) {
    out_.append("{\"").append(tag).append("\":");
    write();
    out_ += '}';
  }

  template <class Members, class Write>
  void array(const Members& members, Write write) {
    out_ += '[';
    bool first = true;
    for (const auto& member : members) {
      if (!first) out_ += ',';
      first = false;
      write(member);
    }
    out_ += ']';
  }

  std::string& out_;
};

template <class T>
void sort_members(std::vector<T>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

// Verbs return nullopt for whatever is not the stored form.  `depth` counts the lists and maps
// around what is read.
class Decoder {
 public:
  explicit Decoder(std::string_view json) : reader_(json) {}

  std::optional<Item> document(std::size_t expected) {
    std::optional<Item> result = item(0, expected);
    if (!result || !reader_.at_end()) return std::nullopt;
    return result;
  }

 private:
  std::optional<Item> item(int depth, std::size_t expected) {
    Item out;
    if (!reader_.take('{')) return std::nullopt;
    if (reader_.take('}')) return out;
    out.reserve(expected);
    std::string kept;
    do {
      std::optional<std::string_view> name = reader_.string();
      if (!name) return std::nullopt;
      if (reader_.escaped()) name = kept = *name;
      if (!reader_.take(':')) return std::nullopt;
      std::optional<Value> value = this->value(depth);
      if (!value) return std::nullopt;
      out.set(*name, std::move(*value));
    } while (reader_.take(','));
    if (!reader_.take('}')) return std::nullopt;
    return out;
  }

  std::optional<Value> value(int depth) {
    switch (reader_.peek()) {
      case '"': {
        const std::optional<std::string_view> text = reader_.string();
        if (!text) return std::nullopt;
        return Value(*text);
      }
      case '{':
        return tagged(depth);
      case '[':
        if (depth == kMaxJsonDepth) return std::nullopt;
        return array<Value>([&] { return value(depth + 1); });
      case 't':
        if (!reader_.take_word("true")) return std::nullopt;
        return Value(true);
      case 'f':
        if (!reader_.take_word("false")) return std::nullopt;
        return Value(false);
      case 'n':
        if (!reader_.take_word("null")) return std::nullopt;
        return Value(Null{});
      default:
        return number();
    }
  }

  std::optional<Value> tagged(int depth) {
    if (!reader_.take('{')) return std::nullopt;
    const std::optional<std::string_view> tag = reader_.string();
    if (!tag) return std::nullopt;
    const auto is = [&](std::string_view name) { return *tag == name && reader_.take(':'); };
    std::optional<Value> result;
    if (is("M")) {
      if (depth < kMaxJsonDepth) result = item(depth + 1, 0);
    } else if (is("B")) {
      result = binary();
    } else if (is("SS")) {
      result = set<StringSet, std::string>([&] { return reader_.string(); });
    } else if (is("NS")) {
      result = set<NumberSet, Number>([&] { return number(); });
    } else if (is("BS")) {
      result = set<BinarySet, Binary>([&] { return binary(); });
    }
    if (!result || !reader_.take('}')) return std::nullopt;
    return result;
  }

  std::optional<Number> number() {
    const std::optional<std::string_view> text = reader_.number();
    return text ? Number::parse(*text) : std::nullopt;
  }

  std::optional<Binary> binary() {
    const std::optional<std::string_view> text = reader_.string();
    if (!text) return std::nullopt;
    std::optional<std::string> bytes = base64_decode(*text);
    if (!bytes) return std::nullopt;
    return Binary{std::move(*bytes)};
  }

  template <class T, class Read>
  std::optional<std::vector<T>> array(Read read) {
    std::vector<T> out;
    if (!reader_.take('[')) return std::nullopt;
    if (reader_.take(']')) return out;
    do {
      auto member = read();
      if (!member) return std::nullopt;
      out.emplace_back(std::move(*member));
    } while (reader_.take(','));
    if (!reader_.take(']')) return std::nullopt;
    return out;
  }

  template <class Set, class T, class Read>
  std::optional<Set> set(Read read) {
    std::optional<std::vector<T>> members = array<T>(read);
    if (!members) return std::nullopt;
    sort_members(*members);
    return Set{std::move(*members)};
  }

  JsonReader reader_;
};

// Bills what Encoder writes, and leaves the rest to Decoder: nullopt for whatever is damaged, out
// of order, or a set (whose members would have to be compared).
class Biller {
 public:
  explicit Biller(std::string_view json) : reader_(json) {}

  std::optional<std::size_t> document() {
    const std::optional<std::size_t> sum = item(0, 0);
    if (!sum || !reader_.at_end()) return std::nullopt;
    return sum;
  }

 private:
  static constexpr std::size_t kContainer = 3;
  static constexpr std::size_t kElement = 1;

  std::optional<std::size_t> item(int depth, std::size_t each) {
    if (!reader_.take('{')) return std::nullopt;
    if (reader_.take('}')) return 0;
    std::size_t sum = 0;
    std::optional<std::string_view> before;
    do {
      const std::optional<std::string_view> name = reader_.string();
      // An escaped name lies in the reader's buffer and is gone when the next one is read.
      if (!name || reader_.escaped()) return std::nullopt;
      if (before && *before >= *name) return std::nullopt;
      before = name;
      if (!reader_.take(':')) return std::nullopt;
      const std::optional<std::size_t> value = this->value(depth);
      if (!value) return std::nullopt;
      sum += name->size() + *value + each;
    } while (reader_.take(','));
    if (!reader_.take('}')) return std::nullopt;
    return sum;
  }

  std::optional<std::size_t> value(int depth) {
    switch (reader_.peek()) {
      case '"': {
        const std::optional<std::string_view> text = reader_.string();
        if (!text) return std::nullopt;
        return text->size();
      }
      case '{':
        return tagged(depth);
      case '[':
        return list(depth);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default: {
        const std::optional<std::string_view> text = reader_.number();
        return text ? Number::billed_bytes_of(*text) : std::nullopt;
      }
    }
  }

  std::optional<std::size_t> word(std::string_view text) {
    if (!reader_.take_word(text)) return std::nullopt;
    return 1;
  }

  std::optional<std::size_t> list(int depth) {
    if (depth == kMaxJsonDepth || !reader_.take('[')) return std::nullopt;
    std::size_t sum = kContainer;
    if (reader_.take(']')) return sum;
    do {
      const std::optional<std::size_t> value = this->value(depth + 1);
      if (!value) return std::nullopt;
      sum += *value + kElement;
    } while (reader_.take(','));
    if (!reader_.take(']')) return std::nullopt;
    return sum;
  }

  std::optional<std::size_t> tagged(int depth) {
    if (!reader_.take('{')) return std::nullopt;
    const std::optional<std::string_view> tag = reader_.string();
    if (!tag) return std::nullopt;
    std::optional<std::size_t> sum;
    if (*tag == "M" && depth < kMaxJsonDepth) {
      if (!reader_.take(':')) return std::nullopt;
      sum = item(depth + 1, kElement);
      if (sum) *sum += kContainer;
    } else if (*tag == "B") {
      if (!reader_.take(':')) return std::nullopt;
      const std::optional<std::string_view> text = reader_.string();
      const std::optional<std::string> bytes = text ? base64_decode(*text) : std::nullopt;
      if (bytes) sum = bytes->size();
    }
    if (!sum || !reader_.take('}')) return std::nullopt;
    return sum;
  }

  JsonReader reader_;
};

}  // namespace

std::string encode_item(const Item& item) {
  std::string out;
  Encoder(out).item(item);
  return out;
}

std::optional<Item> decode_item(std::string_view json) {
  // Fewer bytes than this for an attribute are rare; a large item is mostly one large value.
  constexpr std::size_t kBytesPerAttribute = 16, kMostExpected = 16;
  return Decoder(json).document(std::min(json.size() / kBytesPerAttribute + 1, kMostExpected));
}

std::size_t billed_bytes_of_json(std::string_view pk, std::string_view sk, std::string_view json) {
  const std::size_t key = billed_bytes(pk, sk, Item{});
  if (const std::optional<std::size_t> sum = Biller(json).document()) return key + *sum;
  if (const std::optional<Item> item = decode_item(json)) return billed_bytes(pk, sk, *item);
  return key + json.size();
}

}  // namespace table
