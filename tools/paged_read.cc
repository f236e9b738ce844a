#include "tools/paged_read.h"

#include "tools/dynamo_answer.h"
#include "tools/figures.h"
#include "tools/item_table.h"

namespace prefixfs {

void declare_paged_read(Command& command, PagedReadArgs& args) {
  command.option("--limit", args.limit, "N", "Evaluate at most so many a page");
  command.option("--exclusive-start-key", args.start_key, "JSON", "The same, as LastEvaluatedKey");
  command.option("--filter-expression", args.filter, "CONDITION",
                 "Show only what meets it; all that is evaluated is paid for");
  command.option("--projection-expression", args.projection, "PATHS",
                 "Only these attributes: 'sk, #o'");
  command.option("--select", args.select, "WHAT", "COUNT: only how many");
  command.flag("--consistent,--consistent-read", args.consistent,
               "Strongly consistent: twice the units");
  command.flag("--all", args.all, "Follow the pages to the end");
  declare_raw(command, args.raw, Expressions::names_and_values);
}

void add_to_request(RequestJson& request, const PagedReadArgs& args) {
  request.maybe_text("FilterExpression", args.filter)
      .maybe_text("ProjectionExpression", args.projection)
      .maybe("ExpressionAttributeNames", args.raw.names);
  if (args.limit > 0) request.add("Limit", std::to_string(args.limit));
  request.maybe_text("Select", args.select);
  if (args.consistent) request.add("ConsistentRead", "true");
}

PagedRead::PagedRead(const PagedReadArgs& args, std::vector<table::DocumentPath> projection,
                     Partitions partitions)
    : args_(args),
      projection_(std::move(projection)),
      partitions_(partitions),
      counts_(args.select == "COUNT") {
  if (!args.select) return;
  const bool all = *args.select == "ALL_ATTRIBUTES", some = *args.select == "SPECIFIC_ATTRIBUTES";
  if (!counts_ && !all && !some) {
    throw table::ValidationError("Value '" + *args.select +
                                 "' at 'select' failed to satisfy constraint: Member must satisfy "
                                 "enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES]");
  }
  if (args.projection && !some) {
    throw table::ValidationError("Cannot specify the ProjectionExpression when choosing to get " +
                                 *args.select);
  }
  if (some && !args.projection) {
    throw table::ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
}

void PagedRead::show_rows(Io& io, const table::QueryResult& page, std::string& partition) const {
  if (counts_) return;
  std::vector<table::Row> rows;
  const auto print = [&] {
    print_rows(io, rows);
    rows.clear();
  };
  for (const table::Row& row : page.rows) {
    if (partitions_ == Partitions::all && row.key.pk != partition) {
      print();
      partition = row.key.pk;
      io.out << shown_name(io, partition) << '\n';
    }
    rows.push_back({row.key, shown_item(row.key, row.item, projection_), row.damaged});
  }
  print();
}

void PagedRead::show(Io& io, const NextPage& next, const Continue& how_to_continue) const {
  using Shows = QueryAnswer::Shows;
  QueryAnswer answer(io, args_.file, counts_ ? Shows::count : Shows::items, projection_);
  std::size_t count = 0, scanned = 0;
  table::Charge charge;
  std::optional<table::Key> last;
  std::string partition;
  do {
    const table::QueryResult page = next(last);
    if (args_.raw.json) {
      answer.page(page);
    } else {
      show_rows(io, page, partition);
    }
    count += page.rows.size();
    scanned += page.scanned;
    charge += page.charge;
    last = page.last;
  } while (args_.all && last);
  if (args_.raw.json) {
    answer.finish();
    return;
  }
  io.out << (count > 0 && !counts_ ? "\n" : "") << counted(count, "item");
  if (scanned != count) io.out << " of " << grouped(scanned) << " evaluated";
  io.out << ", " << counted(charge.pages, "page") << ", " << units_text(charge.read_units, "read")
         << " (" << (args_.consistent ? "strongly" : "eventually") << " consistent)\n";
  if (last) io.out << "more may follow: " << how_to_continue(*last) << '\n';
}

table::Charge PagedRead::predicted(const NextPage& next) const {
  table::Charge charge;
  std::optional<table::Key> last;
  do {
    const table::QueryResult page = next(last);
    charge += page.charge;
    last = page.last;
  } while (args_.all && last);
  return charge;
}

}  // namespace prefixfs
