# What the rename-cost tests stand on: source it first, in plain sh.
#
#   prefixfs    the program, from the first argument, else the one in PATH
#   $work       a folder that goes when the script ends, however it ends
#
#   mounted LAYOUT [OPTIONS...]   makes a drive of that layout, mounts it at $work/mnt
#   unmounted                     unmounts it and takes its file away
#   files N FOLDER                makes a folder with N empty files
#   last_rename                   what the newest rename of a folder cost, as JSON
#   expect JSON FIELD VALUE       the field is the value, or the test fails
#
# Needs jq.
set -eu

prefixfs=$(command -v "${1:-prefixfs}")
work=$(mktemp -d)
trap '"$prefixfs" umount "$work/mnt" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/mnt"

mounted() {
  layout=$1
  shift
  "$prefixfs" mkfs "$work/drive.db" --layout "$layout" >"$work/said"
  "$prefixfs" mount "$work/drive.db" "$work/mnt" "$@"
}

unmounted() {
  "$prefixfs" umount "$work/mnt"
  rm "$work/drive.db"
}

files() {
  mkdir "$2"
  (cd "$2" && seq 1 "$1" | xargs touch)
}

last_rename() {
  tail -n 1 "$work/mnt/.prefixfs/renames"
}

expect() {
  got=$(printf '%s' "$1" | jq -c ".$2")
  [ "$got" = "$3" ] && return
  echo "$2: $got, expected $3" >&2
  exit 1
}
