// DynamoDB's own JSON: every value an object that names its type.

#include <algorithm>
#include <utility>

#include "table/item_json.h"
#include "table/json_reader.h"
#include "table/json_writer.h"

namespace table {
namespace {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void value(const Value& value) {
    out_.append("{\"").append(type_name(value.type())).append("\":");
    std::visit(*this, value.data);
    out_ += '}';
  }

  void member(std::string_view name, const Value& value) {
    append_json_string(out_, name);
    out_ += ':';
    this->value(value);
  }

  void key(std::string_view name, std::string_view text) {
    append_json_string(out_, name);
    out_ += ":{\"S\":";
    append_json_string(out_, text);
    out_ += '}';
  }

  void operator()(const std::string& s) { append_json_string(out_, s); }
  void operator()(const Number& n) { out_.append(1, '"').append(n.text()).append(1, '"'); }
  void operator()(const Binary& b) {
    out_.append(1, '"').append(base64_encode(b.bytes)).append(1, '"');
  }
  void operator()(bool b) { out_ += b ? "true" : "false"; }
  void operator()(Null) { out_ += "true"; }
  void operator()(const List& list) {
    array(list, [&](const Value& value) { this->value(value); });
  }
  void operator()(const Item& map) {
    out_ += '{';
    bool first = true;
    for (const auto& [name, value] : map.entries()) {
      if (!first) out_ += ',';
      first = false;
      member(name, value);
    }
    out_ += '}';
  }
  void operator()(const StringSet& set) { array(set.members, *this); }
  void operator()(const NumberSet& set) { array(set.members, *this); }
  void operator()(const BinarySet& set) { array(set.members, *this); }

 private:
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

// Verbs return nullopt once something is wrong; error() then says what and where.
class Parser {
 public:
  explicit Parser(std::string_view json) : reader_(json) {}

  std::optional<Item> document() {
    std::optional<Item> result = item(0);
    if (result && !reader_.at_end()) return fail("unexpected text after the item");
    return result;
  }

  const std::string& error() const { return error_; }

 private:
  std::nullopt_t fail(std::string_view what) {
    error_ = "byte " + std::to_string(reader_.position()) + ": ";
    if (!attribute_.empty()) error_ += "attribute " + json_string(attribute_) + ": ";
    error_ += what;
    return std::nullopt;
  }

  std::optional<Item> item(int depth) {
    Item out;
    if (!reader_.take('{')) return fail("expected an object");
    if (reader_.take('}')) return out;
    do {
      const std::optional<std::string> name = text("expected an attribute name in quotes");
      if (!name) return std::nullopt;
      if (depth == 0) attribute_ = *name;
      if (name->empty()) return fail("an attribute name is empty");
      if (out.find(*name) != nullptr)
        return fail("the name " + json_string(*name) + " is repeated");
      if (!reader_.take(':')) return fail("expected ':' after the name");
      std::optional<Value> value = this->value(depth);
      if (!value) return std::nullopt;
      out.set(*name, std::move(*value));
    } while (reader_.take(','));
    if (!reader_.take('}')) return fail("expected ',' or '}'");
    return out;
  }

  std::optional<Value> value(int depth) {
    if (!reader_.take('{')) return fail("expected a value with its type, like {\"S\": \"text\"}");
    const std::optional<std::string> type = text("expected a type, like \"S\"");
    if (!type) return std::nullopt;
    if (!reader_.take(':')) return fail("expected ':' after the type");
    std::optional<Value> result = typed(*type, depth);
    if (result && !reader_.take('}')) return fail("expected '}': a value has one type");
    return result;
  }

  std::optional<Value> typed(std::string_view type, int depth) {
    if (type == "S") return text("S needs a string");
    if (type == "N") return number();
    if (type == "B") return binary();
    if (type == "BOOL") return boolean();
    if (type == "NULL") {
      if (!reader_.take_word("true")) return fail("NULL needs true");
      return Value(Null{});
    }
    if (type == "SS") return set<StringSet, std::string>([&] { return text("SS needs strings"); });
    if (type == "NS") return set<NumberSet, Number>([&] { return number(); });
    if (type == "BS") return set<BinarySet, Binary>([&] { return binary(); });
    if (type != "L" && type != "M") return fail("unknown type " + json_string(type));
    if (depth == kMaxJsonDepth) return fail("lists and maps nest more than 32 deep");
    if (type == "M") return item(depth + 1);
    return array<Value>([&] { return value(depth + 1); });
  }

  std::optional<std::string> text(std::string_view expectation) {
    if (reader_.peek() != '"') return fail(expectation);
    const std::optional<std::string_view> text = reader_.string();
    if (!text) return fail("not a well-formed string");
    return std::string(*text);
  }

  std::optional<Number> number() {
    const std::optional<std::string> digits = text("a number is written as a string, like \"12\"");
    if (!digits) return std::nullopt;
    std::optional<Number> number = Number::parse(*digits);
    if (!number) {
      return fail(json_string(*digits) +
                  " is not a number of at most 38 digits between 1E-130 and 9.9...E+125");
    }
    return number;
  }

  std::optional<Binary> binary() {
    const std::optional<std::string> encoded = text("binary is written as base64 in a string");
    if (!encoded) return std::nullopt;
    std::optional<std::string> bytes = base64_decode(*encoded);
    if (!bytes) return fail("not base64");
    return Binary{std::move(*bytes)};
  }

  std::optional<Value> boolean() {
    if (reader_.take_word("true")) return Value(true);
    if (reader_.take_word("false")) return Value(false);
    return fail("BOOL needs true or false");
  }

  template <class T, class Read>
  std::optional<std::vector<T>> array(Read read) {
    std::vector<T> out;
    if (!reader_.take('[')) return fail("expected an array");
    if (reader_.take(']')) return out;
    do {
      std::optional<T> member = read();
      if (!member) return std::nullopt;
      out.push_back(std::move(*member));
    } while (reader_.take(','));
    if (!reader_.take(']')) return fail("expected ',' or ']'");
    return out;
  }

  template <class Set, class T, class Read>
  std::optional<Value> set(Read read) {
    std::optional<std::vector<T>> members = array<T>(read);
    if (!members) return std::nullopt;
    if (members->empty()) return fail("a set is never empty");
    std::sort(members->begin(), members->end());
    if (std::adjacent_find(members->begin(), members->end()) != members->end()) {
      return fail("a set holds each member once");
    }
    return Value(Set{std::move(*members)});
  }

  JsonReader reader_;
  std::string attribute_;  // the outermost name, for messages
  std::string error_;
};

}  // namespace

std::string to_dynamo_json(std::string_view pk, std::string_view sk, const Item& item) {
  std::string out = "{";
  Writer writer(out);
  writer.key("pk", pk);
  out += ',';
  writer.key("sk", sk);
  for (const auto& [name, value] : item.entries()) {
    out += ',';
    writer.member(name, value);
  }
  out += '}';
  return out;
}

std::string to_dynamo_json(const Item& item) {
  std::string out;
  Writer{out}(item);
  return out;
}

std::string to_dynamo_json(const Value& value) {
  std::string out;
  Writer(out).value(value);
  return out;
}

std::optional<Item> from_dynamo_json(std::string_view json, std::string* error) {
  Parser parser(json);
  std::optional<Item> item = parser.document();
  if (!item && error != nullptr) *error = parser.error();
  return item;
}

}  // namespace table
