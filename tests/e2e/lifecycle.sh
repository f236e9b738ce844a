#!/usr/bin/env bash
# Mounting, unmounting, and what a mount that ends in any way leaves behind.
source "$(dirname "$0")/fixture.bash"
needs_mount

daemon_pid() {
  local pids
  pids=$(daemons)
  [[ $pids =~ ^[0-9]+$ ]] || die "expected one daemon, found: $pids"
  echo "$pids"
}
has_ended() { [[ ! -d /proc/$1 ]]; }
other=$scratch/other
mkdir "$other"

step "a second mount of a drive is refused and names the first"
drive_mounted
pid=$(daemon_pid)
refused 1 "^prefixfs: .*drive home is mounted already.*$pid" "$PREFIXFS" mount "$file" "$other"
is_mounted "$other" && die "mounted all the same"
# The same file by another name is the same drive.
ln -s "$file" "$scratch/alias.db"
refused 1 "mounted already" "$PREFIXFS" mount "$scratch/alias.db" "$other"
# Another drive of the file is another matter.
prefixfs mount "$file" "$other" --drive work
echo work >"$other/file"
same "home is left alone" "" "$(ls -A "$mnt")"
prefixfs umount "$other"

step "unmounting leaves one file"
echo content >"$mnt/file"
unmounted
drive_mounted
same "content" content "$(<"$mnt/file")"

step "in use: unmounting is refused, and the mount goes on"
mkfifo "$scratch/release"
"$clients/posix_call" hold "$mnt/file" <"$scratch/release" >"$scratch/held" &
holder=$!
exec 9>"$scratch/release"
eventually 10 grep -q open "$scratch/held"
refused 1 '^prefixfs: .*busy' "$PREFIXFS" umount "$mnt"
same "content" content "$(<"$mnt/file")"
exec 9>&-
wait $holder
unmounted

step "killed: what was synced is there, and the dead mount makes way"
drive_mounted
pid=$(daemon_pid)
mkdir "$mnt/folder"
for i in {1..50}; do echo "synced $i" >"$mnt/folder/$i"; done
sync "$mnt/folder"/* "$mnt/folder" "$mnt"
mv "$mnt/folder" "$mnt/renamed"
"$clients/posix_call" fsync "$mnt/renamed"
kill -9 "$pid"
eventually 10 has_ended "$pid"
expect_errno ENOTCONN ls "$mnt"
drive_mounted
same "files" 50 "$(ls "$mnt/renamed" | wc -l)"
for i in {1..50}; do same "file" "synced $i" "$(<"$mnt/renamed/$i")"; done
[[ ! -e $mnt/folder ]] || die "the rename is half done"
unmounted

step "killed in the middle of work: the state is one that was"
drive_mounted
pid=$(daemon_pid)
mkdir "$mnt/work"
(
  i=0
  while mkdir "$mnt/work/$i" && echo one >"$mnt/work/$i/one" && mv "$mnt/work/$i" "$mnt/work/$i.done" &&
    echo two >"$mnt/work/$i.done/two"; do i=$((i + 1)); done
) 2>/dev/null &
worker=$!
# Some commits in: the interval is a second.
sleep 2.5
kill -9 "$pid"
wait $worker || true
prefixfs find "$file:/" >/dev/null
drive_mounted
at_least "folders done" 1 "$(find "$mnt/work" -name '*.done' | wc -l)"
# In the order they were made in: nothing is missing before what is there.
newest=$(ls "$mnt/work" | sort -n | tail -1)
for ((i = 0; i < ${newest%.done}; ++i)); do
  [[ -f $mnt/work/$i.done/one && ! -e $mnt/work/$i ]] || die "$i is missing and $newest is there"
done
unmounted

step "content of files that were open without a name when it was killed"
drive_mounted
pid=$(daemon_pid)
head -c 1000000 /dev/urandom >"$mnt/nameless"
exec 8<"$mnt/nameless"
rm "$mnt/nameless"
sync "$mnt"
kill -9 "$pid"
exec 8<&-
drive_mounted
unmounted
same "blocks of nobody" "$(prefixfs info --json "$file" | jq .blocks)" \
  "$(find_sizes() { prefixfs query "$file" "$1" --all --json |
       jq '.Items[] | select(.kind.S == "file") | .sizeBytes.N | tonumber | select(. > 0)'; }
     { find_sizes 'DRIVE#home'; find_sizes 'DRIVE#work'; } | wc -l)"

step "SIGTERM unmounts"
drive_mounted
pid=$(daemon_pid)
echo last >"$mnt/last"
kill -TERM "$pid"
eventually 10 has_ended "$pid"
is_mounted && die "still mounted"
whole
same "content" last "$(prefixfs cat "$file:/last")"

step "in the foreground"
prefixfs mount -f "$file" "$mnt" 2>"$scratch/log" &
pid=$!
eventually 10 is_mounted
same "content" last "$(<"$mnt/last")"
prefixfs umount "$mnt"
wait $pid || die "the foreground mount ended with $?: $(<"$scratch/log")"
# In the background a shell has its commands ignore SIGINT.
env --default-signal=INT "$PREFIXFS" mount -f "$file" "$mnt" 2>"$scratch/log" &
pid=$!
eventually 10 is_mounted
kill -INT $pid
wait $pid || die "the foreground mount ended with $? upon SIGINT: $(<"$scratch/log")"
is_mounted && die "still mounted"

step "what cannot be mounted is said, and nothing is left"
echo "no table" >"$scratch/text"
refused 1 '^prefixfs: .*text: .*not a table file' "$PREFIXFS" mount "$scratch/text" "$mnt"
same "the file" "no table" "$(<"$scratch/text")"
refused 1 '^prefixfs: .*nowhere' "$PREFIXFS" mount "$file" "$scratch/nowhere"
refused 1 '^prefixfs: .*no folder' "$PREFIXFS" mount "$scratch/no folder/drive.db" "$mnt"
refused 1 '^prefixfs: .*text' "$PREFIXFS" mount "$file" "$scratch/text"
refused 2 '^prefixfs: .*no_such_option' "$PREFIXFS" mount "$file" "$mnt" -o no_such_option=1
refused 2 '^prefixfs: ' "$PREFIXFS" mount "$file"
refused 1 '^prefixfs: .*mnt' "$PREFIXFS" umount "$mnt"
is_mounted && die "mounted all the same"
whole

step "read-only"
drive_mounted -o ro
same "content" last "$(<"$mnt/last")"
expect_errno EROFS touch "$mnt/new"
expect_errno EROFS rm "$mnt/last"
prefixfs umount "$mnt"
refused 1 '^prefixfs: .*absent.db' "$PREFIXFS" mount "$scratch/absent.db" "$mnt" -o ro

step "options: sync and commit"
drive_mounted -o sync
echo at once >"$mnt/durable"
sync "$mnt/durable"
kill -9 "$(daemon_pid)"
drive_mounted -o commit=1
same "content" "at once" "$(<"$mnt/durable")"
echo soon >"$mnt/soon"
sync -f "$mnt"
unmounted

step "installed, for mount(8)"
build=$(dirname "$PREFIXFS")
if [[ ! -e $build/cmake_install.cmake ]]; then
  echo "not built by cmake, so not installed"
  exit
fi
DESTDIR=$scratch/installed cmake --install "$build" --prefix /usr >/dev/null
helper=$scratch/installed/usr/sbin/mount.fuse.prefixfs
same "installed" "prefixfs 0.1.0" "$("$scratch/installed/usr/bin/prefixfs" --version)"
[[ -x $helper ]] || die "no helper: $(find "$scratch/installed")"
"$helper" "$file" "$mnt" -o rw,drive=home
same "content" soon "$(<"$mnt/soon")"
prefixfs_installed=$scratch/installed/usr/bin/prefixfs
"$prefixfs_installed" umount "$mnt"
refused 32 '^prefixfs: ' "$helper" "$scratch/text" "$mnt"

# mount(8) takes its helpers from /sbin alone.
place=/sbin/mount.fuse.prefixfs
if [[ $(id -u) == 0 && ! -e $place && ! -e /usr/bin/prefixfs && ! -e /usr/local/bin/prefixfs ]]; then
  at_end+=("rm -f $place")
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$helper" >$place
  chmod +x $place
  mount -t fuse.prefixfs "$file" "$mnt" -o drive=home,noatime
  same "content" soon "$(<"$mnt/soon")"
  matches "options" noatime "$(grep " $mnt " /proc/mounts)"
  umount "$mnt"
  rm $place
else
  echo "mount -t left out: $place cannot be put there for a moment"
fi
eventually 10 is_whole
