#!/usr/bin/env bash
# What people do with a folder of files works on a mount: copying trees in, git, renaming, removing.
source "$(dirname "$0")/fixture.bash"
needs_mount

# Everything that `ls -lR` shows but for what is each file system's own affair: the room that files
# and folders take ("total", the size of a folder), and the width of columns that follows from it.
listing() {
  ls -lR --time-style=full-iso . | awk '/^total / { next } /^d/ { $5 = "-" } { $1 = $1; print }'
}
# For the same reason `du` agrees about what is not a folder, by length.
lengths() { find . ! -type d -print0 | du --files0-from=- --apparent-size -bc | sort -k 2; }
names() { find . | sort; }

agrees() {
  diff -r --no-dereference "$1" "$2" || die "$2 is not what $1 is"
  same_in "$1" "$2" names
  same_in "$1" "$2" lengths
  same_in "$1" "$2" listing
}

step "a tree of headers"
drive_mounted
# No links: some lead out of the tree.
cp -a /usr/include "$scratch/include"
cp -a "$scratch/include" "$mnt/include"
at_least "files copied" 500 "$(find "$mnt/include" -type f | wc -l)"
agrees "$scratch/include" "$mnt/include"

step "a repository of thousands of files"
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1
git config --global user.name tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main
git config --global gc.autoDetach false
git config --global advice.detachedHead false

make_repository() {
  git init -q "$1"
  local i
  for ((i = 0; i < 3000; ++i)); do
    local folder="$1/part$((i % 40))/$((i % 7))"
    if ((i < 280)); then mkdir -p "$folder"; fi
    printf 'file %d\n%0*d\n' "$i" $((i % 2000)) "$i" >"$folder/file $i.txt"
  done
  ln -s part1/1 "$1/link"
  printf '#!/bin/sh\n' >"$1/tool.sh"
  chmod +x "$1/tool.sh"
  git -C "$1" add -A
  git -C "$1" commit -q -m first
  git -C "$1" checkout -q -b other
  git -C "$1" mv part2 "renamed part"
  git -C "$1" commit -q -m "a folder renamed"
  git -C "$1" checkout -q main
  for ((i = 0; i < 3000; i += 15)); do
    echo more >>"$1/part$((i % 40))/$((i % 7))/file $i.txt"
  done
  git -C "$1" commit -q -a -m "200 files changed"
  git -C "$1" merge -q -m merged other
}
make_repository "$scratch/repo"
cp -a "$scratch/repo" "$mnt/repo"
agrees "$scratch/repo" "$mnt/repo"
git -C "$mnt/repo" fsck --strict --no-progress
same "git status" "" "$(git -C "$mnt/repo" status --porcelain)"

step "git at work on the mount"
git -C "$mnt/repo" checkout -q other
git -C "$mnt/repo" checkout -q -f main
git -C "$mnt/repo" gc -q --prune=now
git -C "$mnt/repo" fsck --strict --no-progress
same "git status" "" "$(git -C "$mnt/repo" status --porcelain)"
same "git log" "$(git -C "$scratch/repo" log --format=%H)" "$(git -C "$mnt/repo" log --format=%H)"
git clone -q "$mnt/repo" "$mnt/clone"
diff -r --no-dereference --exclude .git "$mnt/repo" "$mnt/clone"
rm -rf "$mnt/clone"

step "the folder renamed, then all of it seen again by another mount"
rm -rf "$scratch/repo" && cp -a "$mnt/repo" "$scratch/repo"  # as git left it
mv "$mnt/repo" "$mnt/moved"
mkdir "$mnt/deeper"
mv "$mnt/include" "$mnt/deeper/include"
agrees "$scratch/repo" "$mnt/moved"
remounted
agrees "$scratch/repo" "$mnt/moved"
agrees "$scratch/include" "$mnt/deeper/include"
git -C "$mnt/moved" fsck --strict --no-progress
same "git status" "" "$(git -C "$mnt/moved" status --porcelain)"
unmounted

step "removed, written again: the file does not grow"
full=$(stat -c %s "$file")
drive_mounted
rm -rf "$mnt/moved" "$mnt/deeper"
same "what is left" "" "$(ls -A "$mnt")"
unmounted
drive_mounted
cp -a "$scratch/repo" "$mnt/moved"
cp -a "$scratch/include" "$mnt/include"
agrees "$scratch/include" "$mnt/include"
unmounted
at_most "size of the table file" $((full + full / 10)) "$(stat -c %s "$file")"
