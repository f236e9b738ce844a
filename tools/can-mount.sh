#!/bin/sh
# Exit status 0: this process can mount through FUSE.  Else 1, and what is missing on standard
# output.
[ -c /dev/fuse ] || { echo "no /dev/fuse"; exit 1; }
(: <>/dev/fuse) 2>/dev/null || { echo "/dev/fuse cannot be opened"; exit 1; }
command -v fusermount3 >/dev/null || { echo "no fusermount3 (Debian package fuse3)"; exit 1; }
[ "$(id -u)" = 0 ] || { echo "not root"; exit 1; }
admin=21 # CAP_SYS_ADMIN
capabilities=0x$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
[ $((capabilities >> admin & 1)) = 1 ] || { echo "not allowed to mount (no CAP_SYS_ADMIN)"; exit 1; }
