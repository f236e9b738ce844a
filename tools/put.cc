#include "table/item_json.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/single_write.h"

namespace prefixfs {
namespace {

struct Args {
  std::string file, pk, sk;
  std::string item;
  SingleWriteArgs write;
};

ExitStatus answer(const Args& args, Io& io) {
  if (args.item.empty()) throw WrongUse("put", "--item is missing");
  if (args.pk.empty() != args.sk.empty()) {
    throw WrongUse("put", "expected FILE --item JSON, with PK SK where the item has no key");
  }
  table::Item item = item_argument("--item", json_argument(args.item));
  if (!args.pk.empty()) {
    if (item.find("pk") != nullptr || item.find("sk") != nullptr) {
      throw WrongUse("put", "the key is in --item and beside it");
    }
    item.set("pk", args.pk);
    item.set("sk", args.sk);
  }
  table::Key key = take_key(item);
  RequestExpressions expressions(args.write.raw.names, args.write.raw.values);
  table::Condition condition = expressions.condition(args.write.condition);
  expressions.finish();
  SingleWrite one{.file = args.file, .operation = "PutItem", .name = "put"};
  one.request.add_text("TableName", table_name(args.file)).add("Item", item_json(key, item));
  one.write = table::Put{std::move(key), std::move(item), std::move(condition)};
  return run_single_write(one, args.write, io);
}

}  // namespace

void add_put(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "put",
      .usage = "FILE [PK SK] --item JSON [--condition-expression C] [--return-values ALL_OLD]\n"
               "         [--json] [--explain]",
      .what = "PutItem: store one item in place of the one that is there",
      .more = "JSON may be in a file: --item file://NAME.",
      .example =
          "prefixfs put home.db 'ENV#dev' 'FLAG#beta' --item '{\"value\": {\"S\": \"true\"},\n"
          "    \"type\": {\"S\": \"bool\"}}' --condition-expression 'attribute_not_exists(pk)'",
  });
  command.positional(args->file, "FILE");
  command.optional_positional(args->pk);
  command.optional_positional(args->sk);
  command.option("--item", args->item, "JSON", "The item in DynamoDB's JSON");
  declare_single_write(command, args->write, "Show the item before: NONE or ALL_OLD");
  command.runs([args](Io& io) {
    return answer_request(io, args->write.raw, args->file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
