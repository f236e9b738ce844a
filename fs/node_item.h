// How a node is spelt as the attributes of an item (MODEL.md, "Attributes of a node").
//
//   kind S | sizeBytes N | owner S | id N | group S | mode N | mtime ctime atime btime N
//   target S, or B where it is not UTF-8 | rdev N | folders N | holes N | links N | xattrs M
//   acl L | defaultAcl L   (fs/acl.h)
//
// Absent means the default: id not yet given, group "root", mode 0644 (folders 0755, symlinks
// 0777), times 0, links 1, the rest 0 or empty.
//
// A name that leads to attributes in a row of their own:
//
//   kind S | id N | shared BOOL true

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fs/node.h"
#include "fs/result.h"
#include "table/table.h"
#include "table/value.h"

namespace prefixfs {

std::string_view kind_name(Kind kind);  // "file", "folder", ..., "char", "block"
std::optional<Kind> kind_from_name(std::string_view name);

table::Item encode_node(const Node& node);
table::Item encode_name(const Node& node);  // that leads to `node`
// What makes the attributes of one row those of the other.
NodeChange whole(const Node& node);      // the name's row holds the attributes again
NodeChange only_name(const Node& node);  // it leads to them

// nullopt with *why set: no kind or one unknown, an attribute of the wrong type or out of range.
std::optional<Node> decode_node(const table::Item& item, std::string* why = nullptr);

// Of a GetItem's answer.  ENOENT: no item; EIO: one that cannot be a node.
Result<Node> node_of(const table::GetResult& got);

// Seconds with nine decimals as an exact N, also before 1970.
table::Number encode_time(const Time& time);
std::optional<Time> decode_time(const table::Number& number);

}  // namespace prefixfs
