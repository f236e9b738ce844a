// The lines of `ls -l`.

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "fs/accounts.h"
#include "fs/node.h"
#include "tools/io.h"

namespace prefixfs {

// Column widths; they grow and never shrink, so that pages of one listing stay aligned.
class NodeLines {
 public:
  NodeLines(Io& io, Accounts& accounts) : io_(io), accounts_(accounts) {}

  void print(std::span<const Entry> entries);

 private:
  Io& io_;
  Accounts& accounts_;
  bool any_acls_ = false;
  std::size_t links_ = 1, owner_ = 1, group_ = 1, size_ = 1;
};

// "name", or "name -> target" for a symlink.
std::string name_and_target(const Io& io, std::string_view name, const Node& node);

}  // namespace prefixfs
