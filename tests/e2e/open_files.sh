#!/usr/bin/env bash
# Files and folders in use while their names change, and answers that are honest about what is
# missing.
source "$(dirname "$0")/fixture.bash"
needs_mount
drive_mounted

step "open files and folders, by system calls"
mkdir "$mnt/check"
"$clients/open_nodes" "$mnt/check" || die "see above"
same "what is left" "" "$(ls -A "$mnt/check")"

step "a shell inside a folder that is renamed"
mkdir -p "$mnt/before/sub"
(
  cd "$mnt/before/sub"
  echo one >file
  mv "$mnt/before" "$mnt/after"
  echo two >>file
  mkdir below
  same "cwd" "$mnt/after/sub" "$(/bin/pwd)"
)
same "content" $'one\ntwo' "$(<"$mnt/after/sub/file")"
same "children" $'below\nfile' "$(ls "$mnt/after/sub")"
(
  cd "$mnt/after/sub/below"
  rm -r "$mnt/after"
  expect_errno ENOENT touch file
  expect_errno ENOENT stat ../below
)

step "unlinked, and still in use by a shell"
exec 7<>"$mnt/doomed"
rm "$mnt/doomed"
printf 'still here' >&7
same "content" "still here" "$(cat "/proc/self/fd/7" 2>/dev/null || head -c 10 "/dev/fd/7")"
exec 7>&-

step "appending, truncating, holes"
printf 0123456789 >"$mnt/file"
"$clients/posix_call" pwrite "$mnt/file" 0 "end"
same "appended" "0123456789end" "$(<"$mnt/file")"
truncate -s 5 "$mnt/file" && truncate -s 70000 "$mnt/file"
same "zeros" "$({ printf 01234; head -c 69995 /dev/zero; } | md5sum)" "$(md5sum <"$mnt/file")"
truncate -s 10G "$mnt/sparse"
printf x | dd of="$mnt/sparse" bs=1 seek=5G conv=notrunc status=none
same "size" $((10 << 30)) "$(stat -c %s "$mnt/sparse")"
at_most "sectors stored" 128 "$(stat -c %b "$mnt/sparse")"
remounted
at_most "sectors stored" 128 "$(stat -c %b "$mnt/sparse")"
same "byte" x "$(dd if="$mnt/sparse" bs=1 skip=5G count=1 status=none)"
expect_errno EFBIG truncate -s 2T "$mnt/sparse"
head -c 200000 /dev/urandom >"$mnt/full"
at_least "sectors stored" 390 "$(stat -c %b "$mnt/full")"

step "mapped into memory"
head -c 100000 /dev/zero >"$mnt/mapped"
"$clients/posix_call" map_write "$mnt/mapped" 65530 "over the edge"
same "read" "over the edge" "$(tail -c +65531 "$mnt/mapped" | head -c 13)"
remounted
same "mapped" "over the edge" "$("$clients/posix_call" map_read "$mnt/mapped" 65530 13)"

step "many files removed while they are listed"
mkdir "$mnt/many"
(cd "$mnt/many" && seq 5000 | xargs touch)
rm -rf "$mnt/many"
[[ ! -e $mnt/many ]] || die "some are left"

step "renames that do not replace, and that exchange"
echo a >"$mnt/a" && echo b >"$mnt/b"
expect_errno EEXIST "$clients/posix_call" rename "$mnt/a" "$mnt/b" noreplace
"$clients/posix_call" rename "$mnt/a" "$mnt/b" exchange
same "a and b" $'b\na' "$(cat "$mnt/a" "$mnt/b")"
mkdir -p "$mnt/one/x" "$mnt/two/y/z"
"$clients/posix_call" rename "$mnt/one" "$mnt/two" exchange
same "exchanged" $'one\none/y\none/y/z\ntwo\ntwo/x' "$(cd "$mnt" && find one two | sort)"
expect_errno ENOTEMPTY "$clients/posix_call" rename "$mnt/one" "$mnt/two"
expect_errno EISDIR "$clients/posix_call" rename "$mnt/a" "$mnt/two"
expect_errno ENOTDIR "$clients/posix_call" rename "$mnt/one" "$mnt/a"
expect_errno EINVAL "$clients/posix_call" rename "$mnt/one" "$mnt/one/y/below"

step "what is not there yet says so"
expect_errno ENOTSUP "$clients/posix_call" tmpfile "$mnt"
same "size" 2 "$(stat -c %s "$mnt/a")"

step "locks are the kernel's"
(
  flock -n 6 || die "the first lock is refused"
  if flock -n "$mnt/a" true; then die "a second lock is granted"; fi
) 6<"$mnt/a"
flock -n "$mnt/a" true || die "the lock outlived its holder"

step "room on the drive is the host's"
at_least "free KiB" 1 "$(df -k --output=avail "$mnt" | tail -1)"
same "size of the file system" "$(df -k --output=size "$scratch" | tail -1)" \
  "$(df -k --output=size "$mnt" | tail -1)"
unmounted
