// The same operations on a drive of every layout, and what each of them took.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/prices.h"
#include "table/capacity.h"
#include "tools/io.h"

namespace prefixfs {

struct ComparisonOptions {
  std::vector<std::uint64_t> sizes;     // nodes below the folders that are renamed; ascending
  std::optional<std::string> source{};  // a tree of the host, in place of one made to measure
  std::size_t rounds = 5;
};

struct Measured {
  table::Charge charge;  // of one call
  double seconds = 0;    // median of the rounds, the commit included
};

struct ComparedOperation {
  std::string operation;             // "rename a folder"
  std::optional<std::uint64_t> n{};  // of so many nodes below it
  std::vector<Measured> layouts;     // in the order of kLayoutNames

  // Which layouts nobody undercuts; none where all are alike.
  std::vector<bool> cheapest(const Prices& prices) const;
  std::vector<bool> fewest_requests() const;
  std::vector<bool> fastest() const;
};

struct Comparison {
  std::string tree;         // what it was done to, for people
  std::uint64_t nodes = 0;  // in that tree
  std::size_t rounds = 0;
  std::vector<ComparedOperation> operations;
};

// Needs room in TMPDIR for the tree on each layout.  Layouts take turns, so that what disturbs the
// machine disturbs all.  Throws Failure, TableError.
Comparison compare_layouts(const ComparisonOptions& options, Io& io);

}  // namespace prefixfs
