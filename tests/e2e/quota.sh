#!/usr/bin/env bash
# A mount with a size: ENOSPC past it, room again after deleting, and df says so throughout.
source "$(dirname "$0")/fixture.bash"
needs_mount
df_kib() { df -k --output="$1" "$mnt" | tail -1 | tr -d ' '; }

for layout in path node adjacency; do
  step "layout $layout"
  rm -f "$file"
  drive_mounted --layout "$layout" -o size=8M
  same "size" 8192 "$(df_kib size)"
  at_least "free at first" 7800 "$(df_kib avail)"
  head -c 1000000 /dev/urandom >"$scratch/million"
  for i in {1..20}; do
    cp "$scratch/million" "$mnt/$i" && sync "$mnt/$i" || break
  done 2>"$scratch/said"
  matches "what cp or sync said" "${errno_text[ENOSPC]}" "$(<"$scratch/said")"
  at_least "files that fitted" 7 "$((i - 1))"
  at_most "files that fitted" 8 "$((i - 1))"
  rm "$mnt/$i"
  at_most "free KiB" 1400 "$(df_kib avail)"
  at_least "used KiB" 6800 "$(df_kib used)"
  expect_errno ENOSPC "$clients/posix_call" fallocate "$mnt/1" extend 0 $((4 << 20))

  step "at the limit, what needs no room works"
  mv "$mnt/1" "$mnt/moved"
  printf over | dd of="$mnt/moved" conv=notrunc status=none && sync "$mnt/moved"
  same "overwritten" over "$(head -c 4 "$mnt/moved")"
  cmp "$mnt/2" "$scratch/million"

  step "what is deleted can be used again"
  rm "$mnt/2" "$mnt/3"
  at_least "free KiB" 1900 "$(df_kib avail)"
  cp "$scratch/million" "$mnt/2" && sync "$mnt/2" && cmp "$mnt/2" "$scratch/million"
  unmounted
  at_most "bytes of the file" $((8 << 20)) "$(stat -c %s "$file")"
done

step "told at once where the kernel gathers nothing"
drive_mounted -o size=8M,nowriteback
expect_errno ENOSPC dd if=/dev/zero of="$mnt/zeros" bs=1M count=20
unmounted

step "a size below what is there: nothing can be added, all can be read and removed"
drive_mounted -o size=1M
same "free" 0 "$(df_kib avail)"
at_least "used KiB" 6000 "$(df_kib used)"
expect_errno ENOSPC touch "$mnt/new"
rm "$mnt"/*
at_least "free KiB" 500 "$(df_kib avail)"
touch "$mnt/new"
unmounted
refused 2 'size=lots: a number of bytes is wanted' prefixfs mount "$file" "$mnt" -o size=lots
