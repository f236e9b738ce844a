#!/usr/bin/env bash
# Every command that needs no mount: what it answers, how it fails, what it writes for scripts.
source "$(dirname "$0")/fixture.bash"
cd "$scratch"
demo=demo.db

# says STATUS: exit status of a command, standard output in $out, standard error in $err
says() {
  local expected=$1 got=0
  shift
  prefixfs "$@" >out 2>err || got=$?
  out=$(<out)
  err=$(<err)
  same "exit status of $*" "$expected" "$got"
}

step "help and wrong use"
says 0 --help
for command in mkfs convert demo mount umount ls tree stat cat find du import export mv rm compare flags get query scan put update delete batch-get batch-write transact info; do
  matches "the list of commands" "$command" "$out"
  (
    says 0 $command --help
    matches "help of $command" "Usage: prefixfs $command" "$out"
    matches "help of $command" "xample" "$out"
    same "standard error" "" "$err"
  )
  # compare is the one that can do without arguments.
  [[ $command == compare ]] || refused 2 "^prefixfs: $command: " "$PREFIXFS" $command
  refused 2 "^prefixfs: $command: " "$PREFIXFS" $command --no-such-option x y
done
says 0 --version
matches "version" '^prefixfs [0-9.]+$' "$out"
refused 2 '^prefixfs: ' "$PREFIXFS"
refused 2 '^prefixfs: frobnicate: ' "$PREFIXFS" frobnicate

step "mkfs"
says 0 mkfs new.db
says 1 mkfs new.db
matches "there already" '^prefixfs: new.db: .*there already' "$err"
says 0 mkfs new.db --drive work
says 2 mkfs new.db --drive 'no#name'
says 1 ls new.db:/ --drive other
matches "names the drives" 'home.*work' "$err"
says 1 ls absent.db:/
matches "an absent file" '^prefixfs: absent.db' "$err"
[[ ! -e absent.db ]] || die "a command that reads made a file"
echo text >text
says 1 ls text:/
matches "a file of another kind" '^prefixfs: text: not a table file' "$err"
same "the file" text "$(<text)"
sqlite3 other.db 'CREATE TABLE t(x)'
says 1 mkfs other.db
matches "a database of others" '^prefixfs: other.db: ' "$err"

step "demo: the order, and the trap"
says 0 demo $demo
same "files" $demo "$(ls $demo*)"
says 1 demo $demo
says 0 ls $demo:/
for name in docs docs-archive docs.txt photos photos-archive; do
  matches "ls" "(^|"$'\n'")$name("$'\n'"|\$)" "$out"
done
prefixfs query $demo 'DRIVE#home' --begins-with 'PATH#/docs' >trap.out 2>trap.err
matches "the trap is named" '^prefixfs: PATH#/docs: also returns /docs-archive and 4 items below it, /docs.txt: end the prefix in /' \
  "$(<trap.err)"
paths=$(sed -n 's/^PATH#\([^ ]*\).*/\1/p' trap.out)
same "in the order of keys" "$(sort <<<"$paths")" "$paths"
same "archive lies between" $'/docs\n/docs-archive' "$(head -2 <<<"$paths")"
says 0 query $demo 'DRIVE#home' --begins-with 'PATH#/docs/'
same "no trap" "" "$err"
[[ $out != *archive* ]] || die "PATH#/docs/ returns the archive"
same "environments are partitions" 0 \
  "$(prefixfs query $demo 'ENV#prod' --json | jq '[.Items[] | select(.pk.S != "ENV#prod")] | length')"
for environment in dev staging prod; do
  at_least "flags of $environment" 6 "$(prefixfs query $demo "ENV#$environment" --json | jq .Count)"
done

step "query"
query() { prefixfs query $demo 'DRIVE#home' "$@" --json 2>/dev/null; }
keys() { jq -r '.Items[].sk.S'; }
same "eq" 'PATH#/docs' "$(query --eq 'PATH#/docs' | keys)"
same "between" $'PATH#/docs\nPATH#/docs-archive' \
  "$(query --between 'PATH#/docs' 'PATH#/docs-archive' | keys)"
same "reverse" "$(query | keys | tac)" "$(query --reverse | keys)"
first=$(query --limit 2)
same "a page of two" 2 "$(jq '.Items | length' <<<"$first")"
last=$(jq -r .LastEvaluatedKey.sk.S <<<"$first")
same "the page after it" "$(query | keys | sed -n 3,4p)" "$(query --limit 2 --start "$last" | keys)"
same "the last page has no LastEvaluatedKey" null "$(query | jq .LastEvaluatedKey)"
same "all pages, too" "$(query | keys)" "$(query --limit 2 --all | keys)"
same "counts" "$(query | jq '.Items | length')" "$(query | jq .Count)"
same "eventually" 0.5 "$(query --limit 2 | jq .ConsumedCapacity.CapacityUnits)"
same "strongly" 1 "$(query --limit 2 --consistent | jq .ConsumedCapacity.CapacityUnits)"
says 0 query $demo 'DRIVE#none'
matches "nothing" '^0 items' "$out"
refused 2 '^prefixfs: ' "$PREFIXFS" query $demo 'DRIVE#home' --eq a --lt b

step "raw operations"
demo_copy=raw.db
prefixfs demo $demo_copy >/dev/null
consumed() { jq "[.ConsumedCapacity] | flatten | .[0].CapacityUnits" <<<"$out"; }
says 0 put $demo_copy p s --item '{"n": {"N": "1"}}' --json
same "put" 1 "$(consumed)"
says 1 put $demo_copy p s --item '{}' --condition-expression 'attribute_not_exists(pk)' --json
matches "its name" '#ConditionalCheckFailedException$' "$(jq -r .__type <<<"$out")"
matches "and on standard error" "^prefixfs: $demo_copy: ConditionalCheckFailedException: " "$err"
says 0 update $demo_copy p s --update-expression 'ADD n :o' \
  --expression-attribute-values '{":o": {"N": "2"}}' --return-values ALL_NEW --json
same "update" 3 "$(jq -r .Attributes.n.N <<<"$out")"
says 0 batch-get $demo_copy p s p none --json
same "batch-get" '1 1' "$(jq ".Responses[\"$demo_copy\"] | length" <<<"$out") $(consumed)"
says 0 transact $demo_copy --json --transact-items \
  '[{"Put": {"Item": {"pk": {"S": "p"}, "sk": {"S": "t"}}}}]'
same "transact" 2 "$(consumed)"
says 0 delete $demo_copy p s --explain
sql=$(sed -n 's/^SQL *//p' <<<"$out")
same "explained alone" '{"N":"3"}' "$(prefixfs get $demo_copy p s --json | jq -c .Item.n)"
sqlite3 $demo_copy "$sql" >/dev/null
says 1 get $demo_copy p s
echo '[{"DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": "t"}}}}]' >requests.json
says 0 batch-write $demo_copy --request-items file://requests.json --json
same "batch-write" 1 "$(consumed)"
says 0 scan $demo_copy --all --json
same "back where it was" "$(prefixfs scan $demo --all --json | jq .Count)" "$(jq .Count <<<"$out")"

step "get and stat"
says 0 get $demo 'DRIVE#home' 'PATH#/docs/a.txt' --json
same "shape" '["ConsumedCapacity","Item"]' "$(jq -c keys <<<"$out")"
same "types" '{"S":"file"} {"N":"40"} {"S":"ana"}' \
  "$(jq -r '[.Item.kind, .Item.sizeBytes, .Item.owner] | map(tojson) | join(" ")' <<<"$out")"
item=$out
says 0 get $demo:/docs/a.txt --json
same "by path" "$item" "$out"
says 1 get $demo 'DRIVE#home' 'PATH#/none'
matches "what an absent item costs" '0.5 read units' "$err"
says 0 get $demo 'ENV#prod' 'FLAG#dark-mode'
matches "a flag" updatedBy "$out"
says 0 stat $demo:/docs/a.txt
matches "its key" 'PATH#/docs/a.txt' "$out"
says 0 stat $demo:/docs/a.txt --json
same "stat" '["file",40,"ana"]' "$(jq -c '[.kind, .sizeBytes, .owner]' <<<"$out")"
says 1 stat $demo:/none
same "why" "prefixfs: $demo:/none: No such file or directory" "$err"

step "cat, ls, tree, find, du"
says 0 cat $demo:/docs/a.txt
same "bytes" 40 "$(prefixfs cat $demo:/docs/a.txt | wc -c)"
says 1 cat $demo:/docs
matches "why" 'Is a directory' "$err"
says 0 ls -l $demo:/docs
same "lines" "$(prefixfs ls $demo:/docs | wc -l)" "$(wc -l <<<"$out")"
says 1 ls $demo:/none
nodes=$(prefixfs find $demo:/ | wc -l)
same "nodes" "$nodes" "$(prefixfs info $demo --json | jq '.drives[0].nodes')"
says 0 tree $demo:/
folders=$(prefixfs find $demo:/ -type d | wc -l)
same "sums of tree" "$((folders - 1)) folders, $((nodes - folders)) files" "$(tail -1 <<<"$out")"
same "find by name" $'/docs/a.txt\n/docs/empty.txt' \
  "$(prefixfs find $demo:/docs -name '[ae]*.txt' -type f)"
same "find -print0" "$nodes" "$(prefixfs find $demo:/ -print0 | tr -cd '\0' | wc -c)"
says 1 find $demo:/none
refused 2 '^prefixfs: ' "$PREFIXFS" find $demo:/ -type x
same "du of an empty file" $'0\t/docs/empty.txt' "$(prefixfs du -s $demo:/docs/empty.txt)"
same "du of the folders" $'/docs/reports/drafts\n/docs/reports\n/docs' \
  "$(prefixfs du $demo:/docs | cut -f 2)"

step "import, export"
mkdir -p src/sub
echo one >src/file
ln -s file src/link
says 0 import src new.db:/copy
says 0 export new.db:/copy back
diff -r --no-dereference src back
says 1 import src/file new.db:/copy/file
matches "kept" 'File exists' "$err"
echo two >src/file
says 0 import --force src/file new.db:/copy/file
same "replaced" two "$(prefixfs cat new.db:/copy/file)"
says 0 import src/. new.db:/
same "content of a folder" $'copy\nfile\nlink\nsub' "$(prefixfs ls new.db:/)"
says 1 import no-such-file new.db:/x
matches "absent" '^prefixfs: no-such-file: No such file' "$err"
says 1 export new.db:/none back
says 1 export new.db:/copy/file back/file
says 1 import src/file new.db:/none/below

step "mv"
says 0 mv $demo:/docs /papers
matches "what it cost" '10 puts and 10 deletes' "$out"
same "nothing else moved" $'docs-archive\ndocs.txt\npapers' \
  "$(prefixfs ls $demo:/ | grep -E 'docs|papers')"
says 0 mv $demo:/papers $demo:/docs --json
same "report" '["/papers","/docs","path",10,10,10,20,40]' "$(jq -c \
  '[.from, .to, .layout, .items, .puts, .deletes, .write_units, .write_units_transactional]' <<<"$out")"
says 0 mv $demo:/docs.txt /docs
same "into a folder" 32 "$(prefixfs stat $demo:/docs/docs.txt --json | jq .sizeBytes)"
says 0 mv $demo:/docs/docs.txt /docs.txt
says 1 mv $demo:/docs /docs/reports/below
matches "into itself" 'Invalid argument' "$err"
says 1 mv $demo:/none /x
says 1 mv $demo:/ /x
says 1 mv -n $demo:/docs.txt /docs/a.txt
matches "not replaced" 'File exists' "$err"
says 1 mv $demo:/docs other.db:/docs
says 2 mv $demo:/docs other.db

step "rm"
says 1 rm $demo:/docs
matches "why" 'Is a directory' "$err"
says 0 rm -r $demo:/docs
same "the others stay" $'docs-archive\ndocs.txt' "$(prefixfs ls $demo:/ | grep docs)"
same "all that lies below" 5 "$(prefixfs find $demo:/docs-archive | wc -l)"
says 1 rm $demo:/docs
says 0 rm -f $demo:/docs
says 1 rm -r $demo:/
says 0 rm $demo:/docs.txt $demo:/docs-archive/2019.txt

step "info"
says 0 info $demo
matches "drives" 'drive home' "$out"
says 0 info $demo --json
same "drive" '["home","path"]' "$(jq -c '.drives[0] | [.name, .layout]' <<<"$out")"
same "environments" '["dev","prod","staging"]' "$(jq -c '[.environments[].name]' <<<"$out")"
says 1 info absent.db

step "output that cannot be written is an error"
if [[ -c /dev/full ]]; then
  got=0
  prefixfs ls $demo:/ >/dev/full 2>err || got=$?
  same "exit status" 1 $got
  matches "why" 'No space left' "$(<err)"
fi

step "tables are whole and SQL reads them"
same "integrity" ok "$(sqlite3 $demo 'PRAGMA integrity_check')"
same "a view" "folder" "$(sqlite3 $demo "SELECT kind FROM node WHERE path = '/photos'")"
same "flags" "$(prefixfs query $demo 'ENV#prod' --json | jq .Count)" \
  "$(sqlite3 $demo "SELECT count(*) FROM flag WHERE env = 'prod'")"
