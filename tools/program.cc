#include "tools/program.h"

#include <CLI/CLI.hpp>
#include <new>
#include <system_error>

#include "table/error.h"
#include "tools/command.h"
#include "tools/failure.h"
#include "tools/find_spelling.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

// Help that shows each command's own usage line in place of numbered arguments.
class HelpText final : public CLI::Formatter {
 public:
  explicit HelpText(const Commands& commands) : commands_(commands) {}

  std::string make_usage(const CLI::App* app, std::string) const override {
    const Command* command = commands_.find(app->get_name());
    if (command == nullptr) return "Usage: prefixfs COMMAND ...\n";
    return "Usage: prefixfs " + app->get_name() + " " + command->usage() + "\n";
  }
  std::string make_positionals(const CLI::App*) const override { return {}; }

 private:
  const Commands& commands_;
};

std::string chosen_name(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? std::string() : chosen.front()->get_name();
}

ExitStatus wrong_use(Io& io, const std::string& command, const std::string& line) {
  io.err << "prefixfs: " << line << '\n'
         << "Try: prefixfs " << (command.empty() ? "" : command + " ") << "--help\n";
  return ExitStatus::wrong_use;
}

// CLI11's own words, with what they are about in front.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& args) {
  const std::string command = chosen_name(app);
  if (!command.empty()) return command + ": " + escaped_name(error.what());
  if (args.empty()) return "which command?";
  if (!args.front().starts_with('-')) return escaped_name(args.front()) + ": no such command";
  return escaped_name(error.what());
}

ExitStatus parse_and_run(const std::vector<std::string>& args, Io& io) {
  CLI::App app("A file system over one table clustered on (pk, sk).", "prefixfs");
  Commands commands(app);
  app.formatter(std::make_shared<HelpText>(commands));
  app.set_version_flag("--version", std::string("prefixfs ") + PREFIXFS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "FILE:/PATH is a table file and a path in its drive; FILE alone is its root.\n\n"
      "Example:\n  prefixfs demo home.db && prefixfs tree home.db:/");
  for (const auto add :
       {add_mkfs,      add_convert,     add_demo,     add_mount, add_umount,  add_ls,
        add_tree,      add_stat,        add_cat,      add_find,  add_du,      add_import,
        add_export,    add_mv,          add_rm,       add_cost,  add_compare, add_flags,
        add_get,       add_query,       add_scan,     add_put,   add_update,  add_delete,
        add_batch_get, add_batch_write, add_transact, add_info}) {
    add(commands);
  }
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // it takes them from the back
  } catch (const CLI::Success& answer) {
    app.exit(answer, io.out, io.err);
    return ExitStatus::ok;
  } catch (const CLI::ParseError& error) {
    return wrong_use(io, chosen_name(app), usage_error(app, error, args));
  }
  try {
    return commands.find(chosen_name(app))->run(io);
  } catch (const WrongUse& wrong) {
    return wrong_use(io, chosen_name(app), wrong.what());
  }
}

}  // namespace

int run_prefixfs(const std::vector<std::string>& args, Io io) {
  ExitStatus status = ExitStatus::failed;
  try {
    status = parse_and_run(with_long_find_options(args), io);
    io.out.flush();
    if (!io.out) throw Failure("standard output", "write error");
  } catch (const Failure& failure) {
    io.err << "prefixfs: " << failure.what() << '\n';
    status = ExitStatus::failed;
  } catch (const table::TableError& error) {
    io.err << "prefixfs: " << escaped_name(error.what()) << '\n';
    status = ExitStatus::failed;
  } catch (const std::system_error& error) {
    // Who reads our output has gone (`| head`): nobody is left to be told.
    if (error.code() != std::errc::broken_pipe) {
      io.err << "prefixfs: " << escaped_name(error.what()) << '\n';
    }
    status = ExitStatus::failed;
  } catch (const std::bad_alloc&) {
    io.err << "prefixfs: out of memory\n";
    status = ExitStatus::failed;
  }
  io.err.flush();
  return static_cast<int>(status);
}

}  // namespace prefixfs
