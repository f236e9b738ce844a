#!/usr/bin/env bash
# A tree imported without a mount is the tree that cp -a makes on one, item by item.
source "$(dirname "$0")/fixture.bash"
needs_mount

step "a tree with one of everything"
tree=$scratch/tree
mkdir -p "$tree/deep/er" "$tree/empty" "$tree/a b"
cp -a /usr/include/c++ "$tree/headers"
: >"$tree/empty file"
head -c 65536 /dev/urandom >"$tree/one block"
head -c 65537 /dev/urandom >"$tree/one block and a byte"
head -c 300000 /dev/urandom >"$tree/deep/er/several"
truncate -s 1M "$tree/sparse"
printf x | dd of="$tree/sparse" bs=1 seek=500000 conv=notrunc status=none
truncate -s 200000 "$tree/nothing but a hole"
ln -s "deep/er" "$tree/link"
ln -s "no such thing" "$tree/dangling"
ln -s "$(printf 'odd\ntarget \377')" "$tree/odd link"
: >"$tree/$(printf 'new\nline')"
: >"$tree/$(printf 'caf\303\251')"
: >"$tree/$(printf 'latin caf\351')"
: >"$tree/a-" && : >"$tree/a0" && : >"$tree/a b/c"
chmod 4755 "$tree/one block"
chmod 2775 "$tree/deep"
chmod 1777 "$tree/empty"
chmod 000 "$tree/empty file"
if [[ $(id -u) == 0 ]]; then
  chown 1:1 "$tree/a b/c"
  chown 4321:4321 "$tree/a-" # nobody has these numbers
  chown -h 1:1 "$tree/link"
fi
touch -d '1965-03-04 05:06:07.123456789' "$tree/a0"
touch -d '2100-01-01 00:00:00.000000001' "$tree/deep/er"
touch -h -d '2001-02-03 04:05:06.5' "$tree/dangling"
touch -d '2001-02-03 04:05:06.789' "$tree"

step "imported, and copied onto a mount"
prefixfs mkfs "$file" >/dev/null
prefixfs import "$tree" "$file:/imported" || die "import: exit status $?"
drive_mounted
cp -a "$tree" "$mnt/copied"
unmounted

step "the same items"
# What each node has of its own, a number and the times at which it was made, is left out.
items() {
  query_json 'DRIVE#home' --begins-with "PATH#/$1/" |
    jq -cS --arg top "PATH#/$1" '.sk.S |= ltrimstr($top) | del(.id, .ctime, .btime, .atime)'
}
items imported >"$scratch/imported.json"
items copied >"$scratch/copied.json"
same "how many" "$(find "$tree" -mindepth 1 -printf x | wc -c)" "$(wc -l <"$scratch/imported.json")"
same_files "items" "$scratch/copied.json" "$scratch/imported.json"
jq_top='del(.id, .ctime, .btime, .atime, .sk)'
same "the item of the top" "$(attributes /copied | jq -cS "$jq_top")" \
  "$(attributes /imported | jq -cS "$jq_top")"

step "the same on the mount, and exported again"
# The sizes of folders are each file system's own affair.
attributes_but_folders() { find . -mindepth 1 \( -type d -printf '%P d %m %u:%g %t\n' -o \
  -printf '%P %y %m %U:%G %s %t %l\n' \) | sort; }
drive_mounted
same_in "$tree" "$mnt/imported" attributes_but_folders
diff -r --no-dereference "$tree" "$mnt/imported"
at_most "KiB stored of the sparse file" 64 "$(du -k "$mnt/imported/sparse" | cut -f 1)"
unmounted
prefixfs export "$file:/copied" "$scratch/exported" || die "export: exit status $?"
same_in "$tree" "$scratch/exported" attributes_but_folders
diff -r --no-dereference "$tree" "$scratch/exported"
