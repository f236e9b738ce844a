// What a command made the table of a mounted drive do: `.prefixfs/cost` before and after it.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fs/control_files.h"
#include "fs/cost_json.h"
#include "table/file_descriptor.h"
#include "tools/command.h"
#include "tools/counted_command.h"
#include "tools/figures.h"
#include "tools/price_setting.h"

namespace prefixfs {
namespace {

using nlohmann::json;
using table::FileDescriptor;

struct Args {
  std::string dir;
  std::vector<std::string> command;
  bool reset = false;
  bool json = false;
  bool unfollowed = false;
  std::optional<std::string> prices;
};

// The mount that `dir` lies in.
struct Mounted {
  std::string root;
  std::string control_file;
};
Mounted mount_of(const std::string& dir) {
  char* whole = realpath(dir.c_str(), nullptr);
  if (whole == nullptr) throw Failure(dir, why_text(errno));
  std::string at(whole);
  std::free(whole);
  while (true) {
    std::string file = at + (at == "/" ? "" : "/") + std::string(kControlFolder) + "/cost";
    if (access(file.c_str(), R_OK) == 0) return {at, std::move(file)};
    if (at.empty() || at == "/") throw Failure(dir, "is not in a mounted drive");
    at.resize(at.rfind('/') == 0 ? 1 : at.rfind('/'));
  }
}

template <class Number>
void take(const json& object, const char* field, Number& number) {
  number = object.value(field, Number{});
}

table::EngineWork read_work(const json& object) {
  table::EngineWork work;
  take(object, "rows_read", work.rows_read);
  take(object, "rows_written", work.rows_written);
  take(object, "bytes_read", work.bytes_read);
  take(object, "bytes_written", work.bytes_written);
  take(object, "pages", work.pages);
  take(object, "pages_from_file", work.pages_from_file);
  take(object, "pages_to_log", work.pages_to_log);
  take(object, "seconds", work.seconds);
  return work;
}

table::Account read_account(const json& object) {
  table::Account account;
  table::Charge& charge = account.charge;
  take(object, "calls", account.calls);
  take(object, "seconds", account.seconds);
  take(object, "requests", charge.requests);
  take(object, "gets", charge.gets);
  take(object, "queries", charge.queries);
  take(object, "pages", charge.pages);
  take(object, "items_read", charge.items_read);
  take(object, "puts", charge.puts);
  take(object, "deletes", charge.deletes);
  take(object, "updates", charge.updates);
  take(object, "read_units", charge.read_units);
  take(object, "write_units", charge.write_units);
  return account;
}

CostReport read_report(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const json parsed = json::parse(text, nullptr, false);
  if (!in || !parsed.is_object() || !parsed.contains("operations") || !parsed.contains("engine")) {
    throw Failure(file, "does not say what operations cost");
  }
  try {
    CostReport report;
    for (const auto& [name, value] : parsed["operations"].items()) {
      report.operations[name] = read_account(value);
    }
    const json& engine = parsed["engine"];
    for (const auto& [name, value] : engine.at("operations").items()) {
      report.operations[name].work = read_work(value);
    }
    take(engine.at("commits"), "commits", report.commits.commits);
    report.commits.work = read_work(engine.at("commits"));
    const json& prices = parsed.at("usd_prices");
    take(prices, "write_million", report.prices.write_million);
    take(prices, "read_million", report.prices.read_million);
    take(prices, "as_of", report.prices.as_of);
    return report;
  } catch (const json::exception& error) {
    throw Failure(file, error.what());
  }
}

// What came since `before`.
void subtract(CostReport& after, const CostReport& before) {
  for (const auto& [name, then] : before.operations) {
    const auto it = after.operations.find(name);
    if (it == after.operations.end() || it->second.calls < then.calls) {
      throw Failure("cost", "the count was started anew while the command ran");
    }
    it->second -= then;
    if (it->second.calls == 0) after.operations.erase(it);
  }
  after.commits.commits -= before.commits.commits;
  after.commits.work -= before.commits.work;
}

// What the kernel gathered for the mount reaches the daemon, so that it is counted.
void write_back(const std::string& dir) {
  const FileDescriptor fd(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) syncfs(fd.get());
}

CommandEnd run_followed(const Args& args, const Mounted& mount) {
  const FileDescriptor control(open(mount.control_file.c_str(), O_RDONLY | O_CLOEXEC));
  std::uint64_t calls = 0;
  if (args.unfollowed || !control || ioctl(control.get(), kCountCalls, &calls) != 0) {
    return run_command(args.command);
  }
  return run_counted_command(args.command, mount.root, [&control] {
    std::uint64_t booked = 0;
    if (ioctl(control.get(), kCountCalls, &booked) != 0) return std::uint64_t{0};
    return booked;
  });
}

void print_asked(std::ostream& out, std::string_view name, const table::Account& account) {
  const table::Charge& c = account.charge;
  out << fmt::format(
      "{:<12} {:>8} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10}  {}\n", name,
      grouped(account.calls), grouped(c.requests), grouped(c.gets), grouped(c.queries),
      grouped(c.pages), grouped(c.items_read), grouped(c.puts), grouped(c.updates),
      grouped(c.deletes), c.read_units, c.write_units, seconds_text(account.seconds));
}

void print_done(std::ostream& out, std::string_view name, const table::EngineWork& work) {
  out << fmt::format("{:<12} {:>10} {:>12} {:>10} {:>10} {:>8} {:>9} {:>9}  {}\n", name,
                     grouped(work.rows_read), grouped(work.rows_written),
                     size_text(work.bytes_read), size_text(work.bytes_written), grouped(work.pages),
                     grouped(work.pages_from_file), grouped(work.pages_to_log),
                     seconds_text(work.seconds));
}

void print_report(std::ostream& out, const CostReport& report) {
  table::Account total;
  for (const auto& [name, account] : report.operations) total += account;

  out << "What the table was asked, in DynamoDB's units:\n"
      << fmt::format(
             "{:<12} {:>8} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10}  {}\n",
             "operation", "calls", "requests", "gets", "queries", "pages", "items", "puts",
             "updates", "deletes", "RU", "WU", "time");
  for (const auto& [name, account] : report.operations) print_asked(out, name, account);
  print_asked(out, "total", total);
  const double ru = total.charge.read_units;
  const double wu = total.charge.write_units;
  out << "on DynamoDB: " << dollars_text(report.prices.usd(ru, wu)) << " (prices of "
      << report.prices.as_of << "), at least " << seconds_text(report.rate.floor_seconds(ru, wu))
      << " in one partition\n\n"
      << "What the embedded engine did for it:\n"
      << fmt::format("{:<12} {:>10} {:>12} {:>10} {:>10} {:>8} {:>9} {:>9}  {}\n", "operation",
                     "rows read", "rows written", "bytes read", "written", "pages", "from file",
                     "to log", "time");
  for (const auto& [name, account] : report.operations) print_done(out, name, account.work);
  print_done(out, counted(report.commits.commits, "commit"), report.commits.work);
}

void print_kernel(std::ostream& out, const std::optional<KernelCalls>& kernel) {
  if (kernel) {
    out << fmt::format(
        "\n{} of the command on the drive, of which the kernel answered {} alone, "
        "from what it keeps (mount with -o nocache and it asks each time).\n",
        counted(kernel->calls, "system call"), grouped(kernel->unasked));
  } else {
    out << "\nCounted is what reached the file system: what the kernel answered from what it keeps "
           "is not (mount with -o nocache and it asks each time).\n";
  }
}

ExitStatus run(const Args& args, Io& io) {
  const auto prices = price_setting(args.prices);
  const Mounted mount = mount_of(args.dir);
  write_back(args.dir);
  if (args.reset) {
    const FileDescriptor fd(open(mount.control_file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!fd) throw Failure(mount.control_file, why_text(errno));
  }
  CostReport report = read_report(mount.control_file);
  std::optional<int> status;
  std::optional<KernelCalls> kernel;
  if (!args.command.empty()) {
    io.out.flush();
    const CommandEnd end = run_followed(args, mount);
    status = end.exit_status;
    kernel = end.kernel;
    write_back(args.dir);
    const CostReport before = std::exchange(report, read_report(mount.control_file));
    subtract(report, before);
  }
  if (prices) report.prices = *prices;
  // Beside a command the figures keep out of its output, unless they are asked for as JSON.
  std::ostream& out = status && !args.json ? io.err : io.out;
  if (args.json) {
    out << to_json(report, kernel, status) << '\n';
  } else {
    print_report(out, report);
    print_kernel(out, kernel);
  }
  return static_cast<ExitStatus>(status.value_or(0));
}

}  // namespace

void add_cost(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "cost",
      .usage = "[--json] [--reset] [--prices W:R:DATE] DIR [-- COMMAND...]",
      .what = "What a command made the table of a mounted drive do",
      .more = "DIR is in the mount.  Without a command: all since the mount, or since --reset.\n"
              "The exit status is the command's.  The figures go to standard error beside a\n"
              "command's output, with --json to standard output.\n"
              "\n"
              "The command's system calls are followed, as strace(1) does, so that those which\n"
              "the kernel answered alone can be counted too; --unfollowed leaves that out.",
      .example = "prefixfs cost /mnt/home -- mv /mnt/home/docs /mnt/home/papers",
  });
  command.positional(args->dir, "DIR");
  command.rest(args->command);
  command.flag_json(args->json);
  command.flag("--reset", args->reset, "Start the count anew first");
  command.flag("--unfollowed", args->unfollowed, "Do not follow the command's system calls");
  command.option_prices(args->prices);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
