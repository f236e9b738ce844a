#include <cstddef>
#include <memory>
#include <vector>

#include "fs/fuse_reply.h"

namespace prefixfs {
namespace {

bool is_dots(const std::string& name) { return name == "." || name == ".."; }

// Entries in the form the kernel reads, as many as fit.
class Entries {
 public:
  explicit Entries(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}

  bool add(fuse_req_t req, const DirEntry& entry) {
    const struct stat attr = stat_of(entry.stat);
    return took(fuse_add_direntry(req, end(), room(), entry.name.c_str(), &attr,
                                  static_cast<off_t>(entry.cookie)));
  }

  bool add_plus(fuse_req_t req, const DirEntry& entry, Keep keep) {
    fuse_entry_param param = entry_of(context_of(req), entry.stat, keep);
    // The kernel knows the dots, and is to look up a name that leads elsewhere each time.
    const bool unlinked = is_dots(entry.name) || entry.stat.fleeting;
    if (unlinked) param.ino = 0;
    if (!took(fuse_add_direntry_plus(req, end(), room(), entry.name.c_str(), &param,
                                     static_cast<off_t>(entry.cookie)))) {
      return false;
    }
    if (!unlinked) counted_.push_back(entry.stat.id);
    return true;
  }

  void reply(fuse_req_t req) {
    FuseContext& context = context_of(req);
    if (fuse_reply_buf(req, bytes_.get(), used_) != 0) take_back_all(context);
  }

  void take_back_all(FuseContext& context) {
    for (const NodeId id : counted_) take_back(context, id);
    counted_.clear();
  }

 private:
  char* end() { return bytes_.get() + used_; }
  std::size_t room() const { return size_ - used_; }
  bool took(std::size_t bytes) {
    if (bytes > room()) return false;
    used_ += bytes;
    return true;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
  std::size_t used_ = 0;
  std::vector<NodeId> counted_;
};

}  // namespace

// Where the kernel can open folders by itself, it is answered so once, and it then keeps listings
// as well.
void op_opendir(fuse_req_t req, fuse_ino_t, fuse_file_info* fi) {
  const FuseContext& context = context_of(req);
  if (context.kernel_opens_folders) {
    fuse_reply_err(req, ENOSYS);
    return;
  }
  const bool keeps = context.cache.entry_seconds > 0;
  fi->cache_readdir = fi->keep_cache = keeps ? 1 : 0;
  fuse_reply_open(req, fi);
}

void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, fuse_file_info*) {
  context_of(req).listed = true;
  answer(
      req, "readdir",
      [&](Mount& m) -> Result<Entries> {
        Entries entries(size);
        const auto done = m.readdir(node_id(ino), static_cast<std::uint64_t>(off), false,
                                    [&](const DirEntry& entry) { return entries.add(req, entry); });
        if (!done) return done.error();
        return entries;
      },
      [](fuse_req_t r, Entries& entries) { entries.reply(r); });
}

void op_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, fuse_file_info*) {
  FuseContext& context = context_of(req);
  const std::uint64_t seen = context.foreign_changes;
  context.listed = true;
  answer(
      req, "readdirplus",
      [&](Mount& m) -> Result<Entries> {
        Entries entries(size);
        const auto take = [&](const DirEntry& entry) {
          const Keep keep = context.foreign_changes == seen ? Keep::yes : Keep::no;
          return entries.add_plus(req, entry, keep);
        };
        try {
          const auto done = m.readdir(node_id(ino), static_cast<std::uint64_t>(off), true, take);
          if (done) return entries;
          entries.take_back_all(context);
          return done.error();
        } catch (...) {
          entries.take_back_all(context);
          throw;
        }
      },
      [](fuse_req_t r, Entries& entries) { entries.reply(r); });
}

}  // namespace prefixfs
