#include "table/engine_work.h"

namespace table {

EngineWork& EngineWork::operator+=(const EngineWork& other) {
  rows_read += other.rows_read;
  rows_written += other.rows_written;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  pages += other.pages;
  pages_from_file += other.pages_from_file;
  pages_to_log += other.pages_to_log;
  seconds += other.seconds;
  return *this;
}

EngineWork& EngineWork::operator-=(const EngineWork& earlier) {
  rows_read -= earlier.rows_read;
  rows_written -= earlier.rows_written;
  bytes_read -= earlier.bytes_read;
  bytes_written -= earlier.bytes_written;
  pages -= earlier.pages;
  pages_from_file -= earlier.pages_from_file;
  pages_to_log -= earlier.pages_to_log;
  seconds -= earlier.seconds;
  return *this;
}

}  // namespace table
