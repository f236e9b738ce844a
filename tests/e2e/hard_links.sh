#!/usr/bin/env bash
# Files with several names, on every layout: the same node wherever its names go, counted rightly
# everywhere, there until the last name goes, also through a crash and into another layout.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs git

# one_file LINKS PATH...: names of one file, of which there are so many
one_file() {
  local links=$1 path id
  shift
  id=$(stat -c %i "$1")
  for path in "$@"; do
    same "$path" "$links $id" "$(stat -c '%h %i' "$path")"
    same "$path in its folder" "$id $(basename "$path")" \
      "$(ls -1iA "$(dirname "$path")" | sed 's/^ *//' | grep -x "[0-9]* $(basename "$path")")"
  done
}
settle() { "$clients/posix_call" fsync "$mnt"; }
daemon_pid() { daemons | head -1; }

for layout in path node adjacency; do
  step "layout $layout: names across folders"
  rm -f "$file"
  prefixfs mkfs "$file" --layout "$layout" >/dev/null
  drive_mounted
  mkdir -p "$mnt/one/deep" "$mnt/two"
  echo content >"$mnt/one/deep/a"
  ln "$mnt/one/deep/a" "$mnt/two/b"
  ln "$mnt/two/b" "$mnt/c"
  one_file 3 "$mnt/one/deep/a" "$mnt/two/b" "$mnt/c"
  echo more >>"$mnt/two/b"
  chmod 600 "$mnt/c"
  same "content" $'content\nmore' "$(<"$mnt/one/deep/a")"
  same "mode" 600 "$(stat -c %a "$mnt/one/deep/a")"
  expect_errno EPERM "$clients/posix_call" link "$mnt/one" "$mnt/folder"
  expect_errno EXDEV "$clients/posix_call" link "$mnt/c" "$scratch/outside"
  expect_errno EEXIST "$clients/posix_call" link "$mnt/c" "$mnt/two/b"

  step "layout $layout: renamed, they stay names of it"
  mv "$mnt/one" "$mnt/uno"
  mv "$mnt/two/b" "$mnt/uno/b"
  mv "$mnt/two" "$mnt/uno/due"
  echo again >>"$mnt/uno/b"
  one_file 3 "$mnt/uno/deep/a" "$mnt/uno/b" "$mnt/c"
  "$clients/posix_call" rename "$mnt/c" "$mnt/uno/b"
  one_file 3 "$mnt/uno/deep/a" "$mnt/uno/b" "$mnt/c"
  echo other >"$mnt/other"
  "$clients/posix_call" rename "$mnt/other" "$mnt/c" exchange
  one_file 3 "$mnt/uno/deep/a" "$mnt/uno/b" "$mnt/other"
  mv "$mnt/c" "$mnt/uno/b"
  one_file 2 "$mnt/uno/deep/a" "$mnt/other"
  remounted
  one_file 2 "$mnt/uno/deep/a" "$mnt/other"
  same "content" $'content\nmore\nagain' "$(<"$mnt/other")"
  rm "$mnt/other"
  one_file 1 "$mnt/uno/deep/a"
  same "content" $'content\nmore\nagain' "$(<"$mnt/uno/deep/a")"

  step "layout $layout: symlinks and fifos"
  ln -s target "$mnt/s" && ln -P "$mnt/s" "$mnt/s2"
  mkfifo "$mnt/f" && ln "$mnt/f" "$mnt/f2"
  one_file 2 "$mnt/s" "$mnt/s2"
  one_file 2 "$mnt/f" "$mnt/f2"
  rm "$mnt/s" "$mnt/f"
  same "target" target "$(readlink "$mnt/s2")"

  step "layout $layout: killed, with a file whose last name is gone"
  head -c 300000 /dev/urandom >"$mnt/nameless"
  ln "$mnt/nameless" "$mnt/nameless2"
  ln "$mnt/uno/deep/a" "$mnt/kept"
  exec 8<"$mnt/nameless"
  rm "$mnt/nameless"
  settle
  same "through the descriptor" 1 "$(stat -Lc %h "/proc/self/fd/8")"
  rm "$mnt/nameless2"
  settle
  kill -9 "$(daemon_pid)"
  exec 8<&-
  drive_mounted
  one_file 2 "$mnt/uno/deep/a" "$mnt/kept"
  unmounted
  same "blocks" 2 "$(prefixfs info --json "$file" | jq .blocks)"

  step "layout $layout: copied in and out"
  mkdir -p "$scratch/tree/sub"
  head -c 100000 /dev/urandom >"$scratch/tree/x"
  ln "$scratch/tree/x" "$scratch/tree/sub/y"
  ln "$scratch/tree/x" "$scratch/tree/sub/z"
  prefixfs import "$scratch/tree" "$file:/tree"
  prefixfs export "$file:/tree" "$scratch/back"
  one_file 3 "$scratch/back/x" "$scratch/back/sub/y" "$scratch/back/sub/z"
  same "links" 3 "$(prefixfs stat --json "$file:/tree/sub/z" | jq .links)"
  same "links as ls lists them" $'3\n3' "$(prefixfs ls -l "$file:/tree/sub" | awk '{print $2}')"
  same "KiB" 98 "$(prefixfs du -s "$file:/tree" | cut -f1)"
  drive_mounted
  same "bytes counted through the mount" 100000 "$(du -s --apparent-size -B1 "$mnt/tree" | cut -f1)"
  cp -a "$mnt/tree" "$mnt/copy"
  one_file 3 "$mnt/copy/x" "$mnt/copy/sub/y" "$mnt/copy/sub/z"
  cp -al "$mnt/tree" "$mnt/linked"
  one_file 6 "$mnt/tree/x" "$mnt/linked/sub/y"
  rm -r "$mnt/tree"
  one_file 3 "$mnt/linked/x" "$mnt/linked/sub/y" "$mnt/linked/sub/z"
  cmp "$mnt/linked/sub/z" "$scratch/tree/x"

  step "layout $layout: git links what it clones"
  (
    export HOME=$scratch GIT_CONFIG_NOSYSTEM=1
    git init -q "$mnt/repo"
    git -C "$mnt/repo" -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
    git clone -q "$mnt/repo" "$mnt/clone"
    git -C "$mnt/clone" fsck --strict >/dev/null
  )
  object=$(cd "$mnt/clone/.git/objects" && find ?? -type f | head -1)
  one_file 2 "$mnt/repo/.git/objects/$object" "$mnt/clone/.git/objects/$object"
  unmounted

  step "layout $layout: into the other layouts and back"
  prefixfs find "$file:/" | sort >"$scratch/before"
  for to in path node adjacency; do
    if [[ $to == "$layout" ]]; then continue; fi
    prefixfs convert "$file" --to "$to" >/dev/null
    same "links" 3 "$(prefixfs stat --json "$file:/linked/x" | jq .links)"
  done
  prefixfs convert "$file" --to "$layout" >/dev/null
  prefixfs find "$file:/" | sort >"$scratch/after"
  same_files "the tree" "$scratch/before" "$scratch/after"
  drive_mounted
  one_file 3 "$mnt/linked/x" "$mnt/linked/sub/y" "$mnt/linked/sub/z"
  unmounted
  rm -r "$scratch/tree" "$scratch/back"
done
