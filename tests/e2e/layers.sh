#!/usr/bin/env bash
# Includes point down: tools -> fs -> table.  libfuse is seen by fs/fuse_*, SQLite by table/ alone,
# and only fs/keys.* spell the beginnings of keys.
source "$(dirname "$0")/fixture.bash"
cd "$source_root"

# files FOLDER [REGEX OF THOSE LEFT OUT]: its sources
files() { find "$1" -name '*.h' -o -name '*.cc' | grep -vE "${2:-^$}"; }

# none WHAT REGEX FILES: no line of them looks like that
none() {
  local found
  at_least "$1: files to look at" 10 "$(wc -l <<<"$3")"
  found=$(xargs grep -nE "$2" <<<"$3" || true)
  [[ -z $found ]] || die "$1: $found"
}

step "the search finds what it looks for"
if (none "found" '#include "fs/' "$(files tools)") 2>/dev/null; then die "and it did not"; fi

step "includes"
none "table includes what is above it" '#include "(fs|tools|tests)/' "$(files table)"
none "fs includes what is above it" '#include "(tools|tests)/' "$(files fs)"
none "SQLite outside table" '#include [<"]sqlite3' "$(files fs && files tools)"
none "libfuse outside fs/fuse_*" '#include [<"]fuse' \
  "$(files table && files tools && files fs '/fuse_[a-z_]*\.(cc|h)$')"

step "keys"
none "the beginning of a key outside fs/keys" '^([^/]|/[^/])*"(DRIVE|PATH|ENV|FLAG|DRIVES)#' \
  "$(files table '_(test|bench)\.cc' && files tools '_test\.cc' && files fs '_(test|bench)\.cc|/keys\.(cc|h)$')"
