#!/usr/bin/env bash
# POSIX ACLs: set, shown, obeyed, inherited and copied as on the file system below ${TMPDIR:-/tmp},
# and nothing that those pay for who have none.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs setfacl
needs setpriv
needs jq
((UID == 0)) || { echo "skipped, only root can be several users"; exit 77; }
setfacl -m u:1:r "$scratch" 2>/dev/null || { echo "skipped, no ACLs below $scratch"; exit 77; }
setfacl -b "$scratch"

as() { # UID:GID[,GROUP]... COMMAND...
  local ids=$1
  shift
  local group=${ids#*:}
  local more=(--clear-groups)
  if [[ $group == *,* ]]; then more=(--groups "${group#*,}"); fi
  setpriv --reuid "${ids%:*}" --regid "${group%%,*}" "${more[@]}" "$@"
}
mode() { stat -c '%a %u:%g' "$1"; }
try() {
  if "$@" >/dev/null 2>"$scratch/err"; then
    echo done
  else
    local said
    said=$(<"$scratch/err")
    echo "${said##*: }"
  fi
}
show() { # WHAT FILE...
  echo "$1"
  shift
  getfacl -np "$@"
}

# Each says what it finds, so that it can be compared.
setting() {
  local f mask
  echo content >f && mkdir d && mkfifo p && ln -s f l
  for f in f d p; do
    setfacl -m u:1000:rw,g:50:r $f && show "some" $f
    setfacl -m u:1001:x $f && show "one more" $f
    setfacl -m m::r $f && show "a mask" $f
    for mask in 640 777 4711 000; do chmod $mask $f && show "chmod $mask" $f; done
    setfacl -m u::rwx,o::r $f && show "owner and others" $f
    setfacl -x u:1000 $f && show "one less" $f
    chown 7:8 $f && show "chown" $f
    setfacl -n -m g::rwx $f && show "the owning group" $f
    setfacl -k $f && setfacl -b $f && show "none" $f
    setfacl --set u::rw,g::r,o::- $f && show "a mode" $f
    setfacl --set u::rw,g::r,m::rwx,o::- $f && show "a mask and no name" $f
    setfattr -x system.posix_acl_access $f && show "removed" $f
    echo "removed again: $(try setfattr -x system.posix_acl_access $f)"
    echo "default: $(try setfacl -d -m u:1000:r $f)"
    show "with a default" $f
  done
  echo "symlink: $(try setfattr -h -n system.posix_acl_access -v 0x02000000 l)"
  setfacl -m u:1000:r l && show "through a symlink" f
  echo "not the owner: $(try as 1000:1000 setfacl -m u:1000:rwx f)"
  chown 1000:1000 f && as 1000:1000 setfacl -m u:1001:rwx f && show "by the owner" f
  getfattr -d -m - -e hex f d p
}

# Nothing but the bytes that the kernel is given.
values() {
  touch f && mkdir d
  local what value
  while read -r what value; do
    for name in access default; do
      for file in f d; do
        echo "$what $name of $file: $(try setfattr -n system.posix_acl_$name -v "$value" $file)"
        show "$what" $file
      done
    done
  done <<'END'
mode 0x0200000001000600ffffffff04000400ffffffff20000400ffffffff
version 0x0100000001000600ffffffff04000400ffffffff20000400ffffffff
short 0x0200
odd 0x020000000100
nothing 0x02000000
bits 0x0200000001000800ffffffff04000400ffffffff20000400ffffffff
tag 0x0200000003000600ffffffff04000400ffffffff20000400ffffffff
order 0x0200000004000400ffffffff01000600ffffffff20000400ffffffff
missing 0x0200000001000600ffffffff20000400ffffffff
no-mask 0x0200000001000600ffffffff02000600e803000004000400ffffffff20000400ffffffff
mask 0x0200000001000600ffffffff02000600e803000004000400ffffffff10000600ffffffff20000400ffffffff
twice 0x0200000001000600ffffffff02000600e803000002000400e803000004000400ffffffff10000600ffffffff20000400ffffffff
two-masks 0x0200000001000600ffffffff04000400ffffffff10000600ffffffff10000600ffffffff20000400ffffffff
undefined 0x0200000001000600ffffffff02000600ffffffff04000400ffffffff10000600ffffffff20000400ffffffff
END
}

inheriting() {
  local mask
  mkdir top
  setfacl -d -m u:1000:rwx,g:50:rx,m::rwx,o::- top
  setfacl -m u:1001:r top
  show "top" top
  for mask in 000 022 077 777; do
    (
      umask $mask
      cd top
      touch f$mask && mkdir d$mask && mkfifo p$mask && ln -s f$mask l$mask && mknod n$mask c 1 3
      "$clients/posix_call" create x$mask 755
      mkdir d$mask/e && touch d$mask/e/f
      show "umask $mask" f$mask d$mask p$mask n$mask x$mask d$mask/e d$mask/e/f
      stat -c '%A' l$mask
    )
  done
  mkdir few && setfacl -d -m u::rwx,g::rx,o::- few
  (umask 027 && touch few/f && mkdir few/d && show "no names" few/f few/d)
  setfacl -k few
  (umask 027 && touch few/g && mkdir few/e && show "no default any more" few/g few/e)
  mkdir none
  (umask 077 && touch none/f && mkdir none/d && mkfifo none/p && show "none" none/f none/d none/p)
  mkdir sgid && chown 0:50 sgid && chmod 2775 sgid && setfacl -d -m u:1000:rwx sgid
  touch sgid/f && mkdir sgid/d && show "set-group-ID" sgid/f sgid/d
  mv few/g top && show "moved" top/g
  cp few/f top/copy && show "copied" top/copy
}

obeying() {
  mkdir in && chmod 700 in && echo secret >in/f && chmod 600 in/f
  local who
  tell() {
    for who in 1000:1000 1001:1001 1002:50 1003:1003,50 1004:1004,50,60 1005:60 1006:1006; do
      echo "$1, $who: $(as $who bash -c '
        exec 2>/dev/null
        if read -r line <in/f; then echo -n read; fi
        if echo x >>in/f; then echo -n " write"; fi
        if cd in; then echo -n " enter"; cd ..; fi
        for name in in/*; do if [[ $name == in/f ]]; then echo -n " list"; fi; done
        if echo x >in/new; then echo -n " make"; fi
        if [[ -x in/f ]]; then echo -n " run"; fi')"
      rm -f in/new
    done
  }
  tell "none"
  setfacl -m u:1000:x,g:50:rx,u:1001:rwx in && tell "folder"
  setfacl -m u:1000:r,u:1001:rw,g:50:rw,g:60:r in/f && tell "file"
  setfacl -m g:60:rwx in && tell "another group"
  chmod g=r in/f && tell "masked"
  setfacl -m u:1003:- in/f && tell "shut out"
  chmod 644 in/f && chmod 755 in && tell "chmod"
  setfacl -b in in/f && tell "removed"
}

set_group_id() {
  local who
  for who in 1000:1000 1000:50 1000:1000,50 0:0; do
    for acl in u:1001:r g::rwx; do
      rm -f f && touch f && chown 1000:50 f && chmod 2755 f
      as $who setfacl -m $acl f
      echo "$who $acl: $(mode f)"
    done
    rm -rf d && mkdir d && chown 1000:50 d && chmod 2775 d
    as $who setfacl -d -m u:1001:r d
    echo "$who default: $(mode d)"
    as $who setfacl -m u:1001:r d
    echo "$who folder: $(mode d)"
  done
}

all() {
  (cd "$1" && find . | sort | xargs -d '\n' stat -c '%A %u:%g %n' &&
    find . ! -type l | sort | xargs -d '\n' getfacl -nps)
}

for layout in path node adjacency; do
  step "$layout"
  rm -f "$file"
  prefixfs mkfs "$file" --layout $layout >/dev/null
  chmod 755 "$scratch"
  drive_mounted -o allow_other
  for rule in setting values inheriting obeying set_group_id; do
    for side in "$mnt" "$scratch/side"; do mkdir -p "$side/$rule" && chmod 777 "$side/$rule"; done
    same_in "$scratch/side/$rule" "$mnt/$rule" $rule
  done

  step "$layout: kept by renames, other mounts, and the programs that copy"
  mv "$mnt/inheriting" "$mnt/moved"
  remounted -o allow_other
  before=$(all "$mnt/moved")
  same "after a rename and a mount" "$(all "$scratch/side/inheriting")" "$before"
  cp -a "$mnt/moved" "$mnt/copy"
  same "cp -a" "$before" "$(all "$mnt/copy")"
  rm -rf "$scratch/copy" && cp -a "$mnt/moved" "$scratch/copy"
  same "cp -a, out" "$before" "$(all "$scratch/copy")"
  tar -C "$mnt/moved" --acls -cf - . | (mkdir "$mnt/tar" && tar -C "$mnt/tar" --acls -xpf -)
  same "tar" "$before" "$(all "$mnt/tar")"
  if command -v rsync >/dev/null; then
    rsync -aA "$mnt/moved/" "$scratch/rsync" && rsync -aA "$scratch/rsync/" "$mnt/rsync"
    same "rsync" "$before" "$(all "$mnt/rsync")"
    rm -r "$scratch/rsync"
  fi
  mkdir "$mnt/sgid" && setfacl -m u:1009:r,d:u:1009:rwx "$mnt/sgid"
  unmounted
  rm -rf "$scratch/copy"
  prefixfs export "$file:/moved" "$scratch"
  same "export" "$before" "$(all "$scratch/moved")"
  prefixfs import "$scratch/moved" "$file:/again"
  prefixfs import --force "$scratch/moved/." "$file:/sgid"  # a folder that has others
  setfacl -R -P -m u:1009:rwx "$scratch/moved/top"
  setfacl -R -P -d -m u:1009:rwx "$scratch/moved/few"
  prefixfs export --force "$file:/moved" "$scratch"
  same "export over others" "$before" "$(all "$scratch/moved")"
  prefixfs convert "$file" --to "$([[ $layout == path ]] && echo node || echo path)" >/dev/null
  drive_mounted
  same "import" "$before" "$(all "$mnt/again")"
  same "import over others" "$before" "$(all "$mnt/sgid")"
  same "convert" "$before" "$(all "$mnt/moved")"
  unmounted
  rm -rf "$scratch/side" "$scratch/moved"
done

step "what is stored, and shown"
rm -f "$file"
drive_mounted
mkdir "$mnt/d"
echo x >"$mnt/d/plain"
setfacl -d -m u:1234:rw "$mnt/d"
echo x >"$mnt/d/f"
chmod 660 "$mnt/d/f"

step "files without any cost nothing more"
# The kernel asks before it lets in who is not the owner.
chown 7:8 "$mnt/d/plain"
prefixfs cost --json --reset "$mnt" -- sh -c "cat '$mnt/d/plain'; ls -l '$mnt/d/plain'" \
  >"$scratch/cost.json"
same "getxattr" null "$(sed -n '$p' "$scratch/cost.json" | jq -c .operations.getxattr)"
unmounted
item() { prefixfs get --json "$file" 'DRIVE#home' "PATH#$1" | jq -c "$2"; }
same "acl" '["user:1234:rw-","group::r-x"]' "$(item /d/f '[.Item.acl.L[].S]')"
same "plain" '[null,null]' "$(item /d/plain '.Item | [.acl, .defaultAcl]')"
same "stat" "user::rw- user:1234:rw- group::r-x mask::rw- other::---" \
  "$(prefixfs stat "$file:/d/f" | sed -n 's/^acl *//p' | xargs)"
same "stat --json" '["user::rwx","user:1234:rw-","group::r-x","mask::rwx","other::r-x"]' \
  "$(prefixfs stat --json "$file:/d" | jq -c .defaultAcl)"
same "SQL" '/d/f|["user:1234:rw-","group::r-x"]' \
  "$(sqlite3 "$file" "SELECT path, acl FROM node WHERE acl IS NOT NULL AND kind = 'file'")"
same "ls" $'-rw-rw----+ f\n-rw-r--r--  plain' \
  "$(prefixfs ls -l "$file:/d" | sed -E 's/^(.{11}).* /\1 /')"

step "flags have none"
prefixfs demo "$scratch/demo.db" >/dev/null
prefixfs mount "$scratch/demo.db" "$mnt" --flags
expect_errno ENOTSUP setfacl -m u:1000:r "$mnt/prod/dark-mode"
getfacl -p "$mnt/prod/dark-mode" >/dev/null
prefixfs umount "$mnt"
