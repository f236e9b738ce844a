#!/usr/bin/env bash
# Extended attributes: as xattr(7) has them, on each layout, copied there and back, and no dearer
# than they have to be for those who use none.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs setfattr
needs jq

value() { getfattr --absolute-names -h --only-values -n "$1" "$2"; }
all() { (cd "$1" && getfattr -hRm - -d --absolute-names . && getfattr -hRm - -d -e hex .) 2>/dev/null; }

for layout in path node adjacency; do
  step "$layout: set, read, list, remove"
  rm -f "$file"
  prefixfs mkfs "$file" --layout $layout >/dev/null
  drive_mounted
  mkdir "$mnt/d"
  echo content >"$mnt/d/f"
  ln -s f "$mnt/d/l"
  mkfifo "$mnt/d/p"
  setfattr -n user.colour -v red "$mnt/d/f"
  setfattr -n user.colour -v blue "$mnt/d"
  setfattr -n user.raw -v 0x00ff00 "$mnt/d/f"
  setfattr -n user.empty "$mnt/d/f"
  same "value" red "$(value user.colour "$mnt/d/f")"
  same "of a folder" blue "$(value user.colour "$mnt/d")"
  same "names" $'user.colour\nuser.empty\nuser.raw' \
    "$(getfattr --absolute-names "$mnt/d/f" | grep '^user' | sort)"
  expect_errno ENODATA getfattr -n user.none "$mnt/d/f"
  expect_errno ENOTSUP setfattr -n colour -v red "$mnt/d/f"
  expect_errno EPERM setfattr -h -n user.colour -v red "$mnt/d/l"
  expect_errno EPERM setfattr -n user.colour -v red "$mnt/d/p"
  head -c 65536 /dev/zero | tr '\0' v >"$scratch/large"
  "$clients/posix_call" setxattr "$mnt/d/f" user.large <"$scratch/large"
  value user.large "$mnt/d/f" | cmp - "$scratch/large" || die "the largest value came back changed"
  expect_errno EEXIST "$clients/posix_call" setxattr "$mnt/d/f" user.large create </dev/null
  refused 1 'No data available' "$clients/posix_call" setxattr "$mnt/d/f" user.none replace </dev/null
  for name in b c d; do
    head -c 65536 /dev/zero | "$clients/posix_call" setxattr "$mnt/d/f" user.$name || break
  done 2>"$scratch/err"
  matches "no room" 'No space left' "$(<"$scratch/err")"
  for name in b c d large; do setfattr -x user.$name "$mnt/d/f" 2>/dev/null || true; done
  expect_errno ENODATA setfattr -x user.large "$mnt/d/f"
  ((UID != 0)) || setfattr -n trusted.a -v 1 "$mnt/d/f"
  ((UID != 0)) || setfattr -h -n trusted.a -v 2 "$mnt/d/l"

  step "$layout: they stay through rename, another mount, and out and in again"
  mv "$mnt/d" "$mnt/e"
  before=$(all "$mnt/e")
  matches "attributes" colour "$before"
  remounted
  same "after another mount" "$before" "$(all "$mnt/e")"
  unmounted
  if setfattr -n user.a -v 1 "$scratch" 2>/dev/null; then
    prefixfs export "$file:/e" "$scratch/exported"
    same "exported" "$before" "$(all "$scratch/exported")"
    prefixfs import "$scratch/exported" "$file:/again"
    drive_mounted
    same "imported" "$before" "$(all "$mnt/again")"
    cp -a "$mnt/e" "$mnt/copy"
    same "copied" "$before" "$(all "$mnt/copy")"
    unmounted
    rm -rf "$scratch/exported"
  fi
  to=$([[ $layout == path ]] && echo node || echo path)
  prefixfs convert "$file" --to $to >/dev/null
  drive_mounted
  same "converted" "$before" "$(all "$mnt/e")"
  unmounted
done

step "the item"
prefixfs convert "$file" --to path >/dev/null 2>&1 || true
same "xattrs" '{"user.colour":{"S":"red"},"user.empty":{"S":""},"user.raw":{"B":"AP8A"}}' \
  "$(prefixfs get --json "$file" 'DRIVE#home' 'PATH#/e/f' |
    jq -cS '.Item.xattrs.M | del(.["trusted.a"])')"

step "writing a file without any asks the table nothing about them"
drive_mounted
prefixfs cost --json "$mnt" -- sh -c "for i in 1 2 3 4 5; do echo line; done >'$mnt/new'" \
  >"$scratch/cost.json"
same "getxattr" null "$(sed -n '$p' "$scratch/cost.json" | jq -c .operations.getxattr)"
if setfattr -n security.capability -v 0x0100000200200000000000000000000000000000 "$mnt/new"; then
  step "nor does the kernel ask before each write: once a file"
  setfattr -x security.capability "$mnt/new"
  prefixfs cost --json "$mnt" -- dd if=/dev/zero of="$mnt/new" bs=1 count=500 conv=notrunc \
    status=none >"$scratch/cost.json"
  calls=$(sed -n '$p' "$scratch/cost.json" | jq .operations.getxattr.calls)
  at_least "asked" 1 "$calls"
  at_most "asked" 2 "$calls"
fi
unmounted

step "flags have two"
prefixfs demo "$scratch/demo.db" >/dev/null
prefixfs mount "$scratch/demo.db" "$mnt" --flags
same "type" int "$(value user.type "$mnt/prod/page-size")"
expect_errno EINVAL setfattr -n user.type -v bool "$mnt/prod/page-size"
setfattr -n user.type -v string "$mnt/prod/page-size"
same "type" string "$(value user.type "$mnt/prod/page-size")"
same "by whom" "$(id -un)" "$(value user.updatedBy "$mnt/prod/page-size")"
expect_errno EPERM setfattr -n user.updatedBy -v ana "$mnt/prod/page-size"
expect_errno EPERM setfattr -x user.type "$mnt/prod/page-size"
expect_errno ENODATA getfattr -n user.type "$mnt/prod"
prefixfs umount "$mnt"
