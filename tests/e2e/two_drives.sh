#!/usr/bin/env bash
# Drives of one file once took the same ids, and content is keyed by id: what was written to one
# drive replaced what was in the other.
source "$(dirname "$0")/fixture.bash"

prefixfs mkfs "$file" --drive one >/dev/null
prefixfs mkfs "$file" --drive two >/dev/null
prefixfs mkfs "$file" --drive three --layout node >/dev/null
for drive in one two three; do echo "in $drive" >"$scratch/$drive"; done

step "content of one is not that of the other"
for drive in one two three; do
  prefixfs import "$scratch/$drive" "$file:/file" --drive "$drive"
done
for drive in one two three; do
  same "content" "in $drive" "$(prefixfs cat "$file:/file" --drive "$drive")"
done
id() { prefixfs stat "$file:/file" --json --drive "$1" | jq .id; }
same "different ids" 3 "$({ id one; id two; id three; } | sort -u | wc -l)"

step "and stays when the other goes"
prefixfs rm "$file:/file" --drive two
same "content" "in one" "$(prefixfs cat "$file:/file" --drive one)"
same "content" "in three" "$(prefixfs cat "$file:/file" --drive three)"
same "blocks" 2 "$(prefixfs info --json "$file" | jq .blocks)"

needs_mount
step "both mounted at once"
mkdir "$scratch/one-mnt" "$scratch/two-mnt"
prefixfs mount "$file" "$scratch/one-mnt" --drive one
prefixfs mount "$file" "$scratch/two-mnt" --drive two
for i in {1..40}; do
  echo "one $i" >"$scratch/one-mnt/$i"
  echo "two $i" >"$scratch/two-mnt/$i"
done
prefixfs umount "$scratch/one-mnt"
prefixfs umount "$scratch/two-mnt"
whole
for i in 1 20 40; do
  same "content" "one $i" "$(prefixfs cat "$file:/$i" --drive one)"
  same "content" "two $i" "$(prefixfs cat "$file:/$i" --drive two)"
done
same "blocks" 82 "$(prefixfs info --json "$file" | jq .blocks)"
