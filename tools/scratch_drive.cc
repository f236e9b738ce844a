#include "tools/scratch_drive.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "fs/drives.h"
#include "tools/failure.h"

namespace prefixfs {
namespace {

constexpr const char* kDrive = "d";

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prefixfs-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Failure(pattern, why_text(errno));
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file() const { return path_ + "/scratch.db"; }

 private:
  std::string path_;
};

}  // namespace

std::unique_ptr<DriveSession> make_scratch_drive(std::string_view layout) {
  const TemporaryFolder folder;
  {
    const auto store = open_table(folder.file(), Access::create);
    if (!make_drive(*store, {.name = kDrive, .layout = std::string(layout)}, system_time())) {
      throw Failure(folder.file(), "cannot make a drive of layout " + std::string(layout));
    }
    store->sync();
  }
  auto session = std::make_unique<DriveSession>(folder.file(), kDrive, Access::write);
  session->store().sync();  // the log and its index are open before they lose their names
  return session;
}

}  // namespace prefixfs
