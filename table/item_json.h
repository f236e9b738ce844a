// How an item is spelt in JSON: once for storage, once as DynamoDB answers.
//
// Stored (column `attrs`): one object per item that json_extract can read.
//
//   item    = "{" [ name ":" value *( "," name ":" value ) ] "}"     names in byte order
//   value   = string            S
//           | number            N     the canonical text of Number
//           | true | false      BOOL
//           | null              NULL
//           | "[" values "]"    L
//           | {"M": item}  | {"B": base64}
//           | {"SS": [string...]} | {"NS": [number...]} | {"BS": [base64...]}
//
// DynamoDB's shape: {"name": {"S": "..."}}, {"N": "12"}, {"B": base64}, {"BOOL": true},
// {"NULL": true}, {"L": [...]}, {"M": {...}}, {"SS": [...]}, {"NS": ["1", ...]}, {"BS": [...]}.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "table/value.h"

namespace table {

// The stored form.  REQUIRES: every S, attribute name and set member is UTF-8; lists and maps nest
// at most 32 deep.
std::string encode_item(const Item& item);

// nullopt: `json` is not the stored form of an item, or nests lists and maps more than 32 deep.
// Other tools may have written it, so white space, any order of names and members and any spelling
// of a number or string that JSON knows are accepted.  Duplicate names: the last one wins.
std::optional<Item> decode_item(std::string_view json);

// billed_bytes(pk, sk, decode_item(json)) without building the item; the hot half of moving a
// range.  An undecodable item is charged by the bytes of its text, beside its key.
std::size_t billed_bytes_of_json(std::string_view pk, std::string_view sk, std::string_view json);

// DynamoDB's shape, with pk and sk as attributes in front.  Compact, one line.
std::string to_dynamo_json(std::string_view pk, std::string_view sk, const Item& item);
std::string to_dynamo_json(const Item& item);
std::string to_dynamo_json(const Value& value);

// From DynamoDB's shape, with DynamoDB's rules for what people type: names are not empty and not
// repeated, sets neither empty nor with duplicates, NULL is true.  pk and sk, where given, are
// attributes like any other.  nullopt with *error set to what is wrong and where.
std::optional<Item> from_dynamo_json(std::string_view json, std::string* error);

// Bytes of a key as JSON text, quotes included: each invalid part of UTF-8 is written as U+FFFD, so
// for keys in `--json` answers only.
std::string json_string(std::string_view text);

// RFC 4648 with padding.  Decoding is strict: no white space, no missing padding, no stray bits.
std::string base64_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace table
