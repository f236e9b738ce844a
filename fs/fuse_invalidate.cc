#include <chrono>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "fs/fuse_api.h"
#include "fs/fuse_ops.h"
#include "fs/mount.h"

namespace prefixfs {
namespace {

// From the table's answer to the kernel's own copy of a reply, generously.
constexpr std::chrono::milliseconds kReplyTakes{100};

struct Known {
  NodeId id{};
  NodeId parent{};
  std::string name;
};

}  // namespace

void invalidate_all(FuseContext& context, const std::atomic<bool>& give_up) {
  // Collected first: the kernel's answer to a notification may be a forget, which takes the same
  // locks as the visit.
  ++context.foreign_changes;
  const bool listed = context.listed.exchange(false);
  std::vector<Known> known;
  std::unordered_set<NodeId> folders;
  context.mount.inodes().for_each([&](NodeId id, NodeId parent, const std::string& name) {
    if (id != kRootId) known.push_back({id, parent, name});
    folders.insert(parent);
  });
  const std::vector<AbsentNames::Absent> absent = context.absent.take();

  // A notification fails harmlessly where the kernel has forgotten the inode or name by itself.
  const auto forget_contents = [&](NodeId id) {
    fuse_lowlevel_notify_inval_inode(context.session, number(id), 0, 0);
  };
  // A folder's name only expires: dropping it would leave a process that stands in the folder
  // without a working directory.  Any other name is dropped, so that its inode goes too: under the
  // write-back cache the kernel believes its own size and times of an inode for as long as it
  // lives.
  const auto forget_name = [&](NodeId parent, const std::string& name, bool folder) {
    fuse_lowlevel_notify_expire_entry(context.session, number(parent), name.data(), name.size(),
                                      folder ? FUSE_LL_EXPIRE_ONLY : fuse_expire_flags{});
  };
  const auto is_folder = [&](NodeId id) {
    if (folders.contains(id)) return true;
    const auto stat = context.mount.getattr(id);
    return stat && stat->kind == Kind::folder;
  };

  for (const auto& [parent, name] : absent) {
    if (give_up) return;
    forget_name(parent, name, false);
  }
  forget_contents(kRootId);
  for (const auto& [id, parent, name] : known) {
    if (give_up) return;
    forget_contents(id);
    const bool folder = is_folder(id);
    if (folder) folders.insert(id);
    forget_name(parent, name, folder);
  }
  if (!listed) return;
  // A listing that was read before the change may have reached the kernel after its turn above.
  std::this_thread::sleep_for(kReplyTakes);
  for (const NodeId id : folders) {
    if (give_up) return;
    forget_contents(id);
  }
}

void invalidate_all(FuseContext& context) {
  const std::atomic<bool> never{false};
  invalidate_all(context, never);
}

}  // namespace prefixfs
