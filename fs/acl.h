// POSIX access control lists, as acl(5) has them and ext4 keeps them.
//
// The permissions of the owner, of the mask and of others are those of the mode, always: a node
// whose access ACL says more than a mode can keeps the rest of it, and chmod needs to know nothing
// about ACLs.  In an item (see node_item.h) both lists are L of S, in the order of acl(5):
//
//   acl         "user:ana:rw-"  "group::r--"  "group:staff:r-x"     the mask is the mode's group
//   defaultAcl  "user::rwx"  "user:ana:rw-"  "group::r-x"  "mask::rwx"  "other::r-x"

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/accounts.h"
#include "fs/result.h"
#include "table/value.h"

namespace prefixfs {

inline constexpr std::string_view kAccessAclXattr = "system.posix_acl_access";
inline constexpr std::string_view kDefaultAclXattr = "system.posix_acl_default";
inline constexpr std::size_t kMaxAclBytes =
    4096;  // as an attribute: the kernel's FUSE takes a page

constexpr bool is_acl_xattr(std::string_view name) {
  return name == kAccessAclXattr || name == kDefaultAclXattr;
}

struct AclEntry {
  // In the order in which they stand.
  enum class Tag : std::uint8_t { owner, user, owning_group, group, mask, other };
  Tag tag{};
  std::uint8_t permissions = 0;  // 0 to 7
  std::string name{};            // of a user or group, as `owner` and `group` of a node have it
  bool operator==(const AclEntry&) const = default;
};
using Acl = std::vector<AclEntry>;  // empty: none

// What a node keeps.
struct Acls {
  Acl access;       // what the mode does not say: users, the owning group, groups; or nothing
  Acl default_acl;  // of folders, whole
  bool operator==(const Acls&) const = default;
};

// The access ACL of a node, whole.
Acl whole_acl(std::uint32_t mode, const Acl& access);
// Splits a whole ACL into permission bits of `mode` and what they do not say.
Acl split_acl(Acl whole, std::uint32_t& mode);

// What a new node gets from the default ACL of its folder: its access ACL, whose permissions are no
// more than those asked for in `mode`, which becomes what they are.  REQUIRES: not empty
Acl inherited_acl(const Acl& default_acl, std::uint32_t& mode);

// The value of the extended attributes, numbers for names.  An empty value or list is no ACL.
// EOPNOTSUPP: another version; EINVAL: not an ACL in order; E2BIG.  Numbers that stand for names
// unknown here take those of `before` again, in order.
Result<Acl> acl_from_xattr(std::string_view value, Accounts& accounts, const Acl& before = {});
std::string acl_to_xattr(const Acl& whole, Accounts& accounts);

std::string acl_text(const AclEntry& entry);  // "user:ana:rw-"
table::Value encode_acl(const Acl& acl);
// nullopt: not as above.
std::optional<Acl> decode_access_acl(const table::Value& value);
std::optional<Acl> decode_default_acl(const table::Value& value);

}  // namespace prefixfs
