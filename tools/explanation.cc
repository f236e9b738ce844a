#include "tools/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "table/estimate.h"
#include "table/explain.h"
#include "table/item_json.h"
#include "tools/figures.h"
#include "tools/shown_name.h"

namespace prefixfs {
namespace {

std::string sk_text(const Io& io, const Explanation::Keys& keys) {
  if (keys.single) return "sk = " + shown_name(io, keys.sk.low);
  std::string text;
  if (!keys.sk.low.empty()) text = shown_name(io, keys.sk.low) + " <= ";
  text += "sk";
  if (keys.sk.high) text += " < " + shown_name(io, *keys.sk.high);
  return text == "sk" ? "every sk" : text;
}

std::string keys_text(const Io& io, const Explanation::Keys& keys) {
  if (!keys.pk) return "every key";
  return "pk = " + shown_name(io, *keys.pk) + ", " + sk_text(io, keys);
}

std::string keys_json(const Explanation::Keys& keys) {
  RequestJson json;
  if (keys.pk) json.add_text("pk", *keys.pk);
  if (keys.single) return json.add_text("sk", keys.sk.low).text();
  if (keys.pk) json.add_text("from", keys.sk.low);
  if (keys.sk.high) json.add_text("below", *keys.sk.high);
  return json.text();
}

std::string units_line(const table::Charge& charge) {
  std::string text;
  if (charge.read_units > 0) text = units_text(charge.read_units, "read");
  if (charge.write_units > 0) {
    text += (text.empty() ? "" : ", ") + units_text(charge.write_units, "write");
  }
  if (charge.pages > 0) {
    text +=
        ", " + counted(charge.items_read, "item") + " evaluated, " + counted(charge.pages, "page");
  }
  return text.empty() ? units_text(0, "write") : text;
}

std::string list_json(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    json += (json.size() > 1 ? ", " : "") + table::json_string(text);
  }
  return json + "]";
}

// One action on one item, as it would go now.
class ActionReader {
 public:
  ActionReader(Explanation& explanation, table::Table& table)
      : explanation_(explanation), table_(table) {}

  template <class Action>
  void operator()(const Action& action) {
    if constexpr (requires { action.key; }) {
      const table::Key& key = action.key;
      const table::GetResult got = table_.get(key);
      const table::Item* const stored = got.item ? &*got.item : nullptr;
      explanation_.keys.push_back({.pk = key.pk, .sk = {key.sk, {}}, .single = true});
      explanation_.sql.push_back(table::sql_of_get(key));
      std::size_t bytes = stored != nullptr ? table::billed_bytes(key.pk, key.sk, *stored) : 0;
      if constexpr (std::is_same_v<Action, table::Put>) {
        bytes = std::max(bytes, table::billed_bytes(key.pk, key.sk, action.item));
      }
      cancelled_units_ += table::write_units(bytes);
      if (!table::holds(action.condition, key.pk, key.sk, stored)) {
        cancelled_ = true;
        explanation_.notes.push_back("the condition on (" + key.pk + ", " + key.sk +
                                     ") does not hold now");
      }
      write(action, stored);
    }
  }

  bool cancelled() const { return cancelled_; }
  double cancelled_units() const { return cancelled_units_; }

 private:
  void write(const table::Put& put, const table::Item*) {
    explanation_.sql.push_back(table::sql_of_put(put.key, put.item));
  }
  void write(const table::Delete& del, const table::Item* stored) {
    if (stored != nullptr) explanation_.sql.push_back(table::sql_of_delete(del.key));
  }
  void write(const table::Check&, const table::Item*) {}
  void write(const table::Update& update, const table::Item* stored) {
    table::Item after = stored != nullptr ? *stored : table::Item();
    const table::WriteStatus status =
        table::apply(update, after, stored != nullptr ? table::Stored::yes : table::Stored::no);
    if (status != table::WriteStatus::ok) {
      cancelled_ = true;
      explanation_.notes.push_back("the update cannot be made now: " +
                                   std::string(table::status_name(status)));
    } else if (stored != nullptr || !table::only_removes(update)) {
      explanation_.sql.push_back(table::sql_of_put(update.key, after));
    }
  }

  Explanation& explanation_;
  table::Table& table_;
  bool cancelled_ = false;
  double cancelled_units_ = 0;
};

}  // namespace

RequestJson& RequestJson::add(std::string_view name, std::string_view json) {
  if (!members_.empty()) members_ += ", ";
  members_ += table::json_string(name) + ": ";
  members_ += json;
  return *this;
}
RequestJson& RequestJson::add_text(std::string_view name, std::string_view text) {
  return add(name, std::string_view(table::json_string(text)));
}
RequestJson& RequestJson::maybe(std::string_view name, const std::optional<std::string>& json) {
  return json ? add(name, *json) : *this;
}
RequestJson& RequestJson::maybe_text(std::string_view name,
                                     const std::optional<std::string>& text) {
  return text ? add_text(name, *text) : *this;
}

std::string key_json(const table::Key& key) { return table::to_dynamo_json(key.pk, key.sk, {}); }

void explain_writes(Explanation& explanation, table::Table& table,
                    std::span<const table::Action> actions, Requests requests) {
  const bool transaction = requests == Requests::transaction;
  if (transaction) explanation.sql.push_back("BEGIN;");
  ActionReader reader(explanation, table);
  for (const table::Action& action : actions) std::visit(reader, action);
  if (transaction) explanation.sql.push_back("COMMIT;");
  explanation.predicted = table::estimate(table, actions).charge;
  if (reader.cancelled()) explanation.predicted.write_units = reader.cancelled_units();
  if (transaction) explanation.predicted.write_units *= 2;
}

void print_explanation(Io& io, bool json, const Explanation& explanation) {
  if (!json) {
    io.out << "request    " << explanation.operation << ' ' << explanation.request << '\n';
    for (const auto& keys : explanation.keys) {
      io.out << "key range  " << keys_text(io, keys) << '\n';
    }
    for (const std::string& sql : explanation.sql) io.out << "SQL        " << sql << '\n';
    io.out << "predicted  " << units_line(explanation.predicted) << '\n';
    for (const std::string& note : explanation.notes) {
      io.out << "note       " << shown_name(io, note) << '\n';
    }
    return;
  }
  std::string keys = "[";
  for (const auto& one : explanation.keys) keys += (keys.size() > 1 ? ", " : "") + keys_json(one);
  const table::Charge& charge = explanation.predicted;
  io.out << RequestJson()
                .add_text("Operation", explanation.operation)
                .add("Request", explanation.request)
                .add("KeyRanges", keys + "]")
                .add("SQL", list_json(explanation.sql))
                .add("Predicted",
                     fmt::format(R"({{"ReadCapacityUnits": {}, "WriteCapacityUnits": {}}})",
                                 charge.read_units, charge.write_units))
                .add("Notes", list_json(explanation.notes))
                .text()
         << '\n';
}

}  // namespace prefixfs
