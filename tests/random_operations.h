// A random sequence of operations, the same one for the same seed.
//
// Names come from a small alphabet, so that they meet: half of all paths are ones that existed a
// moment ago, the other half are made up.  The alphabet holds the names that sort around '/'.

#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/two_sides.h"

namespace differential {

// Operations that a file system may not have.
struct Features {
  bool fifos = false;
  bool hard_links = false;
  bool xattrs = false;
  bool acls = false;
};

class RandomOperations {
 public:
  RandomOperations(std::uint64_t seed, Features features);

  Operation next();
  // What became of the last one.
  void done(const Operation& op, bool succeeded);

 private:
  struct Weighted {
    What what;
    unsigned weight;
  };

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  const T& any_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  std::string name();
  std::string new_path();
  std::string path();
  std::string folder();
  off_t offset();
  std::size_t length();
  mode_t mode(bool of_folder);
  timespec time();
  std::string acl_name();

  std::mt19937_64 random_;
  bool acls_ = false;
  std::vector<Weighted> weighted_;
  unsigned weights_ = 0;
  std::vector<std::string> known_;    // paths that existed when they were last used
  std::vector<std::string> folders_;  // those that were made as folders
  std::vector<std::pair<std::string, std::string>> linked_;  // names made of the same file lately
};

}  // namespace differential
