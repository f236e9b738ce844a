// The same random operations on two folders, say a mount and an ext4 (what knows no
// FALLOC_FL_ZERO_RANGE will not do): results, errnos and, now and
// then, the whole trees must agree.
//
//   differential A B [--seed N] [--count N] [--every N] [--fifos] [--hard-links] [--xattrs]
//               [--acls]
//   differential A B --compare
//
// The folders must hold the same at the start.  Exit status 0: they agree; 1: they differ, and the
// last operations are shown; 2: wrong use.  --compare only looks at the trees.

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/random_operations.h"
#include "tests/two_sides.h"

namespace differential {
namespace {

constexpr std::size_t kShown = 20;  // operations told about when there is a difference

struct Options {
  std::vector<std::string> folders;
  std::uint64_t seed = 1;
  std::uint64_t count = 5000;
  std::uint64_t every = 250;  // operations between two looks at the whole trees
  Features features;
  bool compare_only = false;
};

std::optional<Options> parse(const std::vector<std::string>& args) {
  Options options;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    std::uint64_t* number = arg == "--seed"    ? &options.seed
                            : arg == "--count" ? &options.count
                            : arg == "--every" ? &options.every
                                               : nullptr;
    if (number != nullptr) {
      if (++i == args.size()) return std::nullopt;
      const char* end = args[i].data() + args[i].size();
      if (std::from_chars(args[i].data(), end, *number).ptr != end) return std::nullopt;
    } else if (arg == "--fifos") {
      options.features.fifos = true;
    } else if (arg == "--hard-links") {
      options.features.hard_links = true;
    } else if (arg == "--xattrs") {
      options.features.xattrs = true;
    } else if (arg == "--acls") {
      options.features.acls = true;
    } else if (arg == "--compare") {
      options.compare_only = true;
    } else if (arg.starts_with("-")) {
      return std::nullopt;
    } else {
      options.folders.push_back(arg);
    }
  }
  if (options.folders.size() != 2 || options.every == 0) return std::nullopt;
  return options;
}

bool failed(const std::string& outcome) {
  return outcome.size() > 1 && outcome[0] == 'E' && outcome[1] >= 'A' && outcome[1] <= 'Z';
}

// The lines that only one of them has, or nothing.
std::vector<std::string> tree_difference(const Side& a, const Side& b, bool from_disk) {
  const auto in_a = a.tree(from_disk);
  const auto in_b = b.tree(from_disk);
  std::vector<std::string> lines;
  if (in_a == in_b) return lines;
  const auto only = [&](const auto& some, const auto& others, const char* mark) {
    for (const std::string& line : some) {
      if (std::find(others.begin(), others.end(), line) == others.end())
        lines.push_back(mark + line);
    }
  };
  only(in_a, in_b, "A  ");
  only(in_b, in_a, "B  ");
  if (lines.empty()) lines.emplace_back("the same lines in another order");
  return lines;
}

void show(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 40); ++i) {
    std::cerr << "  " << lines[i] << '\n';
  }
}

int run(const Options& options) {
  Side a(options.folders[0]);
  Side b(options.folders[1]);
  std::deque<std::string> last;
  std::uint64_t done = 0;

  const auto differ = [&](const std::vector<std::string>& lines) {
    std::cerr << "differential: seed " << options.seed << ", operation " << done
              << ": A and B differ (A is " << options.folders[0] << ")\n";
    show(lines);
    if (!last.empty()) std::cerr << "the operations before, the last one last:\n";
    for (const std::string& line : last) std::cerr << "  " << line << '\n';
    return 1;
  };

  if (auto lines = tree_difference(a, b, true); !lines.empty()) return differ(lines);
  if (options.compare_only) return 0;

  RandomOperations operations(options.seed, options.features);
  std::uint64_t succeeded = 0;
  while (done < options.count) {
    ++done;
    const Operation op = operations.next();
    const std::string in_a = a.perform(op);
    const std::string in_b = b.perform(op);
    last.push_back(std::to_string(done) + ": " + text_of(op) + " = " + in_b);
    if (last.size() > kShown) last.pop_front();
    if (in_a != in_b) return differ({"A  " + in_a, "B  " + in_b});
    operations.done(op, !failed(in_b));
    if (!failed(in_b)) ++succeeded;
    if (done % options.every == 0 || done == options.count) {
      // Every other time with the pages that the kernel has, which may be newer.
      const bool from_disk = done / options.every % 2 == 0;
      if (auto lines = tree_difference(a, b, from_disk); !lines.empty()) return differ(lines);
    }
  }
  std::cout << "seed " << options.seed << ": " << done << " operations, " << succeeded
            << " succeeded, " << b.tree(false).size() << " nodes at the end\n";
  return 0;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) {
  const auto options = differential::parse({argv + 1, argv + argc});
  if (!options) {
    std::cerr << "usage: differential A B [--seed N] [--count N] [--every N] [--fifos]"
                 " [--hard-links] [--xattrs] [--acls] [--compare]\n";
    return 2;
  }
  ::umask(0);
  try {
    return differential::run(*options);
  } catch (const std::exception& error) {
    std::cerr << "differential: " << error.what() << '\n';
    return 2;
  }
}
