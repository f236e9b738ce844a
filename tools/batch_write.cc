#include "table/item_json.h"
#include "tools/command.h"
#include "tools/dynamo_answer.h"
#include "tools/dynamo_error.h"
#include "tools/explanation.h"
#include "tools/figures.h"
#include "tools/raw_request.h"
#include "tools/request_list.h"

namespace prefixfs {
namespace {

constexpr std::string_view kOption = "--request-items";

struct Args {
  std::string file;
  std::string request;
  RawOptions raw;
};

table::Write write_of(const Json& request) {
  require_members(kOption, request, {"PutRequest", "DeleteRequest"});
  if (request.size() != 1) {
    throw table::ValidationError(
        "Supplied AttributeValue has more than one datatypes set: one PutRequest or DeleteRequest "
        "each");
  }
  if (request.contains("DeleteRequest")) {
    return table::Delete{
        key_of(item_argument(kOption, member_json(kOption, request["DeleteRequest"], "Key")))};
  }
  table::Item item = item_argument(kOption, member_json(kOption, request["PutRequest"], "Item"));
  table::Key key = take_key(item);
  return table::Put{std::move(key), std::move(item)};
}

ExitStatus answer(const Args& args, Io& io) {
  if (args.request.empty()) throw WrongUse("batch-write", "--request-items is missing");
  const Json asked =
      of_the_table(kOption, args.file, json_document(kOption, json_argument(args.request)));
  if (!asked.is_array()) throw WrongUse(kOption, "expected an array of requests");
  if (asked.empty()) throw table::ValidationError("The list of requests must not be empty");
  std::vector<table::Write> writes;
  for (const Json& one : asked) writes.push_back(write_of(one));
  for (const table::Write& write : writes) {
    std::visit([&](const auto& one) { require_key(one.key, args.raw.limits()); }, write);
  }
  RawTable raw(args.file, Access::write, args.raw, "batch-write");
  if (args.raw.explain) {
    RequestJson tables;
    tables.add(table_name(args.file), asked.dump());
    Explanation made{.operation = "BatchWriteItem",
                     .request = RequestJson().add("RequestItems", tables.text()).text()};
    std::vector<table::Action> actions;
    for (const table::Write& write : writes) {
      std::visit([&](const auto& one) { actions.emplace_back(one); }, write);
    }
    explain_writes(made, raw.unmetered(), actions, Requests::plain);
    print_explanation(io, args.raw.json, made);
    return ExitStatus::ok;
  }
  const table::WriteResult result = raw.table().batch_write(writes);
  if (!result.ok()) throw batch_error(args.file, result);
  raw.sync();
  if (args.raw.json) {
    io.out << "{\"UnprocessedItems\": {}, "
           << consumed_capacity_list(args.file, result.charge.write_units) << "}\n";
  } else {
    io.out << counted(result.charge.puts, "put") << ", " << counted(result.charge.deletes, "delete")
           << ": " << units_text(result.charge.write_units, "write") << '\n';
  }
  raw.finish(io);
  return ExitStatus::ok;
}

}  // namespace

void add_batch_write(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "batch-write",
      .usage = "FILE --request-items JSON [--json] [--explain]",
      .what = "BatchWriteItem: up to 25 puts and deletes, each paid for by itself",
      .more = "The array of requests alone will do, and file://NAME.",
      .example = "prefixfs batch-write home.db --request-items file://requests.json --explain",
  });
  command.positional(args->file, "FILE");
  command.option("--request-items", args->request, "JSON",
                 R"({"TABLE": [{"PutRequest": {"Item": {}}}, {"DeleteRequest": {"Key": {}}}]})");
  declare_raw(command, args->raw, Expressions::none);
  command.runs([args](Io& io) {
    return answer_request(io, args->raw, args->file, [&] { return answer(*args, io); });
  });
}

}  // namespace prefixfs
