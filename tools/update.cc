#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/single_write.h"

namespace prefixfs {
namespace {

struct Args {
  KeyArgs key;
  std::optional<std::string> update;
  SingleWriteArgs write;
};

ExitStatus answer(const Args& args, Io& io) {
  Addressed asked = addressed(args.key, "update");
  RequestExpressions expressions(args.write.raw.names, args.write.raw.values);
  table::Update update{.key = asked.key,
                       .expression = expressions.update(args.update),
                       .condition = expressions.condition(args.write.condition)};
  expressions.finish();
  SingleWrite one{.file = asked.file,
                  .operation = "UpdateItem",
                  .name = "update",
                  .returns = {"NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}};
  one.request.add_text("TableName", table_name(asked.file))
      .add("Key", key_json(asked.key))
      .maybe_text("UpdateExpression", args.update);
  one.write = std::move(update);
  return run_single_write(one, args.write, io);
}

}  // namespace

void add_update(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "update",
      .usage = "FILE PK SK | FILE --key JSON | [--drive NAME] FILE:/PATH\n"
               "         --update-expression U [--condition-expression C]\n"
               "         [--return-values ALL_NEW] [--json] [--explain]",
      .what = "UpdateItem: change attributes of one item, or make it",
      .example = "prefixfs update home.db:/docs/a.txt --update-expression 'SET #o = :o' \\\n"
                 "    --expression-attribute-names '{\"#o\": \"owner\"}' \\\n"
                 "    --expression-attribute-values '{\":o\": {\"S\": \"bo\"}}'",
  });
  declare_key(command, args->key);
  command.option("--update-expression", args->update, "UPDATE",
                 "SET a = :v, n = n + :i REMOVE b ADD n :i DELETE set :members");
  declare_single_write(command, args->write, "NONE, ALL_OLD, UPDATED_OLD, ALL_NEW or UPDATED_NEW");
  command.runs([args](Io& io) {
    return answer_request(io, args->write.raw, args->key.file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
