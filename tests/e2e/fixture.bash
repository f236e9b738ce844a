# What an end-to-end test stands on.  Sourced first:
#
#   source "$(dirname "$0")/fixture.bash"
#
# gives it a scratch folder, a table file and a mount point in it, and verbs.  However the test
# ends, what it mounted is unmounted, what it started is ended, and the scratch folder goes.
#
#   $PREFIXFS  the program       $file  the table file, made by the first mount
#   $clients   folder of test    $mnt   where drive_mounted mounts
#              client programs   $scratch

set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_root=$(cd "$here/../.." && pwd)
PREFIXFS=$(realpath "${PREFIXFS:-$source_root/build/prefixfs}")
clients=$(dirname "$PREFIXFS")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prefixfs-test.XXXXXX")
file=$scratch/drive.db
mnt=$scratch/mnt
mkdir "$mnt"

prefixfs() { "$PREFIXFS" "$@"; }

# ---- Telling what is wrong ----

step() { printf -- '-- %s\n' "$*"; }

die() {
  local depth=0
  printf 'FAILED: %s\n' "$*" >&2
  # Where in the test, not where in here.
  while [[ ${BASH_SOURCE[$depth]:-} == "${BASH_SOURCE[0]}" ]]; do depth=$((depth + 1)); done
  printf '  at %s:%s\n' "${BASH_SOURCE[$depth]:-?}" "${BASH_LINENO[$((depth - 1))]:-?}" >&2
  exit 1
}
trap 'printf "FAILED: %s:%s: %s\n" "${BASH_SOURCE[0]}" "$LINENO" "$BASH_COMMAND" >&2' ERR
set -E

# same WHAT EXPECTED ACTUAL
same() {
  [[ $2 == "$3" ]] && return
  diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") | head -30 >&2 || true
  die "$1: expected < , got >"
}

# same_files WHAT EXPECTED ACTUAL: two files, too long to hold
same_files() {
  cmp -s "$2" "$3" && return
  diff "$2" "$3" | head -30 >&2 || true
  die "$1: expected < , got >"
}

# same_in FOLDER FOLDER COMMAND...: the command says the same in both
same_in() {
  local a=$1 b=$2
  shift 2
  (cd "$a" && "$@") >"$scratch/same-a"
  (cd "$b" && "$@") >"$scratch/same-b"
  [[ -s $scratch/same-a ]] || die "$*: says nothing, which proves nothing"
  same_files "$*" "$scratch/same-a" "$scratch/same-b"
}

# at_most WHAT LIMIT NUMBER, at_least WHAT LIMIT NUMBER
at_most() { (($3 <= $2)) || die "$1: $3, expected at most $2"; }
at_least() { (($3 >= $2)) || die "$1: $3, expected at least $2"; }

# matches WHAT REGEX TEXT
matches() { [[ $3 =~ $2 ]] || die "$1: expected something like '$2', got: $3"; }

declare -A errno_text=(
  [EPERM]='Operation not permitted' [ENOENT]='No such file or directory' [EIO]='Input/output error'
  [EACCES]='Permission denied' [EBUSY]='Device or resource busy' [EEXIST]='File exists'
  [EXDEV]='Invalid cross-device link' [ENOTDIR]='Not a directory' [EISDIR]='Is a directory'
  [EINVAL]='Invalid argument' [EFBIG]='File too large' [EROFS]='Read-only file system'
  [ENAMETOOLONG]='File name too long' [ENOSYS]='Function not implemented'
  [ENODATA]='No such attribute' [ENOTEMPTY]='Directory not empty' [ENOTSUP]='Operation not supported'
  [ENXIO]='No such device or address' [ENOSPC]='No space left on device'
  [ENOTCONN]='Transport endpoint is not connected')

# expect_errno ENOENT[,ENOTDIR] COMMAND...: it fails, and for that reason
expect_errno() {
  local names=$1 name said
  shift
  if said=$("$@" 2>&1 >/dev/null); then die "$*: worked, expected $names"; fi
  for name in ${names//,/ }; do
    [[ $said == *"${errno_text[$name]}"* ]] && return
  done
  die "$*: expected $names, got: $said"
}

# refused STATUS REGEX COMMAND...: exit status and what standard error says
refused() {
  local status=$1 regex=$2 got=0
  shift 2
  "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
  same "exit status of $*" "$status" "$got"
  matches "standard error of $*" "$regex" "$(<"$scratch/err")"
}

# eventually SECONDS COMMAND...: succeeds some time soon
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || die "not even in time: $*"
    sleep 0.05
  done
}

# ---- Drives and mounts ----

needs_mount() {
  local missing
  missing=$("$source_root/tools/can-mount.sh") && return
  echo "skipped, cannot mount: $missing"
  exit 77
}

needs() {
  command -v "$1" >/dev/null && return
  echo "skipped, there is no $1"
  exit 77
}

is_mounted() { mountpoint -q "${1:-$mnt}"; }

# drive_mounted [OPTIONS OF MOUNT]...
drive_mounted() {
  needs_mount
  prefixfs mount "$file" "$mnt" "$@" || die "mount $*: exit status $?"
  is_mounted || die "mount said it worked and nothing is mounted"
}

# Afterwards the table is one file and its daemon has ended.
unmounted() {
  prefixfs umount "$mnt" || die "umount: exit status $?"
  is_mounted && die "still mounted"
  whole
}

whole() {
  same "files that make up the table" "$file" "$(ls -d "$file"*)"
  local pids
  pids=$(daemons)
  [[ -z $pids ]] || die "the daemon still runs: $pids"
}

# For `eventually`, which a test that dies would end.
is_whole() { (whole); }

remounted() {
  unmounted
  drive_mounted "$@"
}

# The processes that serve mounts of this test.
daemons() { pgrep -f -- "$PREFIXFS mount .*$scratch/" || true; }

# The attributes of node PATH as one JSON object, plain values, without those named in $2.
attributes() {
  prefixfs get --json "$file" 'DRIVE#home' "PATH#$1" | jq -cS '.Item | map_values(.[])'
}

# query_json ARGUMENTS: the items that a query gives, one JSON object a line
query_json() { prefixfs query "$file" "$@" --all --json | jq -cS '.Items[]'; }

# ---- At the end ----

at_end=()  # commands to be run in any case, last one first

mounts_of_test() {
  local dir
  while read -r _ dir _; do
    dir=$(printf '%b' "$dir")
    if [[ $dir == "$scratch"/* ]]; then echo "$dir"; fi
  done </proc/self/mounts | sort -r
}

clean_up() {
  local status=$? dir pid command i
  trap - EXIT ERR
  trap '' INT TERM HUP
  set +e
  cd /
  for ((i = ${#at_end[@]} - 1; i >= 0; --i)); do eval "${at_end[$i]}"; done
  for pid in $(jobs -p); do kill "$pid" 2>/dev/null; done
  # Asked nicely first; a daemon that hangs is ended and its mount detached.
  for dir in $(mounts_of_test); do
    timeout 20 "$PREFIXFS" umount "$dir" 2>/dev/null || umount -l "$dir" || fusermount3 -uz "$dir"
  done
  for ((i = 0; i < 50; ++i)); do
    [[ -z $(daemons) ]] && break
    sleep 0.1
  done
  for pid in $(daemons); do
    echo "a daemon was left: $(tr '\0' ' ' <"/proc/$pid/cmdline")" >&2
    kill -9 "$pid"
    if [[ $status == 0 ]]; then status=1; fi
  done
  wait
  rm -rf --one-file-system "$scratch"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
