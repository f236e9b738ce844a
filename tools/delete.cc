#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/single_write.h"

namespace prefixfs {
namespace {

struct Args {
  KeyArgs key;
  SingleWriteArgs write;
};

ExitStatus answer(const Args& args, Io& io) {
  Addressed asked = addressed(args.key, "delete");
  RequestExpressions expressions(args.write.raw.names, args.write.raw.values);
  table::Condition condition = expressions.condition(args.write.condition);
  expressions.finish();
  SingleWrite one{.file = asked.file, .operation = "DeleteItem", .name = "delete"};
  one.request.add_text("TableName", table_name(asked.file)).add("Key", key_json(asked.key));
  one.write = table::Delete{std::move(asked.key), std::move(condition)};
  return run_single_write(one, args.write, io);
}

}  // namespace

void add_delete(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "delete",
      .usage = "FILE PK SK | FILE --key JSON | [--drive NAME] FILE:/PATH\n"
               "         [--condition-expression C] [--return-values ALL_OLD] [--json] [--explain]",
      .what = "DeleteItem: remove one item",
      .more = "The item alone: `rm` removes a node with its content and what lies below it.",
      .example = "prefixfs delete home.db 'ENV#dev' 'FLAG#beta' --return-values ALL_OLD",
  });
  declare_key(command, args->key);
  declare_single_write(command, args->write, "Show the item before: NONE or ALL_OLD");
  command.runs([args](Io& io) {
    return answer_request(io, args->write.raw, args->key.file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
