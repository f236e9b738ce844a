#!/usr/bin/env bash
# A mount and the file system below ${TMPDIR:-/tmp} answer thousands of random operations alike.
# For long runs: build/differential FOLDER FOLDER --seed N --count N
source "$(dirname "$0")/fixture.bash"
needs_mount

step "the client sees differences"
mkdir "$scratch/a" "$scratch/b"
for side in a b; do
  echo content >"$scratch/$side/file"
  touch -d '2001-01-01 00:00:00.000000001' "$scratch/$side/file"
done
differs() { refused 1 'A and B differ' "$clients/differential" "$scratch/a" "$scratch/b" --compare; }
"$clients/differential" "$scratch/a" "$scratch/b" --compare
touch -d '2001-01-01 00:00:00.000000002' "$scratch/b/file" && differs
touch -d '2001-01-01 00:00:00.000000001' "$scratch/b/file"
chmod 600 "$scratch/b/file" && differs
chmod 644 "$scratch/b/file"
ln "$scratch/b/file" "$scratch/other" && differs
rm "$scratch/other"
setfattr -n user.a -v 1 "$scratch/b/file" && differs
setfattr -x user.a "$scratch/b/file"
printf 'contenT\n' >"$scratch/b/file" && touch -d '2001-01-01 00:00:00.000000001' "$scratch/b/file"
differs

reference=$scratch/reference
features=(--xattrs --hard-links --fifos)
# Where there are ACLs below ${TMPDIR:-/tmp}: this one is a mode.
if setfattr -n system.posix_acl_access -v \
  0x0200000001000700ffffffff04000500ffffffff20000500ffffffff "$scratch" 2>/dev/null; then
  features+=(--acls)
fi
on_both() { # SEED [RUN AS]...
  local seed=$1
  shift
  "$@" "$clients/differential" "$mnt/top" "$reference" --seed "$seed" --count 5000 "${features[@]}" ||
    die "seed $seed differs"
  remounted "${options[@]}"
  "$clients/differential" "$mnt/top" "$reference" --compare ||
    die "seed $seed differs after another mount"
}

options=()
for seed in 1 2 3; do
  step "seed $seed"
  rm -rf "$reference" "$file" && mkdir "$reference"
  drive_mounted && mkdir "$mnt/top"
  on_both "$seed"
  unmounted
done

step "seed 4, as a plain user"
rm -rf "$reference" "$file" && mkdir "$reference"
options=(-o allow_other)
chmod 755 "$scratch"
drive_mounted "${options[@]}" && mkdir "$mnt/top"
chown 65534:65534 "$mnt/top" "$reference"
on_both 4 setpriv --reuid 65534 --regid 65534 --clear-groups
unmounted
