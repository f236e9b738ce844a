#include "fs/fuse_connection.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <thread>
#include <vector>

#include "fs/fuse_api.h"
#include "fs/fuse_init_reply.h"
#include "fs/fuse_mount_table.h"
#include "fs/fuse_start.h"

namespace prefixfs {
namespace {

constexpr int kWakeSignal = SIGUSR1;

void log_of_libfuse(fuse_log_level level, const char* format, std::va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::string_view line = text;
  while (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  spdlog::log(level <= FUSE_LOG_ERR ? spdlog::level::err : spdlog::level::warn, "{}", line);
}

// libfuse splits its options at commas.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ',' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string libfuse_options(const MountOptions& options) {
  std::string text = fmt::format("default_permissions,fsname={},subtype={}", escaped(options.file),
                                 kMountType.substr(kMountType.find('.') + 1));
  if (options.read_only) text += ",ro";
  if (options.allow_other) text += ",allow_other";
  for (const std::string& option : options.kernel_options) text += "," + option;
  return text;
}

class LibfuseArguments {
 public:
  explicit LibfuseArguments(std::string options)
      : options_(std::move(options)), words_{name_, dash_o_, options_.data(), nullptr} {
    args_.argc = static_cast<int>(words_.size()) - 1;
    args_.argv = words_.data();
  }
  LibfuseArguments(const LibfuseArguments&) = delete;
  LibfuseArguments& operator=(const LibfuseArguments&) = delete;
  ~LibfuseArguments() { fuse_opt_free_args(&args_); }

  fuse_args* get() { return &args_; }

 private:
  char name_[9] = "prefixfs";
  char dash_o_[3] = "-o";
  std::string options_;
  std::vector<char*> words_;
  fuse_args args_{};
};

// A signal that does nothing but interrupt a system call of the thread it is sent to.
class WakeSignal {
 public:
  WakeSignal() {
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    sigaction(kWakeSignal, &nothing, &before_);
  }
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;
  ~WakeSignal() { sigaction(kWakeSignal, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

int loop(fuse_session* session, int threads) {
  if (threads == 1) return fuse_session_loop(session);
  const std::unique_ptr<fuse_loop_config, void (*)(fuse_loop_config*)> config(
      fuse_loop_cfg_create(), fuse_loop_cfg_destroy);
  if (!config) throw std::bad_alloc();
  // None idles to death: making threads anew costs more than keeping them.
  fuse_loop_cfg_set_max_threads(config.get(), static_cast<unsigned>(threads));
  fuse_loop_cfg_set_idle_threads(config.get(), static_cast<unsigned>(threads));
  fuse_loop_cfg_set_clone_fd(config.get(), 0);
  return fuse_session_loop_mt(session, config.get());
}

}  // namespace

void Connection::Destroy::operator()(fuse_session* session) const {
  fuse_session_unmount(session);
  fuse_session_destroy(session);
  fuse_set_log_func(nullptr);
}

Connection::Connection(const MountOptions& options, FuseContext& context)
    : dir_(options.dir), context_(context) {
  fuse_set_log_func(log_of_libfuse);
  LibfuseArguments arguments(libfuse_options(options));
  session_.reset(
      fuse_session_new(arguments.get(), &fuse_ops(), sizeof(fuse_lowlevel_ops), &context));
  if (!session_) throw StartFailure("mount " + dir_, "libfuse refused to start");
  context.session = session_.get();
}

Connection::~Connection() { context_.session = nullptr; }

void Connection::mount() {
  if (fuse_session_mount(session_.get(), dir_.c_str()) != 0) {
    throw StartFailure("mount " + dir_, "refused, see above");
  }
  if (!complete_init_reply(session_.get())) throw std::bad_alloc();
}

bool Connection::serve(int threads) {
  const WakeSignal wake;
  server_ = pthread_self();
  const int error = loop(session_.get(), threads);
  ended_ = true;
  return error == 0;
}

void Connection::end() {
  while (!ended_) {
    fuse_session_exit(session_.get());
    pthread_kill(server_, kWakeSignal);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Connection::unmount() { fuse_session_unmount(session_.get()); }

}  // namespace prefixfs
