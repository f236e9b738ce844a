#!/bin/sh
# A rename-cost test to copy: mounts a drive, renames a folder with mv, reads what it cost, asserts.
#
#   tests/rename_cost/folder_of_1000.sh [PREFIXFS]
#
# Needs jq.  Exit status 0: the cost is as expected; 1: it is not.
set -eu

prefixfs=${1:-prefixfs}
work=$(mktemp -d)
trap '"$prefixfs" umount "$work/mnt" 2>/dev/null || true; rm -rf "$work"' EXIT

mkdir "$work/mnt"
"$prefixfs" mount "$work/drive.db" "$work/mnt"
mkdir "$work/mnt/docs"
(cd "$work/mnt/docs" && seq 1 1000 | xargs touch)

mv "$work/mnt/docs" "$work/mnt/documents"
cost=$(tail -n 1 "$work/mnt/.prefixfs/renames")

expect() { # expect FIELD VALUE
  got=$(printf '%s' "$cost" | jq ".$1")
  if [ "$got" != "$2" ]; then
    echo "$1: $got, expected $2" >&2
    exit 1
  fi
}
# 1,000 files and the folder: a put and a delete each, of at most 1 KiB.
expect items 1001
expect puts 1001
expect deletes 1001
expect write_units 2002
expect write_units_transactional 4004
expect batch_calls 81
expect transact_calls 21
expect atomic_on_dynamodb false
expect floor_seconds 2.002
echo "a rename of 1,001 nodes costs 2,002 write units"
