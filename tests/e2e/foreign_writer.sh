#!/usr/bin/env bash
# What other programs do to the table file while it is mounted is seen on the mount.
source "$(dirname "$0")/fixture.bash"
needs_mount

soon=5  # seconds; changes are looked for several times a second
sql() { sqlite3 -cmd '.timeout 10000' "$file" "$@"; }
is_gone() { [[ ! -e $1 ]]; }
has() { [[ $(cat "$1" 2>/dev/null || true) == "$2" ]]; }

drive_mounted
mkdir -p "$mnt/docs/sub"
echo one >"$mnt/docs/file"
echo below >"$mnt/docs/sub/file"
sync "$mnt/docs/file"
echo new >"$scratch/new"

step "imported: a name that was looked up before it existed"
expect_errno ENOENT stat "$mnt/imported"
expect_errno ENOENT stat "$mnt/docs/imported"
ls "$mnt" "$mnt/docs" >/dev/null
prefixfs import "$scratch/new" "$file:/imported"
prefixfs import "$scratch/new" "$file:/docs/imported"
eventually $soon has "$mnt/imported" new
eventually $soon has "$mnt/docs/imported" new
eventually $soon bash -c 'ls "$1" | grep -qx imported' sh "$mnt/docs"

step "replaced: content that the kernel has read"
same "content" new "$(<"$mnt/imported")"
echo newer >"$scratch/new"
prefixfs import --force "$scratch/new" "$file:/imported"
eventually $soon has "$mnt/imported" newer

step "moved"
prefixfs mv "$file:/docs" "$file:/papers" >/dev/null
eventually $soon has "$mnt/papers/sub/file" below
eventually $soon is_gone "$mnt/docs"
same "listing" $'imported\npapers' "$(ls "$mnt")"
echo two >"$mnt/papers/second" # and it can be worked in
same "listing" $'file\nimported\nsecond\nsub' "$(ls "$mnt/papers")"

step "removed"
prefixfs rm -r "$file:/papers/sub"
eventually $soon is_gone "$mnt/papers/sub"
expect_errno ENOENT cat "$mnt/papers/sub/file"

step "written by SQL"
stat "$mnt/imported" >/dev/null
sql "UPDATE item SET attrs = json_set(attrs, '$.mode', 384) \
     WHERE pk = 'DRIVE#home' AND sk = 'PATH#/imported'"
mode_is() { [[ $(stat -c %a "$1") == "$2" ]]; }
eventually $soon mode_is "$mnt/imported" 600
expect_errno ENOENT stat "$mnt/inserted"
# Nothing but what an item must have.
sql "INSERT INTO item VALUES ('DRIVE#home', 'PATH#/inserted', \
     '{\"kind\":\"folder\",\"sizeBytes\":0,\"owner\":\"root\"}')"
eventually $soon test -d "$mnt/inserted"
echo inside >"$mnt/inserted/file"
same "listing" file "$(ls "$mnt/inserted")"
sql "DELETE FROM item WHERE pk = 'DRIVE#home' AND sk = 'PATH#/papers/second'"
eventually $soon is_gone "$mnt/papers/second"

step "an item that can be no node hides nothing"
sql "INSERT INTO item VALUES ('DRIVE#home', 'PATH#/papers/broken', '{\"kind\":\"nonsense\"}')"
sql "INSERT INTO item VALUES ('DRIVE#home', 'PATH#/papers/damaged', 'no json')"
sql "INSERT INTO item VALUES ('DRIVE#home', 'PATH#/no/such/parent', \
     '{\"kind\":\"file\",\"sizeBytes\":0,\"owner\":\"root\"}')"
papers_are() { [[ $(ls "$mnt/papers") == "$1" ]]; }
eventually $soon papers_are $'file\nimported'
same "listing" $'imported\ninserted\npapers' "$(ls "$mnt")"
expect_errno EIO,ENOENT stat "$mnt/papers/broken"

step "while the mount is writing, too"
for i in {1..40}; do echo "$i" >"$mnt/inserted/$i"; done &
for i in {1..10}; do prefixfs import "$scratch/new" "$file:/papers/import $i"; done
wait $!
eventually $soon has "$mnt/papers/import 10" newer
same "files of the mount" 41 "$(ls "$mnt/inserted" | wc -l)"
same "files of the imports" 10 "$(ls "$mnt/papers" | grep -c 'import ')"
unmounted
same "integrity" ok "$(sql 'PRAGMA integrity_check')"
