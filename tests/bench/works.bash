# The works of tests/bench/run.sh.  Each group has prepare_GROUP SYSTEM, once, and round_GROUP
# SYSTEM, measured in turn on every system.  report.jq says what the rows are and what they are to
# reach.

# ---- Many small files ----

prepare_files() { :; }
round_files() {
  local n
  n=$(nodes_for "$1" "$files")
  measure create "$1" create "$n"
  measure stat_warm "$1" stat "$n"
  cold "$1"
  measure stat_cold "$1" stat "$n"
  measure unlink "$1" unlink "$n"
  client "$1" command 1 sh -c 'rm -r f*'
  client "$1" create "$n"
  measure remove "$1" command "$n" sh -c 'rm -rf f*'
  measure rename_file "$1" rename-file "$renames"
}

# ---- A wide folder ----

prepare_wide() { client "$1" fill "$(nodes_for "$1" "$wide")"; }
round_wide() {
  cold "$1"
  measure list "$1" list
}

# ---- Walks ----

# tree_of FILES: a native tree of so many empty ones
tree_of() {
  local tree=$work/tree-$1
  if [[ ! -d $tree ]]; then
    mkdir "$tree"
    (cd "$tree" && "$client" plant "$1" >/dev/null)
  fi
  echo "$tree"
}

# put_tree SYSTEM NODES NAME
put_tree() {
  local tree
  tree=$(tree_of "$2")
  if is_layout "$1"; then
    stop "$1"
    "$program" import "$tree" "$work/$1.db:/$3"
    start "$1"
  else
    cp -a "$tree" "$(backing_of "$1")/$3"
  fi
}

prepare_walk() { put_tree "$1" "$(nodes_for "$1" "$walk")" walk; }
round_walk() {
  local n
  n=$(nodes_for "$1" "$walk")
  cold "$1"
  measure find "$1" command "$n" find walk
  cold "$1"
  measure ls_lR "$1" command "$n" ls -lR walk
  cold "$1"
  measure du "$1" command "$n" du -s walk
}

# ---- A folder's name ----

prepare_folder() {
  if is_layout "$1"; then put_tree "$1" "$folder" tree; fi
}
round_folder() {
  if is_layout "$1"; then measure rename_folder "$1" rename-folder "$folder"; fi
}

# ---- Content ----

prepare_content() { :; }
round_content() {
  measure write_file "$1" write-file "$bytes"
  measure read_warm "$1" read-file "$bytes"
  cold "$1"
  measure read_cold "$1" read-file "$bytes"
  client "$1" drop big
  measure read_again "$1" read-file "$bytes"
  measure random_read "$1" random-read "$random"
  measure random_write "$1" random-write "$random"
  measure append "$1" append "$random"
}

prepare_sync() { :; }
round_sync() { measure write_fsync "$1" write-fsync "$syncs"; }

# ---- Real work ----

prepare_real() { :; }
round_real() {
  measure git_clone "$1" command 1 git clone -q --no-hardlinks "$repository" clone
  cold "$1"
  measure git_status "$1" command 1 git -C clone status
  measure tar "$1" command "$archived" tar -xf "$archive"
  client "$1" command 1 rm -rf clone include
}

# ---- Threads ----

prepare_threads() { :; }
round_threads() {
  local threads n
  n=$(nodes_for "$1" "$files")
  for threads in 1 2 4; do
    measure "create_$threads" "$1" create "$n" "$threads"
    cold "$1"
    measure "stat_$threads" "$1" stat "$n" "$threads"
    client "$1" command 1 sh -c 'rm -r f*'
  done
}

# ---- The daemon ----

resident() { awk '/^VmRSS/ { print $2 / 1024 }' "/proc/${daemon[$1]}/status"; }

prepare_daemon() { :; }
round_daemon() {
  local from to
  is_layout "$1" || return 0
  stop "$1"
  from=$(date +%s%N)
  "$program" mount "$work/$1.db" "$work/mnt/$1"
  to=$(date +%s%N)
  note mount "$1" "$(awk "BEGIN { print ($to - $from) / 1e6 }")"
  "$program" umount "$work/mnt/$1"
  start "$1"
  note memory_idle "$1" "$(resident "$1")"
  client "$1" command 1 find . -size +1G
  note memory_walked "$1" "$(resident "$1")"
}
