#include "fs/acl.h"

#include <endian.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace prefixfs {
namespace {

using Tag = AclEntry::Tag;

constexpr std::uint32_t kAll = 7;  // rwx of one of the three

struct Spelling {
  std::string_view word;
  std::uint16_t in_xattr;
};
// By Tag.
constexpr std::array<Spelling, 6> kSpellings = {{{"user", ACL_USER_OBJ},
                                                 {"user", ACL_USER},
                                                 {"group", ACL_GROUP_OBJ},
                                                 {"group", ACL_GROUP},
                                                 {"mask", ACL_MASK},
                                                 {"other", ACL_OTHER}}};

const Spelling& spelling(Tag tag) { return kSpellings[static_cast<std::size_t>(tag)]; }

bool is_named(Tag tag) { return tag == Tag::user || tag == Tag::group; }

AclEntry* find(Acl& acl, Tag tag) {
  const auto at = std::ranges::find(acl, tag, &AclEntry::tag);
  return at == acl.end() ? nullptr : &*at;
}

std::size_t count(const Acl& acl, Tag tag) {
  return static_cast<std::size_t>(std::ranges::count(acl, tag, &AclEntry::tag));
}

// Each of the three once, a mask where there are names and at most one, all in order.  That a name
// comes twice is nobody's error.
bool is_whole(const Acl& acl) {
  if (!std::ranges::is_sorted(acl, {}, &AclEntry::tag)) return false;
  for (const Tag tag : {Tag::owner, Tag::owning_group, Tag::other}) {
    if (count(acl, tag) != 1) return false;
  }
  const std::size_t masks = count(acl, Tag::mask);
  const bool named = count(acl, Tag::user) + count(acl, Tag::group) > 0;
  return masks == 1 || (masks == 0 && !named);
}

std::uint8_t permissions_at(std::uint32_t mode, unsigned shift) {
  return static_cast<std::uint8_t>(mode >> shift & kAll);
}

// The entry that the group bits of a mode stand for.
AclEntry& group_class(Acl& whole) {
  AclEntry* const mask = find(whole, Tag::mask);
  return mask ? *mask : *find(whole, Tag::owning_group);
}

std::optional<AclEntry> entry_from(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t last = text.rfind(':');
  if (first == text.npos || first == last) return std::nullopt;
  const std::string_view name = text.substr(first + 1, last - first - 1);
  const std::string_view rights = text.substr(last + 1);
  if (rights.size() != 3) return std::nullopt;
  AclEntry entry{.name = std::string(name)};
  constexpr std::string_view kLetters = "rwx";
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    if (rights[i] != kLetters[i] && rights[i] != '-') return std::nullopt;
    if (rights[i] == kLetters[i]) entry.permissions |= static_cast<std::uint8_t>(4u >> i);
  }
  for (std::size_t i = 0; i < kSpellings.size(); ++i) {
    entry.tag = static_cast<Tag>(i);
    if (kSpellings[i].word == text.substr(0, first) && is_named(entry.tag) == !name.empty()) {
      return entry;
    }
  }
  return std::nullopt;
}

std::optional<Acl> entries_from(const table::Value& value) {
  const auto* list = std::get_if<table::List>(&value.data);
  if (!list) return std::nullopt;
  Acl acl;
  for (const table::Value& each : *list) {
    const std::string* text = each.if_string();
    auto entry = text ? entry_from(*text) : std::nullopt;
    if (!entry) return std::nullopt;
    acl.push_back(*std::move(entry));
  }
  return acl;
}

std::uint32_t id_of(const AclEntry& entry, Accounts& accounts) {
  if (entry.tag == Tag::user) return accounts.user_id(entry.name);
  if (entry.tag == Tag::group) return accounts.group_id(entry.name);
  return static_cast<std::uint32_t>(ACL_UNDEFINED_ID);
}

template <class T>
T read_at(std::string_view bytes, std::size_t at) {
  T out{};
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

Acl whole_acl(std::uint32_t mode, const Acl& access) {
  Acl whole{{Tag::owner, permissions_at(mode, 6)}};
  if (access.empty()) {
    whole.push_back({Tag::owning_group, permissions_at(mode, 3)});
  } else {
    whole.insert(whole.end(), access.begin(), access.end());
    whole.push_back({Tag::mask, permissions_at(mode, 3)});
  }
  whole.push_back({Tag::other, permissions_at(mode, 0)});
  return whole;
}

Acl split_acl(Acl whole, std::uint32_t& mode) {
  mode &= ~0777u;
  mode |= std::uint32_t{find(whole, Tag::owner)->permissions} << 6;
  mode |= std::uint32_t{group_class(whole).permissions} << 3;
  mode |= find(whole, Tag::other)->permissions;
  if (!find(whole, Tag::mask)) return {};
  std::erase_if(whole, [](const AclEntry& entry) {
    return entry.tag == Tag::owner || entry.tag == Tag::mask || entry.tag == Tag::other;
  });
  return whole;
}

Acl inherited_acl(const Acl& default_acl, std::uint32_t& mode) {
  Acl whole = default_acl;
  find(whole, Tag::owner)->permissions &= permissions_at(mode, 6);
  group_class(whole).permissions &= permissions_at(mode, 3);
  find(whole, Tag::other)->permissions &= permissions_at(mode, 0);
  return split_acl(std::move(whole), mode);
}

Result<Acl> acl_from_xattr(std::string_view value, Accounts& accounts, const Acl& before) {
  constexpr std::size_t kHeader = sizeof(posix_acl_xattr_header);
  constexpr std::size_t kEntry = sizeof(posix_acl_xattr_entry);
  if (value.empty()) return Acl{};
  if (value.size() < kHeader) return std::errc::invalid_argument;
  if (le32toh(read_at<posix_acl_xattr_header>(value, 0).a_version) != POSIX_ACL_XATTR_VERSION) {
    return std::errc::operation_not_supported;
  }
  if ((value.size() - kHeader) % kEntry != 0) return std::errc::invalid_argument;
  if (value.size() > kMaxAclBytes) return std::errc::argument_list_too_long;

  std::vector<const AclEntry*> unknown;  // the names of `before` that stand for no number here
  for (const AclEntry& entry : before) {
    if (is_named(entry.tag) && id_of(entry, accounts) == kOverflowId) unknown.push_back(&entry);
  }
  Acl acl;
  for (std::size_t at = kHeader; at < value.size(); at += kEntry) {
    const auto raw = read_at<posix_acl_xattr_entry>(value, at);
    const auto spelt =
        std::ranges::find(kSpellings, std::uint16_t{le16toh(raw.e_tag)}, &Spelling::in_xattr);
    const std::uint16_t permissions = le16toh(raw.e_perm);
    if (spelt == kSpellings.end() || permissions > kAll) return std::errc::invalid_argument;
    AclEntry entry{.tag = static_cast<Tag>(spelt - kSpellings.begin()),
                   .permissions = static_cast<std::uint8_t>(permissions)};
    if (is_named(entry.tag)) {
      const std::uint32_t id = le32toh(raw.e_id);
      if (id == static_cast<std::uint32_t>(ACL_UNDEFINED_ID)) return std::errc::invalid_argument;
      const auto known =
          std::ranges::find(unknown, entry.tag, [](const auto* e) { return e->tag; });
      if (id == kOverflowId && known != unknown.end()) {
        entry.name = (*known)->name;
        unknown.erase(known);
      } else {
        entry.name = entry.tag == Tag::user ? accounts.user_name(id) : accounts.group_name(id);
      }
    }
    acl.push_back(std::move(entry));
  }
  if (!acl.empty() && !is_whole(acl)) return std::errc::invalid_argument;
  return acl;
}

std::string acl_to_xattr(const Acl& whole, Accounts& accounts) {
  std::string bytes;
  append(bytes, posix_acl_xattr_header{htole32(POSIX_ACL_XATTR_VERSION)});
  for (const AclEntry& entry : whole) {
    append(bytes, posix_acl_xattr_entry{htole16(spelling(entry.tag).in_xattr),
                                        htole16(std::uint16_t{entry.permissions}),
                                        htole32(id_of(entry, accounts))});
  }
  return bytes;
}

std::string acl_text(const AclEntry& entry) {
  std::string text(spelling(entry.tag).word);
  text += ":" + entry.name + ":";
  for (const auto& [bit, letter] : {std::pair{4, 'r'}, {2, 'w'}, {1, 'x'}}) {
    text += (entry.permissions & bit) != 0 ? letter : '-';
  }
  return text;
}

table::Value encode_acl(const Acl& acl) {
  table::List list;
  for (const AclEntry& entry : acl) list.emplace_back(acl_text(entry));
  return list;
}

std::optional<Acl> decode_access_acl(const table::Value& value) {
  auto acl = entries_from(value);
  if (!acl || (!acl->empty() && !is_whole(whole_acl(0, *acl)))) return std::nullopt;
  return acl;
}

std::optional<Acl> decode_default_acl(const table::Value& value) {
  auto acl = entries_from(value);
  if (!acl || (!acl->empty() && !is_whole(*acl))) return std::nullopt;
  return acl;
}

}  // namespace prefixfs
