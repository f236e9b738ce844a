#include <cstddef>
#include <memory>
#include <vector>

#include "fs/fuse_reply.h"

namespace prefixfs {
namespace {

OpenFolder& folder_of(const fuse_file_info* fi) { return *reinterpret_cast<OpenFolder*>(fi->fh); }

bool is_dots(const std::string& name) { return name == "." || name == ".."; }

// Entries in the form the kernel reads, as many as fit.
class Listing {
 public:
  explicit Listing(std::size_t size)
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

void op_opendir(fuse_req_t req, fuse_ino_t ino, fuse_file_info* fi) {
  answer(
      req, "opendir", [&](Mount& m) { return m.opendir(node_id(ino)); },
      [&](fuse_req_t r, std::unique_ptr<OpenFolder>& folder) {
        fi->fh = reinterpret_cast<std::uint64_t>(folder.get());
        // Only a reply that arrives is followed by releasedir.
        if (fuse_reply_open(r, fi) == 0) folder.release();
      });
}

void op_readdir(fuse_req_t req, fuse_ino_t, size_t size, off_t off, fuse_file_info* fi) {
  answer(
      req, "readdir",
      [&](Mount& m) -> Result<Listing> {
        Listing listing(size);
        const auto done = m.readdir(folder_of(fi), static_cast<std::uint64_t>(off), false,
                                    [&](const DirEntry& entry) { return listing.add(req, entry); });
        if (!done) return done.error();
        return listing;
      },
      [](fuse_req_t r, Listing& listing) { listing.reply(r); });
}

void op_readdirplus(fuse_req_t req, fuse_ino_t, size_t size, off_t off, fuse_file_info* fi) {
  FuseContext& context = context_of(req);
  const std::uint64_t seen = context.foreign_changes;
  answer(
      req, "readdirplus",
      [&](Mount& m) -> Result<Listing> {
        Listing listing(size);
        const auto take = [&](const DirEntry& entry) {
          const Keep keep = context.foreign_changes == seen ? Keep::yes : Keep::no;
          return listing.add_plus(req, entry, keep);
        };
        try {
          const auto done = m.readdir(folder_of(fi), static_cast<std::uint64_t>(off), true, take);
          if (done) return listing;
          listing.take_back_all(context);
          return done.error();
        } catch (...) {
          listing.take_back_all(context);
          throw;
        }
      },
      [](fuse_req_t r, Listing& listing) { listing.reply(r); });
}

void op_releasedir(fuse_req_t req, fuse_ino_t, fuse_file_info* fi) {
  delete &folder_of(fi);
  reply_ok(req);
}

}  // namespace prefixfs
