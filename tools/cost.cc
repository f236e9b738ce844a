// What a command made the table of a mounted drive do: `.prefixfs/cost` before and after it.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "fs/control_files.h"
#include "fs/cost_json.h"
#include "table/file_descriptor.h"
#include "tools/command.h"
#include "tools/figures.h"

namespace prefixfs {
namespace {

using Accounts = std::map<std::string, table::Account, std::less<>>;
using nlohmann::json;

struct Args {
  std::string dir;
  std::vector<std::string> command;
  bool reset = false;
  bool json = false;
};

// The control file of the mount that `dir` lies in.
std::string control_file(const std::string& dir) {
  char* whole = realpath(dir.c_str(), nullptr);
  if (whole == nullptr) throw Failure(dir, why_text(errno));
  std::string at(whole);
  std::free(whole);
  while (true) {
    const std::string file = at + (at == "/" ? "" : "/") + std::string(kControlFolder) + "/cost";
    if (access(file.c_str(), R_OK) == 0) return file;
    if (at.empty() || at == "/") throw Failure(dir, "is not in a mounted drive");
    at.resize(at.rfind('/') == 0 ? 1 : at.rfind('/'));
  }
}

Accounts read_accounts(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const json parsed = json::parse(text, nullptr, false);
  if (!in || !parsed.is_object() || !parsed.contains("operations")) {
    throw Failure(file, "does not say what operations cost");
  }
  Accounts accounts;
  for (const auto& [name, value] : parsed["operations"].items()) {
    table::Account& account = accounts[name];
    table::Charge& charge = account.charge;
    account.calls = value.value("calls", std::uint64_t{0});
    account.seconds = value.value("seconds", 0.0);
    for (const auto& [field, count] : std::initializer_list<std::pair<const char*, std::uint64_t*>>{
             {"requests", &charge.requests},
             {"gets", &charge.gets},
             {"queries", &charge.queries},
             {"pages", &charge.pages},
             {"items_read", &charge.items_read},
             {"puts", &charge.puts},
             {"deletes", &charge.deletes},
             {"updates", &charge.updates}}) {
      *count = value.value(field, std::uint64_t{0});
    }
    charge.read_units = value.value("read_units", 0.0);
    charge.write_units = value.value("write_units", 0.0);
  }
  return accounts;
}

// What came since `before`.
Accounts difference(Accounts after, const Accounts& before) {
  for (const auto& [name, then] : before) {
    const auto it = after.find(name);
    if (it == after.end() || it->second.calls < then.calls) {
      throw Failure("cost", "the count was started anew while the command ran");
    }
    table::Account& now = it->second;
    now.calls -= then.calls;
    now.seconds -= then.seconds;
    now.charge.requests -= then.charge.requests;
    now.charge.gets -= then.charge.gets;
    now.charge.queries -= then.charge.queries;
    now.charge.pages -= then.charge.pages;
    now.charge.items_read -= then.charge.items_read;
    now.charge.puts -= then.charge.puts;
    now.charge.deletes -= then.charge.deletes;
    now.charge.updates -= then.charge.updates;
    now.charge.read_units -= then.charge.read_units;
    now.charge.write_units -= then.charge.write_units;
    if (now.calls == 0) after.erase(it);
  }
  return after;
}

// What the kernel gathered for the mount reaches the daemon, so that it is counted.
void write_back(const std::string& dir) {
  const table::FileDescriptor fd(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) syncfs(fd.get());
}

// Runs the command with the terminal as it is.  Its exit status, as a shell tells it.
int run_command(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Failure(command.front(), why_text(errno));
  if (child == 0) {
    execvp(argv[0], argv.data());
    const int error = errno;
    const std::string line =
        fmt::format("prefixfs: {}: {}\n", command.front(), std::strerror(error));
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
    _exit(error == ENOENT ? 127 : 126);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void print_row(std::ostream& out, std::string_view name, const table::Account& account) {
  const table::Charge& c = account.charge;
  out << fmt::format(
      "{:<12} {:>8} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10}  {}\n", name,
      grouped(account.calls), grouped(c.requests), grouped(c.gets), grouped(c.queries),
      grouped(c.pages), grouped(c.items_read), grouped(c.puts), grouped(c.updates),
      grouped(c.deletes), c.read_units, c.write_units, seconds_text(account.seconds));
}

void print_table(std::ostream& out, const Accounts& accounts) {
  out << fmt::format(
      "{:<12} {:>8} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10}  {}\n",
      "operation", "calls", "requests", "gets", "queries", "pages", "items", "puts", "updates",
      "deletes", "RU", "WU", "time");
  table::Account total;
  for (const auto& [name, account] : accounts) {
    print_row(out, name, account);
    total.calls += account.calls;
    total.seconds += account.seconds;
    total.charge += account.charge;
  }
  print_row(out, "total", total);
  const Prices prices;
  const double ru = total.charge.read_units;
  const double wu = total.charge.write_units;
  out << "on DynamoDB: " << dollars_text(prices.usd(ru, wu)) << " (prices of " << prices.as_of
      << "), at least " << seconds_text(PartitionRate().floor_seconds(ru, wu))
      << " in one partition\n"
      << "Counted is what reached the file system: what the kernel answered from its cache is not "
         "(mount with -o nocache to see every call).\n";
}

ExitStatus run(const Args& args, Io& io) {
  const std::string file = control_file(args.dir);
  write_back(args.dir);
  if (args.reset) {
    const table::FileDescriptor fd(open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!fd) throw Failure(file, why_text(errno));
  }
  Accounts accounts = read_accounts(file);
  std::optional<int> status;
  if (!args.command.empty()) {
    io.out.flush();
    status = run_command(args.command);
    write_back(args.dir);
    accounts = difference(read_accounts(file), accounts);
  }
  // Beside a command the figures keep out of its output, unless they are asked for as JSON.
  std::ostream& out = status && !args.json ? io.err : io.out;
  if (args.json) {
    out << to_json(accounts, Prices(), PartitionRate(), status) << '\n';
  } else {
    print_table(out, accounts);
  }
  return static_cast<ExitStatus>(status.value_or(0));
}

}  // namespace

void add_cost(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "cost",
      .usage = "[--json] [--reset] DIR [-- COMMAND...]",
      .what = "What a command made the table of a mounted drive do",
      .more = "DIR is in the mount.  Without a command: all since the mount, or since --reset.\n"
              "The exit status is the command's.  The figures go to standard error beside a\n"
              "command's output, with --json to standard output.",
      .example = "prefixfs cost /mnt/home -- mv /mnt/home/docs /mnt/home/papers",
  });
  command.positional(args->dir, "DIR");
  command.rest(args->command);
  command.flag_json(args->json);
  command.flag("--reset", args->reset, "Start the count anew first");
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
