#include "table/write_batch.h"

#include <algorithm>
#include <cassert>

#include "table/item_json.h"

namespace table {
namespace {

// attribute_exists(pk) and its opposite ask for nothing inside the item.
std::optional<bool> asks_for_existence(const Condition& condition) {
  const auto* exists = std::get_if<Condition::Exists>(&condition.node());
  if (exists == nullptr || exists->path.size() != 1) return std::nullopt;
  const auto* name = std::get_if<std::string>(&exists->path.front());
  if (name == nullptr || (*name != "pk" && *name != "sk")) return std::nullopt;
  return exists->wanted;
}

std::pair<std::string_view, std::string_view> view(const Key& key) { return {key.pk, key.sk}; }

std::size_t billed(const Key& key, const std::optional<std::string>& attrs) {
  return attrs ? billed_bytes_of_json(key.pk, key.sk, *attrs) : 0;
}

}  // namespace

void WriteBatch::add(const Action& action) {
  std::visit(
      [this](const auto& a) {
        Slot slot{.action = &a};
        if constexpr (requires { a.key; }) {
          slot.key = &a.key;
          slot.condition = &a.condition;
        }
        slots_.push_back(std::move(slot));
      },
      action);
}

void WriteBatch::add(const Write& write) {
  std::visit(
      [this](const auto& a) {
        slots_.push_back({.action = &a, .key = &a.key, .condition = &a.condition});
      },
      write);
}

WriteResult WriteBatch::run() {
  WriteResult result;
  result.charge.requests = 1;
  for (Slot& slot : slots_) {
    if (const auto* put = std::get_if<const Put*>(&slot.action)) {
      slot.offered = encode_item((*put)->item);
      slot.offered_bytes = billed_bytes(slot.key->pk, slot.key->sk, (*put)->item);
    }
  }
  check_request();
  if (refused() || slots_.empty()) return close(result);

  const SqliteStore::Gauge gauge(table_.store_);
  Store::Step step(table_.store_);
  const bool ranges = std::any_of(slots_.begin(), slots_.end(),
                                  [](const Slot& slot) { return slot.key == nullptr; });
  const auto undo = ranges               ? SqliteStore::Undo::range
                    : slots_.size() == 1 ? SqliteStore::Undo::statement
                                         : SqliteStore::Undo::step;
  std::uint64_t added = 0;
  bool takes_away = false;
  for (const Slot& slot : slots_) {
    if (std::holds_alternative<const Put*>(slot.action)) added += slot.offered_bytes;
    takes_away |= std::holds_alternative<const Delete*>(slot.action);
  }
  if (added > 0) table_.store_.need_room(added);
  if (!takes_away) table_.store_.need_quota(added);  // what only moves is in it already
  // Before the first look at an item: nobody else can then change what was judged.
  table_.store_.begin_write(undo);
  for (Slot& slot : slots_) judge(slot);
  if (!refused()) {
    for (Slot& slot : slots_) {
      write(slot, result);
      if (slot.status != WriteStatus::ok) break;
    }
  }
  if (refused()) {
    result.charge = {.requests = 1};
    result.moved = result.moved_bytes = result.replaced_bytes = result.deleted_bytes = 0;
    book_cancelled(result.charge);
    if (rules_ == Rules::file_system) result.charge.requests = batch_requests(result.charge);
    result.work = gauge.work();
    return close(result);
  }
  if (rules_ == Rules::file_system) result.charge.requests = batch_requests(result.charge);
  result.work = gauge.work();
  step.done();
  return result;
}

// What can be said without looking at the table.
void WriteBatch::check_request() {
  const bool grouped = rules_ != Rules::file_system;
  const bool limits = table_.store_.limits() == Limits::dynamo;
  const bool limited = grouped && limits;
  const std::size_t most = rules_ == Rules::batch ? kMaxBatchWriteItems : kMaxTransactActions;
  const std::size_t largest = rules_ == Rules::batch ? kMaxBatchBytes : kMaxTransactBytes;
  std::set<std::pair<std::string_view, std::string_view>> keys;
  std::size_t bytes = 0;
  for (Slot& slot : slots_) {
    assert(slot.key != nullptr || !grouped);
    if (slot.key == nullptr) continue;
    bytes += slot.offered_bytes;
    if (limited && slots_.size() > most) {
      slot.status = WriteStatus::too_many_actions;
    } else if (slot.key->pk.empty() || slot.key->sk.empty()) {
      slot.status = WriteStatus::empty_key;
    } else if (limited &&
               (slot.key->pk.size() > kMaxPkBytes || slot.key->sk.size() > kMaxSkBytes)) {
      slot.status = WriteStatus::key_too_long;
    } else if (limits && slot.offered_bytes > kMaxItemBytes) {
      slot.status = WriteStatus::item_too_large;
    } else if (grouped && !keys.insert(view(*slot.key)).second) {
      slot.status = WriteStatus::duplicate_key;
    }
  }
  if (limited && bytes > largest && !refused()) {
    for (Slot& slot : slots_) slot.status = WriteStatus::too_large;
  }
}

void WriteBatch::read(Slot& slot) {
  slot.stored = table_.stored(*slot.key);
  slot.read = true;
}

void WriteBatch::judge(Slot& slot) {
  if (slot.condition == nullptr || slot.condition->is_always()) return;
  read(slot);
  bool met = false;
  if (const auto wanted = asks_for_existence(*slot.condition)) {
    met = *wanted == slot.stored.has_value();
  } else if (!slot.stored) {
    met = holds(*slot.condition, slot.key->pk, slot.key->sk, nullptr);
  } else {
    // Attributes that do not decode are as good as none, but the item is there.
    const Item item = decode_item(*slot.stored).value_or(Item{});
    met = holds(*slot.condition, slot.key->pk, slot.key->sk, &item);
  }
  if (!met) slot.status = WriteStatus::condition_failed;
}

void WriteBatch::write(Slot& slot, WriteResult& result) {
  if (slot.key == nullptr) {
    slot.status = std::visit(
        [&](const auto* range) {
          using Range = std::remove_cvref_t<decltype(*range)>;
          if constexpr (std::is_same_v<Range, MoveRange>) return table_.move_range(*range, result);
          if constexpr (std::is_same_v<Range, SwapRange>) return table_.swap_range(*range, result);
          if constexpr (std::is_same_v<Range, EraseRange>) {
            return table_.erase_range(*range, result);
          }
          return WriteStatus::ok;
        },
        slot.action);
    ranges_written_ = true;
    return;
  }
  // Conditions look at the state before the batch, but what a write costs is what it replaces.
  if (!slot.read || ranges_written_ || written_.contains(view(*slot.key))) read(slot);
  if (const auto* update = std::get_if<const Update*>(&slot.action)) {
    evaluate(**update, slot);
    if (slot.status != WriteStatus::ok) return;
  }
  book(slot, result.charge);
  if (std::holds_alternative<const Check*>(slot.action)) return;
  if (std::holds_alternative<const Put*>(slot.action)) {
    result.replaced_bytes += billed(*slot.key, slot.stored);
  }
  if (std::holds_alternative<const Delete*>(slot.action)) {
    result.deleted_bytes += billed(*slot.key, slot.stored);
    if (slot.stored) table_.delete_row(slot.key->pk, slot.key->sk);
  } else if (slot.stored != slot.offered) {
    table_.put_row(slot.key->pk, slot.key->sk, *slot.offered);
  }
  if (slots_.size() > 1) written_.insert(view(*slot.key));
}

void WriteBatch::evaluate(const Update& update, Slot& slot) const {
  std::optional<Item> item = slot.stored ? decode_item(*slot.stored) : Item{};
  if (!item) {
    slot.status = WriteStatus::wrong_type;
    return;
  }
  slot.status = apply(update, *item, slot.stored ? Stored::yes : Stored::no);
  if (slot.status != WriteStatus::ok) return;
  if (!slot.stored && only_removes(update)) return;
  slot.offered_bytes = billed_bytes(slot.key->pk, slot.key->sk, *item);
  if (slot.offered_bytes > kMaxItemBytes && table_.store_.limits() == Limits::dynamo) {
    slot.status = WriteStatus::item_too_large;
    return;
  }
  slot.offered = encode_item(*item);
}

void WriteBatch::book(const Slot& slot, Charge& charge) const {
  if (std::holds_alternative<const Put*>(slot.action)) ++charge.puts;
  if (std::holds_alternative<const Update*>(slot.action)) ++charge.updates;
  if (std::holds_alternative<const Delete*>(slot.action)) ++charge.deletes;
  const double units = write_units(std::max(billed(*slot.key, slot.stored), slot.offered_bytes));
  charge.write_units += rules_ == Rules::transaction ? 2 * units : units;
}

void WriteBatch::book_cancelled(Charge& charge) {
  for (Slot& slot : slots_) {
    if (slot.key == nullptr) continue;
    if (!slot.read) read(slot);
    book(slot, charge);
  }
}

bool WriteBatch::refused() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.status != WriteStatus::ok; });
}

WriteResult& WriteBatch::close(WriteResult& result) const {
  if (!refused()) return result;
  for (const Slot& slot : slots_) {
    if (result.status == WriteStatus::ok) result.status = slot.status;
    result.reasons.push_back(slot.status);
  }
  return result;
}

}  // namespace table
