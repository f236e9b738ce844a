#include "tools/comparison_plot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "fs/layout.h"
#include "table/file_descriptor.h"
#include "tools/failure.h"
#include "tools/figures.h"

namespace prefixfs {
namespace {

using table::FileDescriptor;

constexpr const char* kProgram = "gnuplot";

bool in_path(std::string_view program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : "/usr/bin:/bin"; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string file = std::string(rest.substr(0, end)) + "/" + std::string(program);
    if (::access(file.c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// Text in gnuplot's double quotes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out + "\"";
}

struct Panel {
  const char* title;
  const char* operation;
  const char* axis;
  std::function<double(const Measured&)> value;
};

class Script {
 public:
  Script(const Comparison& comparison, const Prices& prices) {
    out_ = fmt::format(
        "set terminal svg size 1200,420 dynamic enhanced background '#ffffff' font 'sans,12'\n"
        "set multiplot layout 1,3 title {} noenhanced\n"
        "set logscale xy\nset grid\nset key top left\nset xlabel 'nodes below the folder'\n"
        "set offsets graph 0.05, graph 0.05\n",
        quoted(comparison.tree + ", " + grouped(comparison.nodes) + " nodes"));
    const auto usd = [&prices](const Measured& m) {
      return prices.usd(m.charge.read_units, m.charge.write_units);
    };
    panel(comparison, {"renaming a folder", "rename a folder", "US dollars", usd});
    panel(comparison, {"reading a whole branch", "read a whole branch", "US dollars", usd});
    panel(comparison, {"renaming a folder, here", "rename a folder", "seconds",
                       [](const Measured& m) { return m.seconds; }});
    out_ += "unset multiplot\n";
  }
  const std::string& text() const { return out_; }

 private:
  void panel(const Comparison& comparison, const Panel& panel) {
    std::vector<const ComparedOperation*> rows;
    for (const ComparedOperation& operation : comparison.operations) {
      if (operation.operation == panel.operation && operation.n.value_or(0) > 0) {
        rows.push_back(&operation);
      }
    }
    if (rows.empty()) return;
    std::string plot;
    for (std::size_t i = 0; i < std::size(kLayoutNames); ++i) {
      out_ += fmt::format("$p{}_{} << EOD\n", panels_, i);
      for (const ComparedOperation* row : rows) {
        out_ += fmt::format("{} {:.9g}\n", *row->n, panel.value(row->layouts[i]));
      }
      out_ += "EOD\n";
      plot += fmt::format("{}$p{}_{} with linespoints linewidth 2 pointtype 7 title '{}'",
                          i == 0 ? "plot " : ", ", panels_, i, kLayoutNames[i]);
    }
    std::string tics;
    for (const ComparedOperation* row : rows) {
      tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ", ", grouped(*row->n), *row->n);
    }
    out_ += fmt::format("set xrange [{}:{}]\nset xtics ({})\n",
                        static_cast<double>(*rows.front()->n) * 0.7,
                        static_cast<double>(*rows.back()->n) * 1.5, tics);
    out_ += fmt::format("set title '{}'\nset ylabel '{}'\nset format y '%g'\n{}\n", panel.title,
                        panel.axis, plot);
    ++panels_;
  }

  std::string out_;
  int panels_ = 0;
};

// The script goes through a file without a name: it may be longer than a pipe holds.
FileDescriptor file_of(const std::string& text) {
  FileDescriptor fd(::memfd_create("plot", MFD_CLOEXEC));
  if (!fd) throw Failure(kProgram, why_text(errno));
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(fd.get(), text.data() + done, text.size() - done);
    if (wrote < 0) throw Failure(kProgram, why_text(errno));
    done += static_cast<std::size_t>(wrote);
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// Runs it with the given standard input and output; standard error is ours.
int run_gnuplot(const FileDescriptor& in, const FileDescriptor& out) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.get(), STDOUT_FILENO);
  std::string program = kProgram;
  char* const arguments[] = {program.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, kProgram, &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Failure(kProgram, why_text(error));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

void require_gnuplot() {
  if (!in_path(kProgram)) {
    throw Failure("--plot", "needs gnuplot, which is not installed (apt install gnuplot-nox)");
  }
}

void plot_comparison(const Comparison& comparison, const Prices& prices, const std::string& file) {
  const Script script(comparison, prices);
  const FileDescriptor in = file_of(script.text());
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!out) throw Failure(file, why_text(errno));
  if (run_gnuplot(in, out) != 0) throw Failure(file, "gnuplot failed");
}

}  // namespace prefixfs
