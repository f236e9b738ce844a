#!/bin/sh
# A rename of /docs takes what is below /docs/ and nothing else that begins with /docs.
. "$(dirname "$0")/setup.sh"

mounted path
files 3 "$work/mnt/docs"
files 20 "$work/mnt/docs-archive"
files 20 "$work/mnt/docs.old"
touch "$work/mnt/docs.txt"
mv "$work/mnt/docs" "$work/mnt/papers"
expect "$(last_rename)" items 4
left=$(cd "$work/mnt" && echo *)
[ "$left" = "docs-archive docs.old docs.txt papers" ]
[ "$(ls "$work/mnt/docs-archive" | wc -l)" -eq 20 ]
echo "4 nodes moved, 42 neighbours stayed"
