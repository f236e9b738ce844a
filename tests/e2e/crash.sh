#!/usr/bin/env bash
# The daemon is killed at random instants under a load that syncs some of its work: what was synced
# is there, byte for byte, and a folder's rename is wholly done or not at all.
#
#   KILLS=500 tests/e2e/crash.sh     so many on each layout; 7 without
#   SEED=N                           of the moments and of the load
source "$(dirname "$0")/fixture.bash"
needs_mount

kills=${KILLS:-7}
RANDOM=${SEED:-$$}
step "seed ${SEED:-$$}, $kills kills on each layout"
has_ended() { ! kill -0 "$1" 2>/dev/null; }

acknowledged=0
for layout in path node adjacency; do
  rm -f "$file" "$scratch/log"
  prefixfs mkfs "$file" --layout $layout >/dev/null
  for ((kill_number = 1; kill_number <= kills; ++kill_number)); do
    drive_mounted
    pid=$(daemons)
    "$clients/crash_load" run "$mnt" "$scratch/log" $RANDOM 2>/dev/null &
    load=$!
    sleep "0.$((RANDOM % 900 + 100))"
    kill -9 "$pid"
    eventually 10 has_ended "$pid"
    wait $load || die "the load ended by itself, with $?"
    drive_mounted 2>/dev/null # it says that it removes the dead mount
    "$clients/crash_load" check "$mnt" "$scratch/log" ||
      die "after kill $kill_number on $layout: not what was synced"
    unmounted
    sqlite3 "$file" 'PRAGMA integrity_check' | grep -qx ok || die "the table is damaged"
  done
  lines=$(grep -c '^file\|^gone' "$scratch/log")
  acknowledged=$((acknowledged + lines))
done
mkdir "$scratch/empty"
if "$clients/crash_load" check "$scratch/empty" "$scratch/log" 2>/dev/null; then
  die "the check finds everything in an empty folder"
fi
((acknowledged > 3 * kills)) || die "only $acknowledged acknowledgments: the load did not run"
step "$acknowledged acknowledgments of fsync, all kept"
