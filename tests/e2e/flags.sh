#!/usr/bin/env bash
# The feature flags as files: with the shell's own tools, beside other writers, and what it costs.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs jq

prefixfs demo "$file" >/dev/null
prefixfs mount "$file" "$mnt" --flags

step "environments are folders, flags are files"
same "environments" $'dev\nprod\nstaging' "$(ls "$mnt")"
same "flags" 7 "$(ls "$mnt/prod" | wc -l)"
same "value" false "$(<"$mnt/prod/dark-mode")"
same "grep" $'dev/dark-mode\ndev/limits\ndev/new-search\nstaging/dark-mode\nstaging/limits' \
  "$(cd "$mnt" && grep -rl true . | sed 's|^\./||' | sort)"

step "cost: ls is a Query, cat a GetItem"
total() {
  prefixfs cost --json --reset --unfollowed "$mnt" -- "$@" | sed -n '$p' |
    jq -c '.total | [.gets, .queries]'
}
ls "$mnt/prod" >/dev/null
same "ls" '[0,1]' "$(total ls "$mnt/prod")"
prefixfs flags set "$file" prod page-size 51
ls -d "$mnt/prod" >/dev/null
same "cat" '[1,0]' "$(total cat "$mnt/prod/page-size")"

step "written"
echo true >"$mnt/prod/dark-mode"
same "value" true "$(prefixfs flags get "$file" prod dark-mode)"
same "by whom" "$(id -un)" \
  "$(prefixfs flags get --json "$file" prod dark-mode | jq -r .updatedBy)"
if (echo maybe >"$mnt/prod/dark-mode") 2>"$scratch/err"; then die "maybe is no bool"; fi
matches "why" 'Invalid argument' "$(<"$scratch/err")"
same "old value" true "$(<"$mnt/prod/dark-mode")"
sed -i s/51/52/ "$mnt/prod/page-size"
same "saved by rename" '{"value":"52","type":"int","updatedBy":"'"$(id -un)"'"}' \
  "$(prefixfs flags get --json "$file" prod page-size)"

step "seen at once: the command, and sqlite3"
for value in 1 22 33 4; do
  prefixfs flags set "$file" prod max-uploads $value
  same "value" $value "$(<"$mnt/prod/max-uploads")"
done
for value in true false true; do
  sqlite3 -cmd '.timeout 10000' "$file" "UPDATE item SET attrs = json_set(attrs, '\$.value', '$value') \
    WHERE pk = 'ENV#prod' AND sk = 'FLAG#new-search'"
  same "value" $value "$(<"$mnt/prod/new-search")"
done
prefixfs flags unset "$file" prod banner
expect_errno ENOENT cat "$mnt/prod/banner"

step "environments"
mkdir "$mnt/qa"
cp "$mnt"/prod/* "$mnt/qa"
same "copied" "$(<"$mnt/prod/limits")" "$(<"$mnt/qa/limits")"
mv "$mnt/qa" "$mnt/test"
rm -r "$mnt/test"
same "environments" $'dev\nprod\nstaging' "$(ls "$mnt")"
expect_errno EPERM touch "$mnt/file"
expect_errno EPERM mkdir "$mnt/prod/folder"
expect_errno ENOTEMPTY rmdir "$mnt/prod"
unmounted
same "kept" 52 "$(prefixfs flags get "$file" prod page-size)"
