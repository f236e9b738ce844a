// EngineWork is the second reading: not what the table was asked, which is what DynamoDB bills, but
// what the embedded engine did for it.
//
// Rows are those its statements returned or changed, blocks of content among them; bytes those of
// keys, attributes and content that went out or in.  A page is 4,096 bytes of the file: each look
// at one counts, also at one that was in the cache.  Written pages come with a commit, which
// belongs to no single operation.

#pragma once

#include <cstdint>

namespace table {

struct EngineWork {
  std::uint64_t rows_read = 0;
  std::uint64_t rows_written = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t pages = 0;            // looked at
  std::uint64_t pages_from_file = 0;  // of those, not in the cache
  std::uint64_t pages_to_log = 0;     // commits alone
  double seconds = 0;                 // in the engine, waiting for its lock left out

  EngineWork& operator+=(const EngineWork& other);
  EngineWork& operator-=(const EngineWork& earlier);  // what came since
};

// Commits of a store so far, and what they wrote.
struct CommitWork {
  std::uint64_t commits = 0;
  EngineWork work;
};

}  // namespace table
