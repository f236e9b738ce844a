#!/usr/bin/env bash
# The instrument on a mount: the cost command, the control files, the trace, the limit on renames, and
# a prediction that is the fact, on each layout.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs jq

for layout in path node adjacency; do
  step "$layout"
  rm -f "$file"
  prefixfs mkfs "$file" --layout $layout >/dev/null
  drive_mounted
  mkdir -p "$mnt/docs/sub" "$mnt/docs-archive"
  for i in {1..99}; do echo "$i" >"$mnt/docs/sub/$i"; done
  touch "$mnt/docs-archive/old"
  sync "$mnt/docs"

  # 101 nodes move in the layout path, one in the others.
  case $layout in
    path) items=101 puts=101 deletes=101 write_units=202 ;;
    node) items=1 puts=2 deletes=1 write_units=3 ;;
    adjacency) items=1 puts=1 deletes=1 write_units=2 ;;
  esac
  predicted=$(prefixfs mv --dry-run --json "$file:/docs" /papers)
  prefixfs cost --json "$mnt" -- mv "$mnt/docs" "$mnt/papers" >"$scratch/cost.json"
  told=$(tail -1 "$mnt/.prefixfs/renames")

  field() { jq -r "$1" <<<"$2"; }
  same "items" $items "$(field .items "$told")"
  same "puts" $puts "$(field .puts "$told")"
  same "deletes" $deletes "$(field .deletes "$told")"
  same "write units" $write_units "$(field .write_units "$told")"
  same "layout" $layout "$(field .layout "$told")"
  same "prediction" "$(field 'del(.seconds)' "$told")" \
    "$(field 'del(.keys_over_limit, .some_over_limit)' "$predicted")"
  # The folder around it is one more update.
  rename=$(jq .operations.rename "$scratch/cost.json")
  same "calls" 1 "$(field .calls "$rename")"
  same "puts counted" $puts "$(field .puts "$rename")"
  same "updates counted" 1 "$(field .updates "$rename")"
  same "write units counted" $((write_units + 1)) "$(field .write_units "$rename")"
  same "total" $((write_units + 1)) "$(jq .total.write_units "$scratch/cost.json")"
  [[ -e $mnt/docs-archive/old && ! -e $mnt/docs ]] || die "the rename took the wrong folder"

  step "$layout: the command's exit status and output are its own"
  status=0
  out=$(prefixfs cost "$mnt" -- sh -c 'echo said; exit 7' 2>"$scratch/err") || status=$?
  same "exit status" 7 $status
  same "output" said "$out"
  matches "figures" 'total' "$(<"$scratch/err")"
  status=0
  prefixfs cost "$mnt" -- "$scratch/no-such-command" 2>/dev/null || status=$?
  same "exit status of no command" 127 $status

  step "$layout: counting anew"
  prefixfs cost --reset "$mnt" >/dev/null
  same "operations" '{}' "$(jq -c .operations "$mnt/.prefixfs/cost")"
  same "not listed" "docs-archive papers" "$(echo $(ls -A "$mnt"))"
  expect_errno EEXIST mkdir "$mnt/.prefixfs"
  refused 1 "not in a mounted drive" "$PREFIXFS" cost "$scratch"
  unmounted
done

step "a limit on renames"
rm -f "$file"
drive_mounted -o rename-limit=10
mkdir "$mnt/docs"
for i in {1..11}; do touch "$mnt/docs/$i"; done
if mv -T "$mnt/docs" "$mnt/papers" 2>"$scratch/err"; then die "11 nodes moved over a limit of 10"; fi
matches "why" 'Argument list too long' "$(<"$scratch/err")"
same "still there" 11 "$(ls "$mnt/docs" | wc -l)"
rm "$mnt/docs/1"
mv "$mnt/docs" "$mnt/papers"
unmounted

step "a trace"
drive_mounted --trace -o "log=$scratch/trace"
cat "$mnt/papers/2"
ls "$mnt/papers" >/dev/null
unmounted
matches "lookup" 'lookup +/papers +GetItem DRIVE#home PATH#/papers +0\.5 RU' "$(<"$scratch/trace")"
matches "readdir" 'readdir +/papers +Query DRIVE#home begins_with PATH#/papers/ +10 items, 0 hops' \
  "$(<"$scratch/trace")"

step "the script to copy"
"$source_root/tests/rename_cost/folder_of_1000.sh" "$PREFIXFS"
