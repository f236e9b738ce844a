#!/usr/bin/env bash
# Set-user-ID, set-group-ID, sticky folders and capabilities: what takes them away, and what they
# forbid, as on the file system below ${TMPDIR:-/tmp}.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs setpriv
((UID == 0)) || { echo "skipped, only root can be several users"; exit 77; }

as() { # UID:GID COMMAND...
  local ids=$1
  shift
  setpriv --reuid "${ids%:*}" --regid "${ids#*:}" --clear-groups "$@"
}
mode() { stat -c '%a %u:%g' "$1"; }
try() { if "$@" 2>"$scratch/err"; then echo done; else sed 's/.*: //' "$scratch/err"; fi; }

# Says what it finds, so that it can be compared.
set_ids() {
  local who what m
  for who in 0:0 1000:1000; do
    for m in 6755 6644 4711 2755 2745 6777; do
      for what in write append truncate empty map chown chgrp mode_and_owner same_owner; do
        rm -f f
        printf content >f
        chown "$who" f
        chmod $m f
        mode f >/dev/null
        case $what in
          write) as "$who" dd if=/dev/zero of=f bs=1 count=1 conv=notrunc status=none ;;
          append) as "$who" sh -c 'echo x >>f' ;;
          truncate) as "$who" truncate -s 3 f ;;
          empty) as "$who" sh -c ': >f' ;;
          map) as "$who" "$clients/posix_call" map_write f 0 X ;;
          chown) chown 7 f ;;
          chgrp) as "$who" chgrp "${who#*:}" f ;;
          mode_and_owner) chown 7:7 f && chmod $m f ;;
          same_owner) chown "$who" f ;;
        esac
        echo "$who $m $what: $(mode f)"
      done
    done
  done
  mkdir d && chmod 6755 d && chown 7:7 d
  echo "chown of a folder: $(mode d)"
}

capabilities() {
  local what
  for what in write truncate chown chmod read; do
    rm -f f
    printf content >f
    setcap cap_net_raw+ep f
    case $what in
      write) dd if=/dev/zero of=f bs=1 count=1 conv=notrunc status=none ;;
      truncate) truncate -s 3 f ;;
      chown) chown 7 f ;;
      chmod) chmod 700 f ;;
      read) cat f >/dev/null ;;
    esac
    echo "$what: $(getcap f)"
  done
  # Given while it is open and written to.
  rm -f f
  exec 7>f
  printf one >&7
  setcap cap_net_raw+ep f
  echo "given: $(getcap f)"
  printf two >&7
  echo "written: $(getcap f)"
  exec 7>&-
}

sticky() {
  mkdir s && chmod 1777 s
  as 1000:1000 touch s/a s/b
  as 1001:1001 touch s/mine
  echo "unlink another's: $(try as 1001:1001 rm -f s/a)"
  echo "rename another's: $(try as 1001:1001 mv s/a s/c)"
  echo "replace another's: $(try as 1001:1001 mv -f s/mine s/b)"
  echo "unlink one's own: $(try as 1000:1000 rm s/a)"
  echo "by the folder's owner: $(chown 1002 s && try as 1002:1002 rm -f s/b)"
}

groups() {
  mkdir g && chown 0:50 g && chmod 2777 g
  as 1000:1000 mkdir g/d
  as 1000:1000 touch g/f
  as 1000:1000 "$clients/posix_call" create g/x 2755
  as 1000:50 "$clients/posix_call" create g/y 2755
  echo "made in a set-group-ID folder: $(mode g/d), $(mode g/f), $(mode g/x), $(mode g/y)"
  touch o && chown 1000:50 o
  as 1000:1000 chmod 2755 o
  echo "set-group-ID by one who is not in the group: $(mode o)"
  as 1000:50 chmod 2755 o
  echo "set-group-ID by one who is: $(mode o)"
}

for layout in path node adjacency; do
  step "$layout"
  rm -f "$file"
  prefixfs mkfs "$file" --layout $layout >/dev/null
  chmod 755 "$scratch"
  drive_mounted -o allow_other
  for side in "$mnt/side" "$scratch/side"; do
    rm -rf "$side" && mkdir "$side" && chmod 777 "$side"
  done
  for rule in set_ids sticky groups; do same_in "$scratch/side" "$mnt/side" $rule; done
  if (cd "$scratch/side" && touch c && setcap cap_net_raw+ep c) 2>/dev/null; then
    same_in "$scratch/side" "$mnt/side" capabilities
  fi
  remounted -o allow_other
  same "kept" "$(mode "$scratch/side/d")" "$(mode "$mnt/side/d")"
  unmounted
done
