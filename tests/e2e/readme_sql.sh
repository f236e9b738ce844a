#!/usr/bin/env bash
# The questions in SQL that README.md shows are answered as it shows them, whatever the layout.
source "$(dirname "$0")/fixture.bash"
needs sqlite3

cd "$scratch"
awk '/^## /{inside = /^## In SQL/} inside' "$source_root/README.md" |
  awk -v RS='```\n' 'NR % 2 == 0 { printf "%s", $0 > ("block" ++n) }'
same "questions" 3 "$(ls block* | wc -l)"
for block in block*; do
  step "$block"
  # The command goes from "$ " to the first line of the table.
  sed '/^┌/,$d; s/^\$ //' "$block" >command
  sed -n '/^┌/,$p' "$block" >expected
  for layout in path node adjacency; do
    rm -f home.db
    prefixfs demo --layout "$layout" home.db >/dev/null
    bash ./command >answer
    same_files "answer, layout $layout" expected answer
  done
done
