#include "table/capacity.h"

#include <algorithm>

#include "table/table.h"

namespace table {
namespace {

double steps(std::size_t bytes, std::size_t step) {
  return static_cast<double>(std::max<std::size_t>(bytes / step + (bytes % step != 0), 1));
}

}  // namespace

double read_units(std::size_t bytes, Consistency consistency) {
  const double units = steps(bytes, kReadUnitBytes);
  switch (consistency) {
    case Consistency::eventual:
      return units / 2;
    case Consistency::strong:
      return units;
    case Consistency::transactional:
      return units * 2;
  }
  return units;
}

double write_units(std::size_t bytes) { return steps(bytes, kWriteUnitBytes); }

std::uint64_t batch_requests(const Charge& charge) {
  const std::uint64_t writes = charge.puts + charge.deletes;
  const std::uint64_t batches = (writes + kMaxBatchWriteItems - 1) / kMaxBatchWriteItems;
  return std::max<std::uint64_t>(1, charge.pages + charge.updates + batches);
}

Charge& Charge::operator+=(const Charge& other) {
  requests += other.requests;
  gets += other.gets;
  queries += other.queries;
  pages += other.pages;
  items_read += other.items_read;
  puts += other.puts;
  updates += other.updates;
  deletes += other.deletes;
  read_units += other.read_units;
  write_units += other.write_units;
  return *this;
}

Charge& Charge::operator-=(const Charge& earlier) {
  requests -= earlier.requests;
  gets -= earlier.gets;
  queries -= earlier.queries;
  pages -= earlier.pages;
  items_read -= earlier.items_read;
  puts -= earlier.puts;
  updates -= earlier.updates;
  deletes -= earlier.deletes;
  read_units -= earlier.read_units;
  write_units -= earlier.write_units;
  return *this;
}

void PageMeter::end_page() {
  units_ += read_units(page_bytes_, consistency_);
  ++pages_;
  page_bytes_ = 0;
}

void PageMeter::evaluated(std::size_t bytes) {
  if (page_bytes_ > 0 && page_bytes_ + bytes > kMaxPageBytes) end_page();
  page_bytes_ += bytes;
  ++items_;
}

void PageMeter::finish(Charge& charge) {
  end_page();
  charge.queries += 1;
  charge.pages += pages_;
  charge.items_read += items_;
  charge.read_units += units_;
  *this = PageMeter(consistency_);
}

}  // namespace table
