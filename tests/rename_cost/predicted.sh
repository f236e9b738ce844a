#!/bin/sh
# What `mv --dry-run` predicts is what the rename then costs.
. "$(dirname "$0")/setup.sh"

for layout in path node adjacency; do
  mounted "$layout"
  mkdir -p "$work/mnt/docs/a/b/c"
  files 60 "$work/mnt/docs/a/b/c/many"
  echo content >"$work/mnt/docs/a/file"
  sync "$work/mnt/docs"  # the mount commits once a second; others see what is committed

  predicted=$("$prefixfs" mv --dry-run --json "$work/drive.db:/docs" /papers)
  mv "$work/mnt/docs" "$work/mnt/papers"
  cost=$(last_rename)
  for field in items puts deletes read_units write_units write_units_transactional batch_calls \
    transact_calls atomic_on_dynamodb usd floor_seconds bytes; do
    expect "$cost" $field "$(printf '%s' "$predicted" | jq -c .$field)"
  done
  echo "$layout: as predicted"
  unmounted
done
