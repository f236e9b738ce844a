#!/usr/bin/env bash
# Builds prefixfs, makes the demo drive in a temporary folder and shows what it is about.  Leaves
# nothing but build/.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-deps.sh
mounts=yes
missing=$(tools/can-mount.sh) || mounts=
if [[ ! $mounts ]]; then echo "cannot mount here ($missing): shown without a mount" >&2; fi

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
# What is configured with tests stays so.
if [[ ! -e build/CMakeCache.txt ]]; then launcher+=(-DPREFIXFS_TESTS=OFF); fi
cmake -S . -B build -G Ninja "${launcher[@]}" --log-level=WARNING
cmake --build build --target prefixfs

PATH=$PWD/build:$PATH
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prefixfs-try.XXXXXX")
leave() {
  local status=$?
  trap - EXIT
  cd /
  if mountpoint -q "$scratch/mnt"; then
    prefixfs umount "$scratch/mnt" || umount -l "$scratch/mnt" || true
  fi
  rm -rf --one-file-system "$scratch"
  exit $status
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$scratch"

show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

show "prefixfs demo home.db"
show "prefixfs tree home.db:/docs"
printf '\nA folder and all below it is one run of keys.  The prefix has to end in a slash:\n'
show "prefixfs query home.db 'DRIVE#home' --begins-with 'PATH#/docs'"
show "prefixfs query home.db 'DRIVE#home' --begins-with 'PATH#/docs/'"
show "prefixfs find home.db:/docs --cost"
printf '\nA path is a key, so a rename rewrites every key below it, and no other:\n'
show "prefixfs mv home.db:/docs /documents"
if [[ $mounts ]]; then
  printf '\nMounted, it is a file system:\n'
  mkdir mnt
  show "prefixfs mount home.db mnt"
  show "ls -l mnt"
  show "find mnt/documents"
  show "prefixfs cost mnt -- mv mnt/documents mnt/docs"
  show "echo hello >mnt/docs/hello.txt && cat mnt/docs/hello.txt"
  show "prefixfs umount mnt"
  show "prefixfs stat home.db:/docs/hello.txt"
fi
