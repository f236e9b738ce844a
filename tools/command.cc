#include "tools/command.h"

#include <CLI/CLI.hpp>

namespace prefixfs {

std::string Command::next_name() { return "argument-" + std::to_string(++positionals_); }

void Command::positional(std::string& value, const std::string& shown) {
  required_.push_back({app_.add_option(next_name(), value), shown});
}

void Command::positionals(std::vector<std::string>& values, const std::string& shown) {
  required_.push_back({app_.add_option(next_name(), values), shown});
}

void Command::optional_positional(std::string& value) { app_.add_option(next_name(), value); }

void Command::rest(std::vector<std::string>& values) { app_.add_option(next_name(), values); }

void Command::flag(const std::string& names, bool& value, const std::string& what) {
  app_.add_flag(names, value, what);
}

void Command::option(const std::string& names, std::string& value, const std::string& shown,
                     const std::string& what) {
  app_.add_option(names, value, what)->type_name(shown);
}

void Command::option(const std::string& names, std::optional<std::string>& value,
                     const std::string& shown, const std::string& what) {
  app_.add_option(names, value, what)->type_name(shown);
}

void Command::option(const std::string& names, std::size_t& at_least_one, const std::string& shown,
                     const std::string& what) {
  app_.add_option(names, at_least_one, what)->type_name(shown)->check(CLI::PositiveNumber);
}

void Command::repeated_option(const std::string& names, std::vector<std::string>& values,
                              const std::string& shown, const std::string& what) {
  app_.add_option(names, values, what)->type_name(shown)->allow_extra_args(false);
}

void Command::option_of_two(const std::string& names, std::vector<std::string>& values,
                            const std::string& shown, const std::string& what) {
  app_.add_option(names, values, what)->type_name(shown)->expected(2);
}

void Command::option_drive(std::string& drive) {
  option("--drive", drive, "NAME", "Which drive of the file (home)");
}

void Command::option_layout(std::string& layout) {
  option("--layout", layout, "LAYOUT", "Which rows hold a node (path)");
}

void Command::flag_cost(bool& cost) {
  flag("--cost", cost, "Say on standard error what the table was made to do");
}

void Command::flag_json(bool& json) { flag("--json", json, "Answer in JSON"); }

void Command::option_prices(std::optional<std::string>& prices) {
  option("--prices", prices, "W:R:DATE",
         "Dollars per million write and read units, and of when (0.625:0.125:2025-01)");
}

void Command::help_is_long() { app_.set_help_flag("--help", "Print this help message and exit"); }

ExitStatus Command::run(Io& io) const {
  for (const Required& required : required_) {
    if (required.option->empty()) throw WrongUse(name_, required.shown + " is missing");
  }
  return run_(io);
}

Command& Commands::add(const About& about) {
  CLI::App* app = app_.add_subcommand(about.name, about.what);
  std::string footer = about.more;
  if (!footer.empty()) footer += "\n\n";
  app->footer(footer + "Example:\n  " + about.example);
  return commands_.emplace_back(*app, about.name, about.usage);
}

const Command* Commands::find(std::string_view name) const {
  for (const Command& command : commands_) {
    if (command.name() == name) return &command;
  }
  return nullptr;
}

}  // namespace prefixfs
