#include "fs/fuse_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "fs/accounts.h"
#include "fs/drive.h"
#include "fs/drives.h"
#include "fs/flag_tree.h"
#include "fs/fuse_connection.h"
#include "fs/fuse_daemon.h"
#include "fs/fuse_log.h"
#include "fs/fuse_mount_table.h"
#include "fs/fuse_seek.h"
#include "fs/fuse_signals.h"
#include "fs/fuse_start.h"
#include "fs/fuse_unmount.h"
#include "fs/mount.h"
#include "fs/trace_line.h"
#include "table/error.h"
#include "table/file_descriptor.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using table::FileDescriptor;
using table::Store;

// One waits for the disk in each fsync: with two, two clients that sync would keep all others
// waiting.
constexpr int kThreads = 4;
constexpr milliseconds kPoll{20};
constexpr milliseconds kClosingTakes{10000};  // of a mount that was taken away just now
constexpr milliseconds kUnmountTakes{2000};   // from the name's end to the connection's

// The clock that the kernel stamps its own inodes with.  A finer one would let a file that the
// kernel times (write-back cache) look older than one we made before it.
Time kernel_time() {
  std::timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return {now.tv_sec, static_cast<std::int32_t>(now.tv_nsec)};
}

template <class Condition>
bool wait_until(milliseconds limit, Condition condition) {
  for (const auto end = steady_clock::now() + limit; !condition();) {
    if (steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

// ---- The drive ----

std::unique_ptr<Store> open_store(const MountOptions& options) {
  return Store::open(options.file, {.mode = options.read_only ? table::OpenMode::read_only
                                                              : table::OpenMode::create,
                                    .commit_interval = options.commit_interval,
                                    .sync_each = options.sync_each,
                                    .most_bytes = options.most_bytes});
}

DriveInfo open_drive(const MountOptions& options, Store& store, Accounts& accounts) {
  auto drive = find_drive(store.table(), options.drive);
  if (!drive && !options.read_only) {
    const NewDrive fresh{.name = options.drive,
                         .layout = options.layout,
                         .owner = accounts.user_name(getuid()),
                         .group = accounts.group_name(getgid())};
    // Another process may be making it as well.
    const auto made = make_drive(store, fresh, kernel_time());
    if (!made && made.error() != std::errc::file_exists) {
      throw StartFailure(options.file, fmt::format("cannot make drive {} with layout {}",
                                                   options.drive, options.layout));
    }
    store.sync();
    drive = find_drive(store.table(), options.drive);
  }
  if (!drive) throw StartFailure(options.file, "has no drive " + options.drive);
  return *drive;
}

bool is_mounted(const std::string& file) {
  for (const Mounted& mounted : read_mounts()) {
    if (mounted.type == kMountType && mounted.source == file) return true;
  }
  return false;
}

// A mount that is out of sight holds its lock until it has closed the file: that is waited for.
void lock_drive(const MountOptions& options, Store& store) {
  if (store.lock_drive(options.drive)) return;
  bool locked = false;
  wait_until(kClosingTakes, [&] {
    locked = store.lock_drive(options.drive);
    return locked || is_mounted(options.file);
  });
  if (locked) return;
  const auto drive = find_drive(store.table(), options.drive);
  const auto pid = drive ? drive->mounted_by : std::nullopt;
  throw StartFailure(options.file, fmt::format("drive {} is mounted already, by process {}",
                                               options.drive, pid ? std::to_string(*pid) : "?"));
}

std::unique_ptr<Layout> layout_of(const MountOptions& options, const DriveInfo& drive) {
  auto layout = make_layout(drive.layout, drive.name);
  if (!layout) {
    throw StartFailure(options.file, fmt::format("drive {} has layout {}, which is unknown here",
                                                 drive.name, drive.layout));
  }
  return layout;
}

void log_rename(const RenameCost& cost) {
  spdlog::info("rename {} to {}: {} items, {} puts, {} deletes, {} write units, {:.3f} s",
               cost.from, cost.to, cost.items, cost.charge.puts, cost.charge.deletes,
               cost.charge.write_units, cost.seconds.value_or(0));
}

// ---- Changes by other processes ----

// Passes them on to the kernel for as long as there is a connection.  A notification can wait for
// the kernel, which can wait for a reply of ours: close() is called while requests are answered
// still, or when the connection has ended.
class ForeignChanges {
 public:
  void open(FuseContext& context) {
    const std::lock_guard lock(mutex_);
    context_ = &context;
  }

  void happened() {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr) return;
    context_->mount.foreign_change();
    invalidate_all(*context_, closing_);
  }

  void close() {
    closing_ = true;
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::atomic<bool> closing_{false};
  std::mutex mutex_;  // held while a change is passed on
  FuseContext* context_ = nullptr;
};

// ---- Serving ----

// Has the kernel write back what it gathered for this mount.
void write_back(const std::string& dir) {
  const FileDescriptor root(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (root) syncfs(root.get());
}

class Server {
 public:
  Server(const MountOptions& options, const EndSignals& signals)
      : options_(options),
        signals_(signals),
        store_(open_store(options)),
        drive_(options.flags ? nullptr : drive_of(options)),
        flags_(options.flags ? flags_of(options) : nullptr),
        control_(ledger_, *store_,
                 {.owner = accounts_.user_name(getuid()),
                  .group = accounts_.group_name(getgid()),
                  .since = kernel_time(),
                  .prices = options.prices}),
        mount_(drive_ ? static_cast<Tree&>(*drive_) : *flags_, &control_),
        context_{.mount = mount_,
                 .cache = options.flags ? KernelCache{0, 0, false} : options.cache,
                 .seeks = &seeks_,
                 .clock = kernel_time},
        connection_(options, context_),
        seeks_(options.dir) {
    store_->on_foreign_change([this] { changes_.happened(); });
    if (drive_) {
      drive_->on_folder_rename([this](const RenameCost& cost) {
        control_.add(cost);
        log_rename(cost);
      });
      drive_->limit_renames(options.rename_limit);
    }
    if (options.trace) {
      ledger_.trace_to([](const table::Traced& traced) { spdlog::info(trace_line(traced)); });
    }
    if (drive_ && !options.read_only) enter();
  }

  // Mounts, calls `ready` when the mount answers, serves until the mount is gone.
  bool run(const std::function<void()>& ready) {
    connection_.mount();
    bool good = false;
    {
      const SignalThread thread(signals_, [&](const SignalThread::Next& next) {
        if (answers()) ready();
        while (const auto signal = next()) obey(*signal);
      });
      good = connection_.serve(options_.threads > 0 ? options_.threads : kThreads);
      changes_.close();
      seeks_.stop();
      connection_.unmount();
      seeks_.finish();
    }
    if (!options_.read_only) leave();
    return good;
  }

 private:
  std::unique_ptr<Drive> drive_of(const MountOptions& options) {
    const DriveInfo info = open_drive(options, *store_, accounts_);
    return std::make_unique<Drive>(*store_, ledger_, accounts_, layout_of(options, info), info.name,
                                   options.file, kernel_time);
  }

  // Flags are few, and others change them: the kernel keeps none, so that each change is seen.
  std::unique_ptr<FlagTree> flags_of(const MountOptions& options) {
    return std::make_unique<FlagTree>(*store_, ledger_, accounts_, options.file, getuid(), getgid(),
                                      kernel_time);
  }

  void enter() {
    lock_drive(options_, *store_);
    if (const auto reaped = drive_->reap_orphans(); reaped > 0) {
      spdlog::info("drive {}: removed {} files that were open without a name when a mount ended",
                   drive_->name(), reaped);
    }
    try {
      remember_mount(store_->table(), drive_->name(), static_cast<std::uint64_t>(getpid()));
      store_->commit();
    } catch (const table::TableError& error) {
      // A full disk is to be mounted, so that something can be deleted.
      if (error.fault() != table::Fault::full) throw;
      spdlog::warn("{}", error.what());
    }
  }

  // The kernel does not say that it forgets what it holds when a mount ends: nodes without a name
  // are orphans now.
  void leave() {
    store_->sync();
    if (!drive_) return;
    drive_->reap_orphans();
    store_->sync();
  }

  bool answers() {
    struct statvfs space {};
    if (statvfs(options_.dir.c_str(), &space) != 0) return false;
    if (const auto mounted = mounted_at(options_.dir)) device_ = mounted->device;
    if (drive_) {  // of flags the kernel keeps nothing
      changes_.open(context_);
      seeks_.start();
    }
    return true;
  }

  void obey(int signal) {
    spdlog::info("{}: unmounting {}", strsignal(signal), options_.dir);
    const auto seen = mounted_at(options_.dir);
    if (seen && seen->device == device_) {
      write_back(options_.dir);
      const bool done = unmount(options_.dir, Detach::no).error == 0;
      if (done && wait_until(kUnmountTakes, [&] { return connection_.ended(); })) return;
    }
    // In use: it goes all the same.
    changes_.close();
    seeks_.stop();
    connection_.end();
  }

  const MountOptions& options_;
  const EndSignals& signals_;
  ForeignChanges changes_;  // outlives the store, which calls it
  SystemAccounts accounts_;
  table::Ledger ledger_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Drive> drive_;     // either this
  std::unique_ptr<FlagTree> flags_;  // or this
  ControlFiles control_;
  Mount mount_;
  FuseContext context_;
  Connection connection_;
  SeekQueue seeks_;
  std::string device_;  // of the mount; used by the signal thread alone
};

int serve(const MountOptions& options, const std::function<void()>& ready) {
  const EndSignals signals;
  try {
    const auto logger = server_logger(options);
    Server server(options, signals);
    const bool good = server.run([&] {
      spdlog::set_default_logger(logger);
      ready();
    });
    if (!good) spdlog::error("mount {}: the connection to the kernel failed", options.dir);
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return 1;
  }
}

}  // namespace

int run_mount(const MountOptions& given) {
  spdlog::set_default_logger(terminal_logger());
  MountOptions options = given;
  try {
    // The server in the background stands in "/".
    options.file = resolved_path(given.file);
    options.dir = resolved_path(given.dir);
    if (!given.log_file.empty()) options.log_file = resolved_path(given.log_file);
    check_fuse();
    check_mount_point(options.dir, options.file);
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return 1;
  }
  if (options.foreground) return serve(options, [] {});
  return run_in_background([&](const auto& ready) { return serve(options, ready); });
}

}  // namespace prefixfs
