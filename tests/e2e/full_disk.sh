#!/usr/bin/env bash
# A full disk: the log once took its last byte, so that no checkpoint and no commit fitted any more,
# deleting freed nothing and the drive could not be mounted again.
source "$(dirname "$0")/fixture.bash"
needs_mount

disk=$scratch/disk
mkdir "$disk"
file=$disk/drive.db
at_end+=("umount -l $disk 2>/dev/null || true")
for size in 12m 20m 70m; do
  step "a disk of $size"
  mount -t tmpfs -o size=$size tmpfs "$disk" || { echo "skipped, no tmpfs"; exit 77; }
  drive_mounted
  written=0
  for i in {1..80}; do
    head -c 1000000 /dev/urandom >"$scratch/bytes"
    cp "$scratch/bytes" "$mnt/$i" 2>/dev/null && sync "$mnt/$i" 2>/dev/null || break
    written=$i
    cp "$scratch/bytes" "$scratch/last"
  done
  at_least "files written" 3 $written
  at_most "files written" 79 $written
  rm -f "$mnt/$((written + 1))"
  cmp "$mnt/$written" "$scratch/last" || die "what was synced is not what was written"

  step "deleting works, and its space comes back"
  rm "$mnt"/*
  sync "$mnt"
  same "files" "" "$(ls "$mnt")"
  cp "$scratch/bytes" "$mnt/again"
  sync "$mnt/again"
  cmp "$mnt/again" "$scratch/bytes" || die "content differs"

  step "full to the last byte by others, it can be mounted and emptied"
  dd if=/dev/zero of="$disk/others" bs=64k 2>/dev/null || true
  cat "$mnt/again" >/dev/null
  prefixfs umount "$mnt"
  drive_mounted
  cmp "$mnt/again" "$scratch/bytes" || die "content differs"
  rm "$disk/others" "$mnt/again"
  unmounted
  same "integrity" ok "$(sqlite3 "$file" 'PRAGMA integrity_check')"
  umount "$disk"
done
