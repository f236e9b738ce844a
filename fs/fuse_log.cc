#include "fs/fuse_log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/syslog_sink.h>
#include <spdlog/spdlog.h>
#include <syslog.h>

#include "fs/fuse_start.h"

namespace prefixfs {
namespace {

std::shared_ptr<spdlog::logger> logger_to(spdlog::sink_ptr sink) {
  auto logger = std::make_shared<spdlog::logger>("prefixfs", std::move(sink));
  logger->flush_on(spdlog::level::info);
  return logger;
}

}  // namespace

std::shared_ptr<spdlog::logger> terminal_logger() {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sink->set_pattern("prefixfs: %v");
  return logger_to(std::move(sink));
}

std::shared_ptr<spdlog::logger> server_logger(const MountOptions& options) try {
  if (!options.log_file.empty()) {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.log_file);
    sink->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
    return logger_to(std::move(sink));
  }
  if (options.foreground) return terminal_logger();
  return logger_to(
      std::make_shared<spdlog::sinks::syslog_sink_mt>("prefixfs", LOG_PID, LOG_DAEMON, false));
} catch (const spdlog::spdlog_ex& error) {
  throw StartFailure("log " + options.log_file, error.what());
}

}  // namespace prefixfs
