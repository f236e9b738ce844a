// The commands of the program: how one is declared, and the list of all.
//
// A command is a file: its add_NAME() declares the arguments and what runs them.  Arguments are
// bytes, as the system passes them.  The parser is CLI11, which command.cc and program.cc alone
// see.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/failure.h"
#include "tools/io.h"
#include "tools/shown_name.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace prefixfs {

class Command {
 public:
  using Run = std::function<ExitStatus(Io&)>;

  Command(CLI::App& app, std::string name, std::string usage)
      : app_(app), name_(std::move(name)), usage_(std::move(usage)) {}

  // What is declared is written to by the parser, and has to live until the command has run.

  // Positional arguments, in order.  `shown` is how the usage line calls it.
  void positional(std::string& value, const std::string& shown);
  void positionals(std::vector<std::string>& values, const std::string& shown);
  void optional_positional(std::string& value);
  void rest(std::vector<std::string>& values);  // any number of words, also after "--"

  // `names` as in "-l,--lazy", `shown` what the help calls the value.
  void flag(const std::string& names, bool& value, const std::string& what);
  void option(const std::string& names, std::string& value, const std::string& shown,
              const std::string& what);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& shown,
              const std::string& what);
  void option(const std::string& names, std::size_t& at_least_one, const std::string& shown,
              const std::string& what);
  void repeated_option(const std::string& names, std::vector<std::string>& values,
                       const std::string& shown, const std::string& what);
  void option_of_two(const std::string& names, std::vector<std::string>& values,
                     const std::string& shown, const std::string& what);

  // Those that several commands have.
  void option_drive(std::string& drive);
  void option_layout(std::string& layout);
  void flag_cost(bool& cost);
  void flag_json(bool& json);
  void option_prices(std::optional<std::string>& prices);
  void help_is_long();  // -h means something else here

  void runs(Run run) { run_ = std::move(run); }
  // Throws WrongUse if a positional argument is missing.
  ExitStatus run(Io& io) const;

  const std::string& name() const { return name_; }
  const std::string& usage() const { return usage_; }

 private:
  struct Required {
    const CLI::Option* option;
    std::string shown;
  };

  std::string next_name();

  CLI::App& app_;
  std::string name_;
  std::string usage_;
  std::vector<Required> required_;
  int positionals_ = 0;
  Run run_;
};

class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  struct About {
    std::string name;
    std::string usage;  // what follows the name: "[-l] FILE:/PATH"
    std::string what;   // one line for the list of commands
    std::string more{};
    std::string example;
  };
  Command& add(const About& about);

  const Command* find(std::string_view name) const;

 private:
  CLI::App& app_;
  std::deque<Command> commands_;
};

void add_mkfs(Commands& commands);
void add_convert(Commands& commands);
void add_demo(Commands& commands);
void add_mount(Commands& commands);
void add_umount(Commands& commands);
void add_ls(Commands& commands);
void add_tree(Commands& commands);
void add_stat(Commands& commands);
void add_cat(Commands& commands);
void add_find(Commands& commands);
void add_du(Commands& commands);
void add_import(Commands& commands);
void add_export(Commands& commands);
void add_mv(Commands& commands);
void add_rm(Commands& commands);
void add_cost(Commands& commands);
void add_compare(Commands& commands);
void add_flags(Commands& commands);
void add_get(Commands& commands);
void add_query(Commands& commands);
void add_scan(Commands& commands);
void add_put(Commands& commands);
void add_update(Commands& commands);
void add_delete(Commands& commands);
void add_batch_get(Commands& commands);
void add_batch_write(Commands& commands);
void add_transact(Commands& commands);
void add_info(Commands& commands);

}  // namespace prefixfs
