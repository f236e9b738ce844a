#include "tools/command.h"

namespace prefixfs {

std::string Command::next_name() { return "argument-" + std::to_string(++positionals_); }

void Command::positional(std::string& value, const std::string& shown) {
  required_.push_back({app_->add_option(next_name(), value), shown});
}

void Command::positionals(std::vector<std::string>& values, const std::string& shown) {
  required_.push_back({app_->add_option(next_name(), values), shown});
}

void Command::optional_positional(std::string& value) { app_->add_option(next_name(), value); }

void Command::option_drive(std::string& drive) {
  app_->add_option("--drive", drive, "Which drive of the file (home)")->type_name("NAME");
}

void Command::option_layout(std::string& layout) {
  app_->add_option("--layout", layout, "Which rows hold a node (path)")->type_name("LAYOUT");
}

void Command::flag_json(bool& json) { app_->add_flag("--json", json, "Answer in JSON"); }

void Command::flag_cost(bool& cost) {
  app_->add_flag("--cost", cost, "Say on standard error what the table was made to do");
}

ExitStatus Command::run(Io& io) const {
  for (const Required& required : required_) {
    if (required.option->empty()) {
      throw WrongUse(app_->get_name(), required.shown + " is missing");
    }
  }
  return run_(io);
}

Command& Commands::add(const About& about) {
  CLI::App* app = app_.add_subcommand(about.name, about.what);
  std::string footer = about.more;
  if (!footer.empty()) footer += "\n\n";
  app->footer(footer + "Example:\n  " + about.example);
  return commands_.emplace_back(*app, about.usage);
}

const Command* Commands::chosen() const {
  for (const Command& command : commands_) {
    if (command.args().parsed()) return &command;
  }
  return nullptr;
}

const Command* Commands::find(const CLI::App* app) const {
  for (const Command& command : commands_) {
    if (&command.args() == app) return &command;
  }
  return nullptr;
}

}  // namespace prefixfs
