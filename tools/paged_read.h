// What query and scan share: their options, and how the pages are shown.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "table/table.h"
#include "tools/explanation.h"
#include "tools/raw_request.h"

namespace prefixfs {

struct PagedReadArgs {
  std::string file;
  std::size_t limit = 0;
  std::optional<std::string> start_key;  // JSON
  std::optional<std::string> filter, projection, select;
  bool consistent = false;
  bool all = false;
  RawOptions raw;

  table::Consistency consistency() const {
    return consistent ? table::Consistency::strong : table::Consistency::eventual;
  }
};
void declare_paged_read(Command& command, PagedReadArgs& args);

// The options as members of a request, after those that come first.
void add_to_request(RequestJson& request, const PagedReadArgs& args);

class PagedRead {
 public:
  // The page after `last`, or the first.
  using NextPage = std::function<table::QueryResult(const std::optional<table::Key>& last)>;
  // How the command continues after a key: "--start 'SK'".
  using Continue = std::function<std::string(const table::Key&)>;

  enum class Partitions { one, all };  // of all, each is named before its items

  // Throws ValidationError: --select that does not fit.
  PagedRead(const PagedReadArgs& args, std::vector<table::DocumentPath> projection,
            Partitions partitions);

  void show(Io& io, const NextPage& next, const Continue& how_to_continue) const;
  // What those pages would cost together.
  table::Charge predicted(const NextPage& next) const;

 private:
  // `partition` is the one that was named last.
  void show_rows(Io& io, const table::QueryResult& page, std::string& partition) const;

  const PagedReadArgs& args_;
  std::vector<table::DocumentPath> projection_;
  Partitions partitions_;
  bool counts_ = false;  // shows no items
};

}  // namespace prefixfs
