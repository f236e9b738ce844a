// libFuzzer target: expressions of any bytes.  The first byte says which kind the rest is.
//
//   cmake -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DPREFIXFS_FUZZ=ON
//   cmake --build build-fuzz
//   build-fuzz/fuzz_expression -dict=tests/fuzz/expression.dict tests/fuzz/expression

#include "table/expression.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "table/item_json.h"

namespace {

using namespace table;

const Item& item() {
  static const Item item{{"a", 1},
                         {"b", "text"},
                         {"l", List{1, "two", List{3}}},
                         {"m", Item{{"a", Item{{"b", 1}}}, {"l", List{Item{{"c", true}}}}}},
                         {"s", StringSet{{"blue", "red"}}},
                         {"n", NumberSet{{1, 2}}},
                         {"x", Binary{"\x01"}}};
  return item;
}

Placeholders placeholders() {
  return Placeholders({{"#a", "a"}, {"#m", "m"}, {"#o", "owner"}, {"#p", "pk"}},
                      {{":1", 1},
                       {":t", "text"},
                       {":T", "S"},
                       {":l", List{9}},
                       {":m", Item{{"z", Null{}}}},
                       {":s", StringSet{{"new", "red"}}},
                       {":n", NumberSet{{2, 7}}},
                       {":x", Binary{"\x01\x02"}},
                       {":f", false}});
}

void require(bool true_always) {
  if (!true_always) std::abort();
}

void update(std::string_view text, Placeholders& placeholders) {
  const UpdateExpression update = parse_update(text, placeholders);
  Item after = item();
  if (apply(update, after) != UpdateError::none) {
    require(after == item());
  } else {
    require(decode_item(encode_item(after)) == after);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Placeholders p = placeholders();
  try {
    switch (data[0] % 5) {
      case 0: {
        const Condition condition = parse_condition(text, p, ConditionUse::condition);
        const bool holds_here = holds(condition, "p", "s", &item());
        require(holds(Condition::Not{{condition}}, "p", "s", &item()) != holds_here);
        holds(condition, "p", "s", nullptr);
        break;
      }
      case 1:
        holds(parse_condition(text, p, ConditionUse::filter), "p", "s", &item());
        break;
      case 2:
        parse_key_condition(text, p);
        break;
      case 3: {
        const Item part = project(item(), parse_projection(text, p));
        for (const auto& [name, value] : part.entries()) require(item().find(name) != nullptr);
        break;
      }
      case 4:
        update(text, p);
        break;
    }
  } catch (const ValidationError&) {
    // What most input is.
  }
  return 0;
}
