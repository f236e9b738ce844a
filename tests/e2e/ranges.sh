#!/usr/bin/env bash
# Holes and ranges of files on a mount: found, punched, set aside, copied in the engine; and by the
# programs that use them.
source "$(dirname "$0")/fixture.bash"
needs_mount
call() { "$clients/posix_call" "$@"; }
sectors() { stat -c %b "$1"; }
block=65536

# What such a change makes of a file of 524,288 bytes or more, by writing.
reference() { # HOW OFFSET LENGTH
  case $1 in
    extend) truncate -s ">$(($2 + $3))" "$scratch/file" ;;
    keep) ;;
    *)
      head -c "$3" /dev/zero |
        dd of="$scratch/file" bs=1M oflag=seek_bytes seek="$2" conv=notrunc status=none
      ;;
  esac
}

for layout in path node adjacency; do
  step "layout $layout"
  rm -f "$file"
  drive_mounted --layout "$layout"
  cd "$mnt"

  # The kernel has written nothing back yet.
  for i in 1 2 3 4 5 6 7 8; do
    {
      printf x >"new$i"
      printf y | dd of="new$i" bs=1 seek=1M conv=notrunc status=none
      same "data not written back" 0 "$(call seek "new$i" data 0)"
      same "hole not written back" $block "$(call seek "new$i" hole 0)"
      same "the second data" $((1 << 20)) "$(call seek "new$i" data $block)"
      expect_errno ENXIO call seek "new$i" data $(((1 << 20) + 1))
    } &
    pids[i]=$!
  done
  for i in 1 2 3 4 5 6 7 8; do wait "${pids[i]}" || die "new$i, see above"; done
  head -c 300000 /dev/urandom >fresh && cp fresh copied && cmp fresh copied
  head -c 300000 /dev/urandom >"$scratch/fresh" && cp "$scratch/fresh" fresh
  cp --sparse=auto --reflink=auto fresh copied && cmp fresh "$scratch/fresh" && cmp fresh copied

  head -c $((8 * block)) /dev/urandom >file
  cp file "$scratch/file"
  sync -f file
  at_least "sectors of a full file" $((8 * block / 512)) "$(sectors file)"
  for change in 'punch 100000 200000' 'zero_keep 300000 224288' 'zero 500000 100000' \
    'extend 0 700000' 'keep 0 10000000' 'punch 0 70000'; do
    call fallocate file $change
    reference $change
    cmp file "$scratch/file" || die "after $change"
  done
  at_most "sectors of what is left" $((3 * block / 512)) "$(sectors file)"
  same "data" 65536 "$(call seek file data 0)"

  expect_errno ENOTSUP call fallocate file collapse 0 $block
  expect_errno ENOTSUP call fallocate file insert 0 $block
  expect_errno EFBIG call fallocate file extend 0 $((2 << 40))
  avail=$(df -B1 --output=avail . | tail -1)
  if ((avail < 1 << 40)); then
    expect_errno ENOSPC call fallocate file extend 0 $((1 << 40))
    same "size after it" 700000 "$(stat -c %s file)"
  fi

  before=$(cat .prefixfs/cost | jq '.operations.copy.calls // 0')
  head -c 5000000 /dev/urandom >big
  truncate -s 30M big
  same "copied by one call" $((16 << 20)) "$(call copy_range big 0 other 0 $((30 << 20)))"
  cp --reflink=auto --sparse=never big third && cmp big third
  cp --reflink=auto big fourth && cmp big fourth && cmp -n $((16 << 20)) big other
  at_least "copies the engine did" $((before + 2)) "$(jq .operations.copy.calls .prefixfs/cost)"
  at_most "sectors of a sparse copy" 9900 "$(sectors fourth)"
  expect_errno EINVAL call copy_range big 0 big 100 1000
  # To and from another file system the kernel copies.
  cp --reflink=auto big "$scratch/big" && cmp big "$scratch/big"

  tar -cSf "$scratch/sparse.tar" big file new1
  at_most "bytes of a tar of sparse files" 6000000 "$(stat -c %s "$scratch/sparse.tar")"
  mkdir back && tar -xSf "$scratch/sparse.tar" -C back
  cmp big back/big && cmp file back/file && cmp new1 back/new1

  sums=$(md5sum big file fourth new1)
  cd "$scratch"
  remounted
  same "after another mount" "$sums" "$(cd "$mnt" && md5sum big file fourth new1)"
  unmounted
done

step "without write-back"
drive_mounted -o nowriteback
printf x >"$mnt/n" && truncate -s 1M "$mnt/n"
same "hole" $block "$(call seek "$mnt/n" hole 0)"
unmounted

step "a mount out of sight still knows what is not written back"
drive_mounted
exec 7<>"$mnt/lazy"
umount -l "$mnt" || fusermount3 -uz "$mnt"
head -c 200000 /dev/urandom >&7
printf z | dd bs=1 seek=1M conv=notrunc status=none >&7
same "data" 0 "$(call seek /proc/self/fd/7 data 0)"
same "hole" $((4 * block)) "$(call seek /proc/self/fd/7 hole 0)"
exec 7>&-
eventually 10 is_whole
