#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/compared_tree.h"
#include "tools/comparison.h"
#include "tools/comparison_plot.h"
#include "tools/comparison_text.h"
#include "tools/price_setting.h"

namespace prefixfs {
namespace {

constexpr std::size_t kMaxSizes = 8;

struct Args {
  std::string sizes = "50,1000,100000";
  std::size_t rounds = 5;
  std::optional<std::string> source;
  std::optional<std::string> plot;
  std::optional<std::string> prices;
  bool json = false;
};

// "50,1000,100000", ascending and each once.
std::vector<std::uint64_t> parse_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (std::string_view rest = text;;) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, end);
    std::uint64_t n = 0;
    const auto [after, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc{} || after != word.data() + word.size() || n == 0 ||
        n > kMaxComparedNodes) {
      throw WrongUse("--n " + text, "expected numbers from 1 to 10000000, as in 50,1000");
    }
    sizes.push_back(n);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > kMaxSizes) {
    throw WrongUse("--n " + text, "expected one to eight numbers, as in 50,1000");
  }
  return sizes;
}

void require_folder(const std::string& source) {
  struct stat status {};
  if (::stat(source.c_str(), &status) != 0) throw Failure(source, why_text(errno));
  if (!S_ISDIR(status.st_mode)) throw Failure(source, std::errc::not_a_directory);
}

ExitStatus run(const Args& args, Io& io) {
  const Prices prices = price_setting(args.prices).value_or(Prices());
  const ComparisonOptions options{
      .sizes = parse_sizes(args.sizes), .source = args.source, .rounds = args.rounds};
  if (args.source) require_folder(*args.source);
  if (args.plot) require_gnuplot();
  const Comparison comparison = compare_layouts(options, io);
  io.out << (args.json ? comparison_json(comparison, prices, PartitionRate())
                       : comparison_text(comparison, prices, PartitionRate()));
  if (args.plot) plot_comparison(comparison, prices, *args.plot);
  return ExitStatus::ok;
}

}  // namespace

void add_compare(Commands& commands) {
  auto args = std::make_shared<Args>();
  Command& command = commands.add({
      .name = "compare",
      .usage = "[--n N,N,...] [--import DIR] [--rounds N] [--plot FILE.svg] [--json] "
               "[--prices W:R:DATE]",
      .what = "Do the same on every key layout, and show what each costs",
      .more =
          "The tree is made, a folder for each N with N nodes below it, each an item of 100 bytes\n"
          "in the layout path; or it is your own.  Then the folders nearest to each N are taken,\n"
          "and the whole.  It is kept in files under TMPDIR that nobody else sees.",
      .example = "prefixfs compare --import ~/src --n 50,1000 --plot cost.svg",
  });
  command.option("--n", args->sizes, "N,N,...", "Nodes below the folders [50,1000,100000]");
  command.option("--import", args->source, "DIR", "Compare on a copy of this folder");
  command.option("--rounds", args->rounds, "N", "How often each operation is measured [5]");
  command.option("--plot", args->plot, "FILE.svg", "Draw cost against N, with gnuplot");
  command.flag_json(args->json);
  command.option_prices(args->prices);
  command.runs([args](Io& io) { return run(*args, io); });
}

}  // namespace prefixfs
