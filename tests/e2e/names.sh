#!/usr/bin/env bash
# Any name that a file can have, and names that sort around '/', which separates folders in keys.
source "$(dirname "$0")/fixture.bash"
needs_mount
drive_mounted

step "odd names"
long=$(printf 'n%.0s' {1..255})
names=("a b" " leading" "trailing " $'new\nline' $'tab\there' $'caf\303\251' $'\346\265\267'
  $'not UTF-8 \377\351' $'\001' '*' '?' '[a]' '-rf' "quote'" '"' '\' '%s' '#' 'PATH#' '...' '~' "$long")
for name in "${names[@]}"; do printf '%s' "$name" >"$mnt/$name"; done
check_names() {
  local name
  for name in "${names[@]}"; do same "content" "$name" "$(<"$mnt/$name")"; done
  (cd "$mnt" && printf '%s\0' *) | sort -z >"$scratch/seen"
  printf '%s\0' "${names[@]}" | sort -z >"$scratch/made"
  same_files "names" "$scratch/made" "$scratch/seen"
}
shopt -s dotglob
check_names
remounted
check_names

step "a name has at most 255 bytes"
expect_errno ENAMETOOLONG touch "$mnt/${long}n"
expect_errno ENAMETOOLONG mkdir "$mnt/${long}n"
expect_errno ENAMETOOLONG ln -s x "$mnt/${long}n"
expect_errno ENAMETOOLONG "$clients/posix_call" rename "$mnt/a b" "$mnt/${long}n"
expect_errno ENAMETOOLONG stat "$mnt/${long}n"
for name in "${names[@]}"; do rm -- "$mnt/$name"; done
same "what is left" "" "$(ls -A "$mnt")"

step "names beside a folder that sort around its children"
mkdir "$mnt/a"
touch "$mnt/a/x" "$mnt/a-" "$mnt/a0" "$mnt/a!" "$mnt/a.b" "$mnt/ab" "$mnt/a~"
mkdir "$mnt/a "
touch "$mnt/a /y"
beside=$'a\na \na!\na-\na.b\na0\nab\na~'
same "names" "$beside" "$(ls -U "$mnt" | sort)"
same "children of a" x "$(ls "$mnt/a")"
remounted
same "names" "$beside" "$(ls -U "$mnt" | sort)"
same "nodes" 11 "$(find "$mnt" | wc -l)"
mv "$mnt/a" "$mnt/b"
same "names" "${beside#*$'\n'}"$'\nb' "$(ls -U "$mnt" | sort)"
rm -r "$mnt/b"
same "names" "${beside#*$'\n'}" "$(ls -U "$mnt" | sort)"
same "children of 'a '" y "$(ls "$mnt/a ")"
rm -rf "${mnt:?}"/*

step "the trap: docs, docs-archive, docs.txt"
plant() {
  mkdir -p "$mnt/docs/sub" "$mnt/docs-archive/sub"
  echo in docs >"$mnt/docs/sub/file"
  echo in archive >"$mnt/docs-archive/sub/file"
  echo beside >"$mnt/docs.txt"
}
archive_untouched() {
  same "archive" "in archive" "$(<"$mnt/docs-archive/sub/file")"
  same "docs.txt" "beside" "$(<"$mnt/docs.txt")"
}
plant
mv "$mnt/docs" "$mnt/papers"
archive_untouched
same "names" $'docs-archive\ndocs.txt\npapers' "$(ls "$mnt")"
mv "$mnt/papers" "$mnt/docs"
archive_untouched
rm -r "$mnt/docs"
archive_untouched
same "names" $'docs-archive\ndocs.txt' "$(ls "$mnt")"
unmounted

step "and the same without a mount"
drive_mounted && plant && unmounted
prefixfs mv "$file:/docs" "$file:/papers" >/dev/null
prefixfs rm -r "$file:/papers"
same "names" $'docs-archive\ndocs.txt' "$(prefixfs ls "$file:/")"
same "archive" "in archive" "$(prefixfs cat "$file:/docs-archive/sub/file")"
