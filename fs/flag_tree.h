// FlagTree shows the feature flags of a table file as a Tree: environments are folders, flags are
// files (MODEL.md).
//
// A file holds the flag's value and a newline; an empty value is an empty file.  What is written
// becomes the value as soon as it is one of the flag's type, less one newline at its end, and
// `updatedBy` is who wrote.  What is none is refused (EINVAL) and the old value stays: at once for
// bool, int and float; for json when a write ends the text with a newline, since long texts come
// in several writes, and else when a descriptor is closed or synced.  Until nobody has the file
// open it shows what was written.
//
// The type is the extended attribute user.type, which can be set to one that the value is of;
// user.updatedBy can be read.  There are no others.
//
// Nothing lies below a flag, and nothing but environments beside one (EPERM).  A flag moves with
// its type; one that takes another's place takes its type too, so that an editor's new file does.
// Everything belongs to who mounted.  Items have no times: a flag's are those of when this tree
// first saw its value.  Ids are given in the order of looking, and are those of one mount.
//
// What was read is not asked for again while nobody has written to the table (Store::version).
// Thread-safe.

#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "fs/flags.h"
#include "fs/tree.h"
#include "table/ledger.h"
#include "table/store.h"

namespace prefixfs {

class FlagTree final : public Tree {
 public:
  // `file` is the table file, for statfs.  All references outlive the FlagTree.
  FlagTree(table::Store& store, table::Ledger& ledger, Accounts& accounts, std::string file,
           std::uint32_t uid, std::uint32_t gid, Clock clock);

  Result<Node> lookup(const NodeRef& dir, std::string_view name) override;
  Result<Node> getattr(const NodeRef& ref) override;
  Result<Node> setattr(const NodeRef& ref, const AttrChange& change) override;
  Result<std::string> readlink(const NodeRef& ref) override;
  Result<std::string> getxattr(const NodeRef& ref, std::string_view name) override;
  Result<std::vector<std::string>> listxattr(const NodeRef& ref) override;
  Result<void> setxattr(const NodeRef& ref, std::string_view name, std::string_view value,
                        XattrMode mode, const SetBy& by) override;
  Result<void> removexattr(const NodeRef& ref, std::string_view name) override;
  Result<ListPage> readdir(const NodeRef& dir, std::string_view after, std::size_t limit,
                           Detail detail) override;
  Result<Node> create(const NodeRef& dir, std::string_view name, const NewNode& what) override;
  Result<Removed> unlink(const NodeRef& dir, std::string_view name, const Held& held) override;
  Result<Removed> rmdir(const NodeRef& dir, std::string_view name, const Held& held) override;
  Result<Renamed> rename(const NodeRef& from_dir, std::string_view from, const NodeRef& to_dir,
                         std::string_view to, RenameMode mode, const Held& held) override;
  Result<std::size_t> read(const NodeRef& ref, std::uint64_t offset,
                           std::span<std::byte> out) override;
  Result<Written> write(const NodeRef& ref, std::uint64_t offset, std::span<const std::byte> data,
                        WriteBy by) override;
  bool counts_opens() const override { return true; }
  void opened(NodeId id) override;
  Result<void> flush(const NodeRef& ref, std::uint32_t uid) override;
  void closed(NodeId id) override;
  Result<Space> statfs() override;
  void sync() override { store_.sync(); }
  void release(NodeId id) override;
  void forget_cached() override;
  Accounts& accounts() override { return accounts_; }

 private:
  using Name = std::pair<std::string, std::string>;  // environment, key
  struct Seen {
    std::string content;
    Time since;
  };

  static Result<Name> flag_name(const NodeRef& ref);
  // Throws away what was remembered where somebody has written since.  REQUIRES: mutex_
  void look_for_changes();
  void remember(const Name& name, const Flag& flag);  // REQUIRES: mutex_
  // The flag as it is stored, remembered or asked for.  REQUIRES: mutex_
  std::optional<Flag> stored(table::Table& t, const Name& name);
  bool has_environment(table::Table& t, const std::string& env);  // REQUIRES: mutex_
  // REQUIRES: mutex_
  Node file_node(NodeId id, const std::string& content);
  NodeId id_of(const Name& name);  // an environment's has no key.  REQUIRES: mutex_
  Node folder_node(NodeId id) const;
  Node node_of(NodeId id, Kind kind, std::uint32_t mode) const;
  // Makes the draft the value.  EINVAL: it is none, and stays a draft.
  Result<void> store_draft(table::Table& t, NodeId id, const Name& name, std::uint32_t uid);
  void name_again(const Name& from, const Name& to);
  Result<Node> attributes(table::Table& t, const NodeRef& ref);  // REQUIRES: mutex_
  Result<Renamed> rename_environment(table::Table& t, const std::string& from,
                                     const std::string& to, RenameMode mode);
  Result<void> apply(table::Table& t, const table::Batch& batch);

  table::Store& store_;
  table::Ledger& ledger_;
  Accounts& accounts_;
  const std::string file_;
  const std::uint32_t uid_, gid_;
  const Clock clock_;
  const Time mounted_;

  std::mutex mutex_;  // guards all below, and spans a call: flags are few
  std::uint64_t version_ = 0;
  std::map<Name, std::optional<Flag>> flags_;  // as they are at version_
  std::map<std::string, bool> environments_;   // whether they are there, at version_
  std::map<Name, NodeId> ids_;
  std::uint64_t next_id_ = number(kRootId) + 1;
  std::unordered_map<NodeId, std::string> drafts_;  // content that is no value yet
  std::unordered_map<NodeId, std::size_t> opens_;
  std::unordered_map<NodeId, Seen> seen_;
  std::unordered_map<NodeId, std::string> detached_;  // content of held flags without a name
};

}  // namespace prefixfs
