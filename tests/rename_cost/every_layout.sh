#!/bin/sh
# The same rename of a folder of 200 on each layout: which way round to be wrong.
. "$(dirname "$0")/setup.sh"

for row in "path 201 201 201 402" "node 1 2 1 3" "adjacency 1 1 1 2"; do
  set -- $row
  mounted "$1"
  files 200 "$work/mnt/docs"
  mv "$work/mnt/docs" "$work/mnt/documents"
  cost=$(last_rename)
  expect "$cost" layout "\"$1\""
  expect "$cost" items "$2"
  expect "$cost" puts "$3"
  expect "$cost" deletes "$4"
  expect "$cost" write_units "$5"
  echo "$1: a rename of a folder of 200 costs $5 write units"
  unmounted
done
