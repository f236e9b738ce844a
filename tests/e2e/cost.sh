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

  step "$layout: what the engine did, what the kernel answered alone, what it costs at other prices"
  stat "$mnt/papers/sub/1" >/dev/null
  prefixfs cost --json --prices 2:1:2020-02 "$mnt" -- stat "$mnt/papers/sub/1" >"$scratch/cost.json"
  report=$(sed -n '$p' "$scratch/cost.json")
  same "asked" '{}' "$(jq -c .operations <<<"$report")"
  same "rows" 0 "$(field .engine.total.rows_read "$report")"
  same "answered alone" "$(field .kernel.calls "$report")" "$(field .kernel.answered_alone "$report")"
  (($(field .kernel.calls "$report") > 0)) || die "no system call was seen"
  prefixfs cost --json --prices 2:1:2020-02 "$mnt" -- touch "$mnt/papers/new" >"$scratch/cost.json"
  report=$(sed -n '$p' "$scratch/cost.json")
  (($(field .engine.total.rows_written "$report") > 0)) || die "no row was written"
  (($(field .engine.total.bytes_written "$report") > 0)) || die "no byte was written"
  same "prices" 2020-02 "$(field .usd_prices.as_of "$report")"
  same "dollars" true \
    "$(field '.usd == (.total.write_units * 2 + .total.read_units * 1) / 1000000' "$report")"
  same "floor" true \
    "$(field '.floor_seconds == ([.total.write_units / 1000, .total.read_units / 3000] | max)' "$report")"
  prefixfs cost --json --unfollowed "$mnt" -- true >"$scratch/cost.json"
  same "not followed" null "$(jq .kernel "$scratch/cost.json")"
  refused 2 "prices" "$PREFIXFS" cost --prices cheap "$mnt"
  PREFIXFS_PRICES=3:1:2021-01 prefixfs cost --json "$mnt" >"$scratch/cost.json"
  same "prices by the variable" 3 "$(jq .usd_prices.write_million "$scratch/cost.json")"

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

step "the scripts to copy"
for script in "$source_root"/tests/rename_cost/*.sh; do
  [[ $script == */setup.sh ]] || "$script" "$PREFIXFS"
done
