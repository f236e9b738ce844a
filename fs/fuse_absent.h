// AbsentNames remembers which names the kernel was told are not there, so that they can be taken
// back when another process makes one.  Bounded, thread-safe.

#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fs/node.h"

namespace prefixfs {

class AbsentNames {
 public:
  explicit AbsentNames(std::size_t limit = 64 * 1024) : limit_(limit) {}

  // false: there is no room to remember it, so the kernel must not keep it.
  bool add(NodeId parent, std::string_view name);
  // The kernel knows nothing below `parent` any more.
  void forget(NodeId parent);
  // Whether anything is remembered below `parent`.
  bool any_below(NodeId parent) const;

  struct Absent {
    NodeId parent{};
    std::string name;
  };
  // All of them; nothing is remembered afterwards.
  std::vector<Absent> take();

 private:
  const std::size_t limit_;
  mutable std::mutex mutex_;  // guards all below
  std::unordered_map<NodeId, std::unordered_set<std::string>> names_;
  std::size_t count_ = 0;
};

}  // namespace prefixfs
