#!/usr/bin/env bash
# A plain user can make, mount, use and unmount a drive.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs setpriv

user=65534
as_user() { setpriv --reuid $user --regid $user --clear-groups "$@"; }

device_mode=$(stat -c %a /dev/fuse)
if ! as_user test -w /dev/fuse; then
  at_end+=("chmod $device_mode /dev/fuse")
  chmod 666 /dev/fuse
fi
[[ -u $(command -v fusermount3) ]] || { echo "skipped, fusermount3 is not set-user-ID"; exit 77; }
as_user "$PREFIXFS" --version >/dev/null || die "the user cannot run $PREFIXFS"

chmod 711 "$scratch"
own=$scratch/own
mkdir "$own" "$own/mnt"
chown -R $user:$user "$own"
mnt=$own/mnt
file=$own/drive.db

step "mounted and used"
as_user "$PREFIXFS" mount "$file" "$mnt" || die "mount: exit status $?"
as_user mountpoint -q "$mnt" || die "not mounted"
same "owner of the root" $user "$(as_user stat -c %u "$mnt")"
as_user mkdir -p "$mnt/a/b"
as_user sh -c 'echo mine >"$1/a/b/file"' sh "$mnt"
same "owner" $user:$user "$(as_user stat -c %u:%g "$mnt/a/b/file")"
as_user mv "$mnt/a" "$mnt/c"
same "content" mine "$(as_user cat "$mnt/c/b/file")"
as_user chmod 000 "$mnt/c/b/file"
expect_errno EACCES as_user cat "$mnt/c/b/file"
expect_errno EPERM as_user chown 0 "$mnt/c/b/file"
as_user chmod 600 "$mnt/c/b/file"
as_user cp -r /etc/apt "$mnt/" 2>/dev/null || as_user cp -r "$here" "$mnt/"

step "nobody else sees it"
as_other() { setpriv --reuid 1 --regid 1 --clear-groups "$@"; }
chmod 777 "$own"
expect_errno EACCES as_other ls "$mnt"

step "unmounted and mounted again"
as_user "$PREFIXFS" umount "$mnt" || die "umount: exit status $?"
is_mounted && die "still mounted"
whole
same "owner of the table file" $user "$(stat -c %u "$file")"
same "not for others" 600 "$(stat -c %a "$file")"
as_user "$PREFIXFS" mount "$file" "$mnt" || die "mount: exit status $?"
same "content" mine "$(as_user cat "$mnt/c/b/file")"
as_user "$PREFIXFS" umount "$mnt" || die "umount: exit status $?"

step "a file of somebody else is refused"
prefixfs mkfs "$scratch/root.db" >/dev/null
refused 1 '^prefixfs: .*root.db' as_user "$PREFIXFS" mount "$scratch/root.db" "$mnt"
