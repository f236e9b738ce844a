#!/bin/sh
# A rename that would cost too much is refused before anything is written.
. "$(dirname "$0")/setup.sh"

mounted path -o rename-limit=100
files 101 "$work/mnt/docs"
if mv -T "$work/mnt/docs" "$work/mnt/papers" 2>"$work/why"; then
  echo "101 nodes moved over a limit of 100" >&2
  exit 1
fi
grep -q "Argument list too long" "$work/why"
[ "$(ls "$work/mnt/docs" | wc -l)" -eq 101 ]
[ ! -s "$work/mnt/.prefixfs/renames" ]
rm "$work/mnt/docs/1"
mv "$work/mnt/docs" "$work/mnt/papers"
expect "$(last_rename)" items 101
echo "101 nodes below were refused, 100 moved"
