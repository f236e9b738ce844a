# What tests/bench/run.sh compares: file systems that are started, stopped, pinned and measured.
#
#   native               the folder itself
#   passthrough          libfuse's example over it, as it comes
#   passthrough_cached   the same with writeback,cache=always and a timeout of a day
#   path node adjacency  prefixfs, a drive of each layout
#
# Sourced by run.sh, which gives $work, $program, $passthrough, $client, $results.

layouts=(path node adjacency)
systems=(native passthrough passthrough_cached "${layouts[@]}")
declare -A daemon=()     # system -> process
cpus=$(seq -s , 0 $(($(nproc) - 1)))
first_cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
mode=pinned

is_layout() { [[ " ${layouts[*]} " == *" $1 "* ]]; }
is_passthrough() { [[ $1 == passthrough* ]]; }

# The passthrough holds a descriptor for each node that the kernel knows.
most_nodes=$(($(ulimit -Hn) - 1000))
nodes_for() { # nodes_for SYSTEM NUMBER: as many of them as it can take
  if is_passthrough "$1" && (($2 > most_nodes)); then echo "$most_nodes"; else echo "$2"; fi
}

dir_of() { if [[ $1 == native ]]; then echo "$work/under/native"; else echo "$work/mnt/$1"; fi; }
# Where the bytes are.
backing_of() { if is_layout "$1"; then echo "$work/$1.db"; else echo "$work/under/$1"; fi; }

cpus_of_mode() { if [[ $mode == pinned ]]; then echo "$first_cpu"; else echo "$cpus"; fi; }

start() {
  local dir=$work/mnt/$1 under=$work/under/$1
  case $1 in
    native) return ;;
    passthrough) "$passthrough" -f -o "source=$under" "$dir" >>"$work/log" 2>&1 & ;;
    passthrough_cached)
      "$passthrough" -f -o "source=$under,writeback,cache=always,timeout=86400" "$dir" \
        >>"$work/log" 2>&1 &
      ;;
    *) "$program" mount -f "$work/$1.db" "$dir" >>"$work/log" 2>&1 & ;;
  esac
  daemon[$1]=$!
  until mountpoint -q "$dir"; do
    kill -0 "${daemon[$1]}" 2>/dev/null || die "$1 does not mount: $(tail -3 "$work/log")"
    sleep 0.01
  done
  taskset -acp "$(cpus_of_mode)" "${daemon[$1]}" >/dev/null
}

stop() {
  [[ -n ${daemon[$1]:-} ]] || return 0
  fusermount3 -u "$work/mnt/$1"
  # A passthrough that is unmounted ends with whatever status.
  wait "${daemon[$1]}" || is_passthrough "$1" || die "$1 failed: $(tail -3 "$work/log")"
  unset "daemon[$1]"
}

# As after a restart, as far as this machine lets us forget.
cold() {
  stop "$1"
  find "$(backing_of "$1")" -name big -o -name '*.db' | xargs -r "$client" drop
  if [[ -w /proc/sys/vm/drop_caches ]]; then
    sync
    echo 3 >/proc/sys/vm/drop_caches
  fi
  start "$1"
}

enter_mode() {
  local system
  mode=$1
  for system in "${!daemon[@]}"; do
    taskset -acp "$(cpus_of_mode)" "${daemon[$system]}" >/dev/null
  done
}

# client SYSTEM ARGUMENTS...: a work that is not measured
client() { (cd "$(dir_of "$1")" && "$client" "${@:2}" >/dev/null) || die "$*"; }

# Nanoseconds that the daemon of SYSTEM has run; its threads stay as long as it does.
daemon_ran() {
  if [[ -n ${daemon[$1]:-} ]]; then
    cat "/proc/${daemon[$1]}/task/"*/schedstat | awk '{ sum += $1 } END { printf "%.0f", sum }'
  else
    echo 0
  fi
}

# measure ROW SYSTEM ARGUMENTS...: a line into the results
measure() {
  local row=$1 system=$2 said before
  shift 2
  before=$(daemon_ran "$system")
  said=$(cd "$(dir_of "$system")" && taskset -c "$(cpus_of_mode)" "$client" "$@") ||
    die "$row on $system"
  echo "$row $mode $system $round $said $(($(daemon_ran "$system") - before))" >>"$results"
}

note() { echo "$1 $mode $2 $round 1 $3 $3 0" >>"$results"; } # note ROW SYSTEM NUMBER

die() {
  echo "tests/bench: $*" >&2
  exit 1
}

# ---- At the end ----

clean_up() {
  local status=$? system
  trap - EXIT
  set +e
  cd /
  for system in "${!daemon[@]}"; do
    fusermount3 -u "$work/mnt/$system" || fusermount3 -uz "$work/mnt/$system"
    wait "${daemon[$system]}"
  done 2>/dev/null
  rm -rf --one-file-system "$work"
  exit "$status"
}
