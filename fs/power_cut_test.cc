// The power fails at any moment of a load that syncs some of its work.  Whatever part of what was
// not synced the disk kept, torn sectors included: the drive opens by itself, what it shows is a
// state that existed, none older than the last sync, and no block belongs to nobody.
//
//   POWER_CUT_STEPS=N   steps of the load, 120 without
//   POWER_CUT_CUTS=N    images of each kind (all that was written; parts of it), 100 without;
//                       0: each moment there is, and ten parts of each
//   POWER_CUT_SEED=N

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "fs/drive_fixture.h"
#include "fs/drive_state.h"
#include "table/testing/disk.h"
#include "table/testing/disk_replay.h"
#include "table/testing/table_file.h"

namespace prefixfs {
namespace {

using table::DiskEvent;
using table::DiskReplay;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

// Before the fixture, which opens the table on it.
struct OnDisk {
  table::Disk disk;
};

class PowerCutTest : public OnDisk, public DriveFixture {
 protected:
  // ---- The load ----

  // Since when, in events, a state is there, and since when it may not be lost any more.
  struct Moment {
    std::size_t event;
    std::size_t state;
  };

  std::string any_file() { return "/f" + std::to_string(random() % 12); }
  std::string any_folder() { return random() % 2 == 0 ? "/moving" : "/other"; }

  void step();
  void run(std::uint64_t steps) {
    make({"/moving/sub/", "/moving-archive/left"});
    for (int i = 0; i < 25; ++i) put("/moving/sub/" + std::to_string(i), std::to_string(i));
    begun.push_back({disk.events(), 0});
    states.push_back(state_of(*drive));
    sync();
    for (std::uint64_t i = 0; i < steps; ++i) {
      // From now on what comes next may be there.
      begun.push_back({disk.events(), states.size()});
      step();
      if (HasFailure()) return;
      states.push_back(state_of(*drive));
      switch (random() % 12) {
        case 0:
        case 1:
          sync();
          break;
        case 2:
          store->commit();
          break;
        case 3:
          if (random() % 2 == 0) store->commit();
          table::checkpoint(file());
          break;
        case 4:
          if (random() % 3 == 0) remount();
          break;
        default:
          break;
      }
    }
  }
  void sync() {
    store->sync();
    synced.push_back({disk.events(), states.size() - 1});
  }
  void remount() {
    for (const NodeId id : open) drive->release(id);
    open.clear();
    store->sync();
    reopen();
    synced.push_back({disk.events(), states.size() - 1});
  }

  // ---- The cuts ----

  // What is wrong with a disk after a cut before event `at`; empty: nothing.
  std::string problem(const DiskReplay::Image& image, std::size_t at);
  static std::size_t state_at(const std::vector<Moment>& moments, std::size_t event) {
    std::size_t state = 0;
    for (const Moment& moment : moments) {
      if (moment.event <= event) state = moment.state;
    }
    return state;
  }
  // The first problem() of cuts all over what the disk noted.
  std::string cut_everywhere(std::uint64_t cuts, bool with_syncs = true);

  std::mt19937_64 random{setting("POWER_CUT_SEED", 1)};
  std::vector<DriveState> states;
  std::vector<Moment> begun, synced;
  std::vector<NodeId> open;  // files without a name
  std::size_t cuts_made = 0;
};
INSTANTIATE_TEST_SUITE_P(Layouts, PowerCutTest, kLayouts);

void PowerCutTest::step() {
  const std::string name = any_file();
  const auto bytes = [this](std::size_t size) {
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
  };
  switch (random() % 12) {
    case 0:
    case 1:
      put(name, bytes(random() % 3000));
      return;
    case 2:  // more than a block
      put(name, bytes(70'000), random() % 3 == 0 ? 0 : random() % 200'000);
      return;
    case 3:  // into the middle
      if (exists(name)) put(name, bytes(1 + random() % 100), random() % 2000);
      return;
    case 4:
      if (exists(name)) {
        ASSERT_TRUE(drive->setattr(at(name), {.size = random() % 100'000}));
      }
      return;
    case 5:
      if (exists(name)) {
        ASSERT_TRUE(unlink(name));
      }
      return;
    case 6: {  // somebody has it open
      if (!exists(name)) return;
      const auto removed = unlink(name, [](NodeId) { return true; });
      ASSERT_TRUE(removed);
      open.push_back(removed->id);
      return;
    }
    case 7:
      if (open.empty()) return;
      drive->release(open.back());
      open.pop_back();
      return;
    case 8: {
      const std::string from = exists("/moving") ? "/moving" : "/other";
      ASSERT_TRUE(rename(from, from == "/moving" ? "/other" : "/moving"));
      return;
    }
    case 9: {
      const std::string to = any_file();
      if (exists(name)) {
        ASSERT_TRUE(rename(name, to, RenameMode::replace));
      }
      return;
    }
    case 10:
      if (exists(name)) {
        ASSERT_TRUE(drive->setxattr(at(name), "user.note", bytes(1)));
      }
      return;
    default: {
      const std::string folder = "/d" + std::to_string(random() % 3);
      if (!exists(folder)) {
        make(folder + "/");
      } else {
        ASSERT_TRUE(rmdir(folder));
      }
    }
  }
}

std::string PowerCutTest::problem(const DiskReplay::Image& image, std::size_t at) {
  const std::string folder = folder_ + "/cut";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  for (const auto& [name, bytes] : image) {
    std::ofstream out(folder + "/" + std::filesystem::path(name).filename().string(),
                      std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const std::size_t oldest = state_at(synced, at), newest = state_at(begun, at);
  try {
    const auto found_store = table::Store::open(
        folder + "/drive.db", {.mode = table::OpenMode::existing, .background = false});
    if (const std::string said = table::integrity(*found_store); said != "ok") return said;
    table::Ledger its_ledger;
    Drive found(*found_store, its_ledger, accounts, make_layout(GetParam(), "home"), "home",
                folder + "/drive.db", [this] { return now(); });
    found.reap_orphans();
    const DriveState state = state_of(found);
    for (std::size_t i = oldest; i <= newest && i < states.size(); ++i) {
      if (states[i] != state) continue;
      return found_store->stats().blocks == state.blocks ? "" : "blocks of nobody";
    }
    return "none of the states " + std::to_string(oldest) + " to " + std::to_string(newest) +
           "; against the oldest:\n" + difference(states[oldest], state);
  } catch (const table::TableError& error) {
    return error.what();
  }
}

std::string PowerCutTest::cut_everywhere(std::uint64_t cuts, bool with_syncs) {
  const std::size_t first = synced.front().event;
  const std::size_t events = disk.events();
  struct Wanted {
    std::size_t all = 0, some = 0;
  };
  std::vector<Wanted> wanted(events + 1);
  for (std::size_t at = first; at <= events && cuts == 0; ++at) wanted[at] = {1, 10};
  for (std::uint64_t i = 0; i < cuts; ++i) {
    ++wanted[first + random() % (events - first + 1)].all;
    ++wanted[first + random() % (events - first + 1)].some;
  }
  DiskReplay replay;
  for (std::size_t at = 0; at <= events; ++at) {
    const auto told = [&](const std::string& what) {
      return "cut before event " + std::to_string(at) + " of " + std::to_string(events) + ": " +
             what;
    };
    if (wanted[at].all > 0) {
      ++cuts_made;
      if (const auto bad = problem(replay.all(), at); !bad.empty()) return told(bad);
    }
    for (std::size_t i = 0; i < wanted[at].some; ++i) {
      ++cuts_made;
      if (const auto bad = problem(replay.some(random), at); !bad.empty()) {
        return told("part of what was not synced: " + bad);
      }
    }
    if (at == events) break;
    const DiskEvent& event = disk.notes()[at];
    if (with_syncs || event.what != DiskEvent::What::sync) replay.follow(event);
  }
  return "";
}

TEST_P(PowerCutTest, WhatIsLeftIsAStateNotOlderThanTheLastSync) {
  run(setting("POWER_CUT_STEPS", 120));
  ASSERT_FALSE(HasFailure());
  ASSERT_GT(synced.size(), 5u);
  disk.stop_noting();
  EXPECT_EQ(cut_everywhere(setting("POWER_CUT_CUTS", 100)), "");
  std::printf("%zu cuts of %zu events, %zu states, %zu syncs, on %s\n", cuts_made, disk.events(),
              states.size(), synced.size(), GetParam().c_str());
}

TEST_P(PowerCutTest, ADiskThatSyncsNothingIsFoundOut) {
  run(60);
  ASSERT_FALSE(HasFailure());
  disk.stop_noting();
  EXPECT_NE(cut_everywhere(100, /*with_syncs=*/false), "");
}

}  // namespace
}  // namespace prefixfs
