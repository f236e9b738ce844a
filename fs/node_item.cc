#include "fs/node_item.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <ctime>

#include "table/block_store.h"

namespace prefixfs {
namespace {

using table::Item;
using table::Number;
using table::Value;

constexpr std::array<std::string_view, 7> kKinds = {"file",   "folder", "symlink", "fifo",
                                                    "socket", "char",   "block"};
constexpr std::int32_t kNanos = 1'000'000'000;
constexpr const char* kShared = "shared";

std::uint32_t default_mode(Kind kind) {
  switch (kind) {
    case Kind::folder:
      return 0755;
    case Kind::symlink:
      return 0777;
    default:
      return 0644;
  }
}

// Reads the attributes of one item, remembering the first that is wrong.
class Reader {
 public:
  bool number(const Value& value, std::string_view name, std::uint64_t max, std::uint64_t& out) {
    const Number* n = value.if_number();
    const auto parsed = n ? n->as_uint64() : std::nullopt;
    if (!parsed || *parsed > max) return fail(name, "is not a number in range");
    out = *parsed;
    return true;
  }
  bool string(const Value& value, std::string_view name, std::string& out) {
    const std::string* s = value.if_string();
    if (!s) return fail(name, "is not a string");
    out = *s;
    return true;
  }
  bool time(const Value& value, std::string_view name, Time& out) {
    const Number* n = value.if_number();
    const auto parsed = n ? decode_time(*n) : std::nullopt;
    if (!parsed) return fail(name, "is not a time");
    out = *parsed;
    return true;
  }
  bool fail(std::string_view name, std::string_view what) {
    if (why_.empty()) why_ = fmt::format("{} {}", name, what);
    return false;
  }
  const std::string& why() const { return why_; }

 private:
  std::string why_;
};

bool read_attribute(Reader& r, std::string_view name, const Value& value, Node& node) {
  if (name == "sizeBytes") return r.number(value, name, table::kMaxFileBytes, node.size);
  if (name == "mtime") return r.time(value, name, node.mtime);
  if (name == "ctime") return r.time(value, name, node.ctime);
  if (name == "atime") return r.time(value, name, node.atime);
  if (name == "btime") return r.time(value, name, node.btime);
  if (name == "owner") return r.string(value, name, node.owner);
  if (name == "group") return r.string(value, name, node.group);
  if (name == "rdev") return r.number(value, name, UINT64_MAX, node.rdev);
  if (name == "holes") {
    return r.number(value, name, table::kMaxFileBytes / table::kBlockBytes, node.holes);
  }
  std::uint64_t n = 0;
  if (name == "folders") {
    // An item written elsewhere starts without the count, which then goes below zero.
    const Number* count = value.if_number();
    if (count && *count < Number(0)) return true;
    return r.number(value, name, UINT32_MAX, node.folders);
  }
  if (name == "links") {
    if (!r.number(value, name, UINT32_MAX, n)) return false;
    if (node.kind != Kind::folder && n > 0) node.links = static_cast<std::uint32_t>(n);
    return true;
  }
  if (name == "id") {
    if (!r.number(value, name, table::kMaxContentId, n)) return false;
    node.id = NodeId{n};
    return true;
  }
  if (name == "mode") {
    if (!r.number(value, name, 07777, n)) return false;
    node.mode = static_cast<std::uint32_t>(n);
    return true;
  }
  if (name == "target") {
    if (const table::Binary* b = value.if_binary()) {
      node.target = b->bytes;
      return true;
    }
    return r.string(value, name, node.target);
  }
  if (name == "xattrs") {
    const Item* map = value.if_map();
    if (!map) return r.fail(name, "is not a map");
    node.xattrs = *map;
    return true;
  }
  if (name == "acl" || name == "defaultAcl") {
    Acl& acl = name == "acl" ? node.acls.access : node.acls.default_acl;
    auto decoded = name == "acl" ? decode_access_acl(value) : decode_default_acl(value);
    if (!decoded) return r.fail(name, "is not an ACL");
    acl = *std::move(decoded);
    return true;
  }
  if (name != "kind") node.extra.set(name, value);
  return true;
}

}  // namespace

std::string_view kind_name(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

Time system_time() {
  std::timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return {now.tv_sec, static_cast<std::int32_t>(now.tv_nsec)};
}

Number encode_time(const Time& time) {
  if (time.nsec == 0) return Number(time.sec);
  // Before 1970 the fraction counts down: sec -2, nsec 500,000,000 is -1.5.
  const bool negative = time.sec < 0;
  const std::int64_t whole = negative ? -(time.sec + 1) : time.sec;
  const std::int32_t fraction = negative ? kNanos - time.nsec : time.nsec;
  std::array<char, 40> text;
  const auto end = fmt::format_to(text.data(), "{}{}.{:09}", negative ? "-" : "", whole, fraction);
  return *Number::parse({text.data(), static_cast<std::size_t>(end - text.data())});
}

std::optional<Time> decode_time(const Number& number) {
  std::string_view text = number.text();
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Time time;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, time.sec);
  if (error != std::errc{} || time.sec < 0) return std::nullopt;
  if (after != end) {
    if (*after != '.') return std::nullopt;
    std::int32_t scale = kNanos / 10;
    for (const char* p = after + 1; p != end; ++p, scale /= 10) {
      if (*p < '0' || *p > '9') return std::nullopt;
      time.nsec += (*p - '0') * scale;  // digits past the ninth are dropped: scale is 0 there
    }
  }
  if (negative) {
    time.sec = -time.sec;
    if (time.nsec != 0) {
      --time.sec;
      time.nsec = kNanos - time.nsec;
    }
  }
  return time;
}

Item encode_node(const Node& node) {
  Item item = node.extra;
  item.set("kind", kind_name(node.kind));
  item.set("sizeBytes", node.size);
  item.set("owner", node.owner);
  item.set("group", node.group);
  item.set("mode", static_cast<std::uint64_t>(node.mode));
  item.set("mtime", encode_time(node.mtime));
  item.set("ctime", encode_time(node.ctime));
  item.set("atime", encode_time(node.atime));
  item.set("btime", encode_time(node.btime));
  if (node.id != kNoId) item.set("id", number(node.id));
  if (node.kind == Kind::symlink) {
    item.set("target",
             table::is_utf8(node.target) ? Value(node.target) : Value(table::Binary{node.target}));
  }
  if (node.rdev != 0) item.set("rdev", node.rdev);
  if (node.folders != 0) item.set("folders", node.folders);
  if (node.holes != 0) item.set("holes", node.holes);
  if (node.links > 1) item.set("links", static_cast<std::uint64_t>(node.links));
  if (!node.xattrs.empty()) item.set("xattrs", node.xattrs);
  if (!node.acls.access.empty()) item.set("acl", encode_acl(node.acls.access));
  if (!node.acls.default_acl.empty()) item.set("defaultAcl", encode_acl(node.acls.default_acl));
  return item;
}

Item encode_name(const Node& node) {
  return {{"kind", kind_name(node.kind)}, {"id", number(node.id)}, {kShared, true}};
}

NodeChange whole(const Node& node) {
  NodeChange change{.only_of = node.id};
  const Item item = encode_node(node);
  for (const auto& [name, value] : item.entries()) change.set.emplace_back(name, value);
  if (!node.extra.find(kShared)) change.remove.emplace_back(kShared);
  return change;
}

NodeChange only_name(const Node& node) {
  NodeChange change{.set = {{kShared, true}}};
  const Item item = encode_node(node);
  for (const auto& [name, value] : item.entries()) {
    if (name != "kind" && name != "id" && name != kShared) change.remove.push_back(name);
  }
  return change;
}

std::optional<Node> decode_node(const Item& item, std::string* why) {
  const auto fail = [&](std::string text) {
    if (why) *why = std::move(text);
    return std::nullopt;
  };
  const Value* kind = item.find("kind");
  if (!kind) return fail("no kind");
  const std::string* kind_text = kind->if_string();
  const auto known = kind_text ? kind_from_name(*kind_text) : std::nullopt;
  if (!known) return fail("kind is not one of file, folder, symlink, fifo, socket, char, block");

  Node node;
  node.kind = *known;
  node.mode = default_mode(node.kind);
  Reader reader;
  for (const auto& [name, value] : item.entries()) {
    if (!read_attribute(reader, name, value, node)) return fail(reader.why());
  }
  if (node.kind == Kind::symlink) node.size = node.target.size();
  // Somebody's own attribute of that name stands beside those of a node.
  if (const Value* shared = node.extra.find(kShared);
      shared && *shared == Value(true) && node.id != kNoId && !item.find("sizeBytes")) {
    node.shared = true;
    node.extra.erase(kShared);
  }
  return node;
}

Result<Node> node_of(const table::GetResult& got) {
  if (!got.item) return std::errc::no_such_file_or_directory;
  if (auto node = decode_node(*got.item)) return *std::move(node);
  return std::errc::io_error;
}

}  // namespace prefixfs
