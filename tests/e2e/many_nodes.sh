#!/usr/bin/env bash
# 100,000 nodes in one folder and folders nested 100 deep list, stat and rename right.
source "$(dirname "$0")/fixture.bash"
needs_mount

many=100000
drive_mounted

step "$many files in one folder"
mkdir "$mnt/many"
(cd "$mnt/many" && seq -f 'f%06.0f' 1 $many | xargs touch)
same "names" $many "$(ls -U "$mnt/many" | wc -l)"
same "sorted names" "$(seq -f 'f%06.0f' 1 $many | md5sum)" "$(ls "$mnt/many" | md5sum)"
same "names by find" $((many + 1)) "$(find "$mnt/many" | wc -l)"
for name in f000001 f050000 f100000; do
  same "kind of $name" "regular empty file" "$(stat -c %F "$mnt/many/$name")"
done
expect_errno ENOENT stat "$mnt/many/f100001"
expect_errno ENOENT stat "$mnt/many/f00000"
echo content >"$mnt/many/f099999"

step "the folder renamed"
id=$(stat -c %i "$mnt/many/f099999")
mv "$mnt/many" "$mnt/plenty"
expect_errno ENOENT stat "$mnt/many"
expect_errno ENOENT stat "$mnt/many/f000001"
same "names" $many "$(ls -U "$mnt/plenty" | wc -l)"
same "content" content "$(<"$mnt/plenty/f099999")"
same "inode number" "$id" "$(stat -c %i "$mnt/plenty/f099999")"
mv "$mnt/plenty/f000001" "$mnt/plenty/g"
expect_errno ENOENT stat "$mnt/plenty/f000001"
same "names" $many "$(ls -U "$mnt/plenty" | wc -l)"

step "folders 100 deep"
path=$mnt/chain
for ((i = 1; i <= 100; ++i)); do path+=/level$i; done
mkdir -p "$path"
echo deep >"$path/file"
same "nodes" 102 "$(find "$mnt/chain" | wc -l)"
same "deepest" "$path/file" "$(find "$mnt/chain" -name file)"
mv "$mnt/chain/level1/level2" "$mnt/short"
same "nodes left" 2 "$(find "$mnt/chain" | wc -l)"
same "nodes moved" 100 "$(find "$mnt/short" | wc -l)"
same "content" deep "$(<"$mnt/short${path#*/level2}/file")"
expect_errno ENOENT stat "$path"
expect_errno EINVAL "$clients/posix_call" rename "$mnt/short" "$mnt/short/level3/level4/below"

step "all of it once more by another mount, and counted in the table"
remounted
same "names" $many "$(ls -U "$mnt/plenty" | wc -l)"
same "nodes moved" 100 "$(find "$mnt/short" | wc -l)"
same "content" content "$(<"$mnt/plenty/f099999")"
unmounted
# plenty and its children, chain and level1, short with 98 folders and a file, the root
same "nodes" $((1 + many + 2 + 100 + 1)) \
  "$(prefixfs info --json "$file" | jq '.drives[0].nodes')"

step "removed"
drive_mounted
rm -rf "$mnt/plenty" "$mnt/chain" "$mnt/short"
unmounted
same "nodes" 1 "$(prefixfs info --json "$file" | jq '.drives[0].nodes')"
same "blocks" 0 "$(prefixfs info --json "$file" | jq '.blocks')"
