#!/usr/bin/env bash
# What reading a tree costs, exactly: a branch is one run of keys, a listing hops over what lies
# below the children.
source "$(dirname "$0")/fixture.bash"

# cost COMMAND...: the line that --cost gives
cost() { prefixfs "$@" --cost 2>&1 >/dev/null | sed -n 's/^cost: //p'; }
number() { # number BEFORE TEXT: the number in TEXT that stands before the word
  [[ $2 =~ ([0-9,.]+)\ $1 ]] || die "no $1 in: $2"
  echo "${BASH_REMATCH[1]//,/}"
}

step "a tree of 10,000 nodes"
tree=$scratch/tree
for ((i = 0; i < 100; ++i)); do
  mkdir -p "$tree/folder$i/sub"
  (cd "$tree/folder$i/sub" && seq 1 98 | xargs touch)
done
prefixfs mkfs "$file" >/dev/null
prefixfs import "$tree" "$file:/tree"
prefixfs import "$tree/folder0" "$file:/tree-archive"
same "nodes" 10001 "$(prefixfs find "$file:/tree" | wc -l)"

step "the branch is one read, page by page"
line=$(cost find "$file:/tree")
echo "$line"
bytes=$(query_json 'DRIVE#home' --begins-with 'PATH#/tree/' | wc -l)
same "items below" 10000 "$bytes"
pages=$(prefixfs query "$file" 'DRIVE#home' --begins-with 'PATH#/tree/' --all | tail -1)
same "gets" 1 "$(number 'get' "$line")"
same "items read" 10000 "$(number 'items? read' "$line")"
same "pages, as many as a Query of the branch has" \
  "$(number 'pages?,' "$pages")" "$(number 'pages?' "$line")"
at_most "pages" 3 "$(number 'pages?' "$line")"
# The get of the folder is half a unit more.
same "read units" "$(jq -n "$(number 'read units' "$pages") + 0.5")" "$(number 'read units' "$line")"
same "nothing else" "$((1 + $(number 'pages?' "$line")))" "$(number 'requests' "$line")"

step "du, and removing, read the same run"
same "cost of du" "$line" "$(cost du -s "$file:/tree")"

step "a listing costs by its children, not by what lies below them"
line=$(cost ls "$file:/tree")
echo "$line"
at_most "requests" 105 "$(number 'requests' "$line")" # one hop a child, the get, the start
at_most "items read" 2000 "$(number 'items? read' "$line")"
small=$(cost ls "$file:/tree/folder0")
for ((i = 100; i < 1000; i += 100)); do
  (cd "$tree/folder0/sub" && seq $((i)) $((i + 99)) | xargs touch)
done
prefixfs import "$tree/folder0/sub/." "$file:/tree/folder0/sub" 2>/dev/null || true
at_least "nodes below" 900 "$(prefixfs find "$file:/tree/folder0" | wc -l)"
same "cost with ten times as much below" "$small" "$(cost ls "$file:/tree/folder0")"

step "a lookup is a get"
line=$(cost ls "$file:/tree/folder0/sub/1")
same "a file" "1 request: 1 get; 0.5 read units" "$line"

step "a rename rewrites every key, and says so"
report=$(prefixfs mv --json "$file:/tree-archive" "$file:/moved")
same "items, puts, deletes" "[100,100,100]" "$(jq -c '[.items, .puts, .deletes]' <<<"$report")"
same "write units" 200 "$(jq .write_units <<<"$report")"
same "in transactions" 400 "$(jq .write_units_transactional <<<"$report")"
same "calls" "[8,2]" "$(jq -c '[.batch_calls, .transact_calls]' <<<"$report")"
same "atomic there" false "$(jq .atomic_on_dynamodb <<<"$report")"
same "nodes moved" 100 "$(prefixfs find "$file:/moved" | wc -l)"
