#include "fs/flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "fs/accounts.h"
#include "fs/keys.h"
#include "tools/command.h"
#include "tools/session.h"

namespace prefixfs {
namespace {

using Json = nlohmann::ordered_json;

struct Args {
  std::string verb, file;
  std::vector<std::string> rest;
  std::optional<std::string> type, by;
  bool json = false;
};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const Flag& flag) {
  return {{"value", flag.value}, {"type", flag.type}, {"updatedBy", flag.updated_by}};
}

void require(const Args& args, std::size_t least, std::size_t most, const char* expected) {
  if (args.rest.size() >= least && args.rest.size() <= most) return;
  throw WrongUse("flags " + args.verb, std::string("expected FILE ") + expected);
}

std::string name_of(const std::string& env, const std::string& key) { return env + "/" + key; }

void require_names(const std::string& env, const std::string& key) {
  if (const auto problem = flag_name_problem(env, key)) throw Failure(name_of(env, key), *problem);
}

std::string who(const Args& args) {
  return args.by ? *args.by : SystemAccounts().user_name(getuid());
}

void check(const std::string& name, const Flag& flag) {
  if (!is_flag_type(flag.type)) {
    throw Failure(name, flag.type + " is no type: bool, int, float, string or json");
  }
  if (!table::is_utf8(flag.value)) throw Failure(name, "the value is not UTF-8");
  if (const auto problem = flag_problem(flag.type, flag.value)) {
    throw Failure(name, fmt::format("\"{}\" {}", escaped_name(flag.value), *problem));
  }
}

void apply(table::Store& store, const std::string& what, const table::Batch& batch) {
  const table::WriteResult result = store.table().apply(batch);
  if (!result.ok()) throw Failure(what, table::status_name(result.status));
}

// ---- The verbs ----

void list(const Args& args, table::Table& t, Io& io) {
  require(args, 0, 1, "[ENV]");
  if (args.rest.empty()) {
    const std::vector<std::string> names = environments(t);
    if (args.json) io.out << text_of(Json(names));
    for (const std::string& name : names) {
      if (!args.json) io.out << shown_name(io, name) << '\n';
    }
    return;
  }
  const std::vector<NamedFlag> flags = all_flags(t, args.rest[0]);
  Json json = Json::object();
  std::size_t width = 0;
  for (const NamedFlag& named : flags) width = std::max(width, named.key.size());
  for (const NamedFlag& named : flags) {
    json[named.key] = json_of(named.flag);
    if (args.json) continue;
    io.out << fmt::format("{:{}}  {:6}  {:8}  {}\n", shown_name(io, named.key), width,
                          named.flag.type, shown_name(io, named.flag.updated_by),
                          shown_name(io, named.flag.value));
  }
  if (args.json) io.out << text_of(json);
}

Flag require_flag(table::Table& t, const std::string& env, const std::string& key) {
  auto flag = get_flag(t, env, key);
  if (!flag) throw Failure(name_of(env, key), "no such flag");
  return *std::move(flag);
}

void get(const Args& args, table::Table& t, Io& io) {
  require(args, 2, 2, "ENV KEY");
  const Flag flag = require_flag(t, args.rest[0], args.rest[1]);
  io.out << (args.json ? text_of(json_of(flag)) : flag.value + "\n");
}

void set(const Args& args, table::Store& store) {
  require(args, 3, 3, "ENV KEY VALUE");
  const std::string &env = args.rest[0], &key = args.rest[1];
  require_names(env, key);
  table::Store::Step step(store);
  Flag flag = get_flag(store.table(), env, key).value_or(Flag{});
  flag.value = args.rest[2];
  if (args.type) flag.type = *args.type;
  flag.updated_by = who(args);
  check(name_of(env, key), flag);
  apply(store, name_of(env, key), {put_of(env, key, flag)});
  step.done();
}

void unset(const Args& args, table::Store& store) {
  require(args, 2, 2, "ENV KEY");
  const std::string &env = args.rest[0], &key = args.rest[1];
  require_flag(store.table(), env, key);
  apply(store, name_of(env, key), {table::Delete{flag_key(env, key)}});
}

void diff(const Args& args, table::Table& t, Io& io) {
  require(args, 2, 2, "ENV ENV");
  std::map<std::string, std::pair<std::optional<Flag>, std::optional<Flag>>> both;
  for (NamedFlag& named : all_flags(t, args.rest[0])) both[named.key].first = named.flag;
  for (NamedFlag& named : all_flags(t, args.rest[1])) both[named.key].second = named.flag;
  Json json = Json::object();
  for (const auto& [key, sides] : both) {
    const auto& [a, b] = sides;
    if (a && b && a->value == b->value && a->type == b->type) continue;
    json[key] = {{args.rest[0], a ? json_of(*a) : Json()},
                 {args.rest[1], b ? json_of(*b) : Json()}};
    if (args.json) continue;
    if (a)
      io.out << "- " << shown_name(io, key) << ' ' << a->type << ' ' << shown_name(io, a->value)
             << '\n';
    if (b)
      io.out << "+ " << shown_name(io, key) << ' ' << b->type << ' ' << shown_name(io, b->value)
             << '\n';
  }
  if (args.json) io.out << text_of(json);
}

std::string text_of_file(const std::string& file) {
  if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Failure(file, static_cast<std::errc>(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

// All of them or none.
void import(const Args& args, table::Store& store, Io& io) {
  require(args, 2, 2, "ENV JSON");
  const std::string &env = args.rest[0], &from = args.rest[1];
  const Json json = Json::parse(text_of_file(from), nullptr, false);
  if (!json.is_object()) throw Failure(from, "is no JSON object of flags");
  table::Batch batch;
  for (const auto& [key, fields] : json.items()) {
    require_names(env, key);
    const auto field = [&, &named = key](const char* name, const std::string& otherwise) {
      if (!fields.is_object() || !fields.contains(name)) return otherwise;
      if (!fields[name].is_string()) throw Failure(named, std::string(name) + " is no string");
      return fields[name].get<std::string>();
    };
    if (!fields.is_object() || !fields.contains("value")) throw Failure(key, "has no value");
    Flag flag{.value = field("value", ""), .type = field("type", "string")};
    flag.updated_by = args.by ? *args.by : field("updatedBy", who(args));
    check(name_of(env, key), flag);
    batch.push_back(put_of(env, key, flag));
  }
  if (!batch.empty()) apply(store, env, batch);
  io.out << fmt::format("{} flags in {}\n", batch.size(), shown_name(io, env));
}

ExitStatus run(const Args& args, Io& io) {
  const bool writes = args.verb == "set" || args.verb == "unset" || args.verb == "import";
  constexpr std::string_view kVerbs[] = {"list", "get", "set", "unset", "diff", "import", "export"};
  if (std::find(std::begin(kVerbs), std::end(kVerbs), args.verb) == std::end(kVerbs)) {
    throw WrongUse("flags " + args.verb, "list, get, set, unset, diff, import or export is wanted");
  }
  const auto store = open_table(args.file, writes ? Access::write : Access::read);
  if (args.verb == "list") list(args, store->table(), io);
  if (args.verb == "get") get(args, store->table(), io);
  if (args.verb == "set") set(args, *store);
  if (args.verb == "unset") unset(args, *store);
  if (args.verb == "diff") diff(args, store->table(), io);
  if (args.verb == "import") import(args, *store, io);
  if (writes) store->sync();
  if (args.verb == "export") {
    require(args, 1, 1, "ENV");
    Args as_json = args;
    as_json.json = true;
    list(as_json, store->table(), io);
  }
  return ExitStatus::ok;
}

}  // namespace

void add_flags(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "flags",
      .usage =
          "list FILE [ENV] | get FILE ENV KEY | set FILE ENV KEY VALUE | unset FILE ENV KEY |\n"
          "         diff FILE ENV ENV | export FILE ENV | import FILE ENV JSON\n"
          "         [--type TYPE] [--by USER] [--json]",
      .what = "Feature flags: show, change and compare those of environments",
      .more =
          "A value is of the flag's type: bool, int, float, string or json; one that is not is\n"
          "refused and the old value stays.  An environment is there while it has a flag.  import\n"
          "takes what export writes, from a file or from -, all of it or none.",
      .example = "prefixfs flags set home.db prod dark-mode true",
  });
  command.positional(args->verb, "list, get, set, unset, diff, import or export,");
  command.positional(args->file, "FILE");
  command.rest(args->rest);
  command.option("--type", args->type, "TYPE",
                 "bool, int, float, string or json (as it is, string)");
  command.option("--by", args->by, "USER", "Who changes it (you)");
  command.flag_json(args->json);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
