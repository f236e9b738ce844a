#!/usr/bin/env bash
# How fast prefixfs is beside the native file system and a FUSE passthrough: the same work in the
# same run, in turn, medians.  Needs root, or fusermount3.
#
#   tests/bench/run.sh [OPTIONS]
#
#     --quick          whether it works at all: a round of next to nothing
#     --full           sizes at which nothing is left to caches; half an hour
#     --only GROUP,... of files wide walk folder content sync real threads daemon layers
#     --layouts L,...  of path node adjacency
#     --modes M,...    of pinned (daemon and client on one CPU) and unpinned
#     --rounds N  --files N  --wide N  --walk N  --folder N  --bytes N  --random N  --syncs N
#     --repository DIR the one that git clones
#     --by clock|cpu   what the table and the ratios are made of: on a busy machine the processor
#                      time of client and daemon says more, if nothing of waiting
#     --dir DIR        where everything is made; a temporary folder by default
#     --json FILE      the results, also as JSON
#
# Prints one table.  The passthrough is libfuse's example, compiled from where Debian's libfuse3-dev
# puts it; the better of two mounts of it counts in each row.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

rounds=5 files=5000 wide=20000 walk=20000 folder=20000 bytes=$((256 << 20)) random=5000 syncs=50
renames=1000 groups=files,wide,walk,folder,content,sync,real,threads,daemon,layers
modes=pinned,unpinned only_layouts=path,node,adjacency json='' by=clock base=${TMPDIR:-/tmp} repository=$root

usage() {
  sed -n '2,/^set /{ /^#/s/^# \{0,1\}//p }' "$0"
  exit "$1"
}
while (($#)); do
  case $1 in
    --quick)
      rounds=1 files=300 wide=1000 walk=2000 folder=1000 bytes=$((8 << 20)) random=200 syncs=5
      renames=20 modes=unpinned
      ;;
    --full)
      files=20000 wide=100000 walk=200000 folder=1000000 bytes=$((1 << 30)) random=50000 syncs=200
      ;;
    --help | -h) usage 0 ;;
    --only | --layouts | --modes | --rounds | --files | --wide | --walk | --folder | --bytes | \
      --random | --syncs | --repository | --dir | --json | --by)
      (($# > 1)) || usage 2 >&2
      case $1 in
        --only) groups=$2 ;;
        --layouts) only_layouts=$2 ;;
        --dir) base=$2 ;;
        *) printf -v "${1#--}" %s "$2" ;;
      esac
      shift
      ;;
    *) usage 2 >&2 ;;
  esac
  shift
done
[[ -z $json ]] || json=$(realpath -m "$json")
[[ $by == clock || $by == cpu ]] || usage 2 >&2

"$root/tools/install-deps.sh" --tests
missing=$("$root/tools/can-mount.sh") || {
  echo "tests/bench: cannot mount: $missing" >&2
  exit 1
}
cmake -S "$root" -B "$root/build" -G Ninja --log-level=WARNING >/dev/null
cmake --build "$root/build" --target prefixfs bench_client >/dev/null
program=$root/build/prefixfs client=$root/build/bench_client

work=$(mktemp -d "$base/prefixfs-bench.XXXXXX")
results=$work/results passthrough=$work/passthrough
# shellcheck source=/dev/null
source "$here/systems.bash"
source "$here/works.bash"
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
IFS=, read -ra layouts <<<"$only_layouts"
systems=(native passthrough passthrough_cached "${layouts[@]}")
ulimit -n "$(ulimit -Hn)"

# ---- The systems ----

example=/usr/share/doc/libfuse3-dev/examples/passthrough_ll.c
[[ -e $example || -e $example.gz ]] || die "no $example: install libfuse3-dev with its documentation"
mkdir "$work/example" "$work/mnt" "$work/under"
for file in passthrough_ll.c passthrough_helpers.h; do
  from=$(dirname "$example")/$file
  if [[ -e $from ]]; then cat "$from"; else gzip -dc "$from.gz"; fi >"$work/example/$file"
done
# shellcheck disable=SC2046  # words
cc -O2 -w "$work/example/passthrough_ll.c" -o "$passthrough" $(pkg-config --cflags --libs fuse3)

for system in "${systems[@]}"; do
  mkdir "$work/mnt/$system"
  if is_layout "$system"; then
    "$program" mkfs "$work/$system.db" --layout "$system" >/dev/null
  else
    mkdir "$work/under/$system"
  fi
  start "$system"
done

archive=$work/include.tar
tar -C /usr -cf "$archive" include/linux include/c++
archived=$(tar -tf "$archive" | wc -l)

# ---- The works ----

: >"$results"
run_group() { # run_group GROUP MODE
  local system i
  enter_mode "$2"
  echo "$1, $2" >&2
  for ((round = 1; round <= rounds; ++round)); do
    for ((i = 0; i < ${#systems[@]}; ++i)); do
      # Another one first in each round.
      system=${systems[$(((i + round) % ${#systems[@]}))]}
      "round_$1" "$system"
    done
  done
}

for group in ${groups//,/ }; do
  [[ $group == layers ]] && continue
  declare -F "round_$group" >/dev/null || die "no such works: $group"
  for system in "${systems[@]}"; do
    cold "$system" # the nodes of the works before are not held any more
    "prepare_$group" "$system"
  done
  case $group in
    threads) in_modes=${modes##*,} ;; # what threads do to each other shows on several CPUs
    daemon) in_modes=${modes%%,*} ;;
    *) in_modes=${modes//,/ } ;;
  esac
  for each in $in_modes; do run_group "$group" "$each"; done
done
if [[ ! -w /proc/sys/vm/drop_caches ]]; then
  echo "The kernel's own caches cannot be dropped here: cold is remounted, content not in memory." >&2
fi

jq -nR --arg by "$by" -f "$here/report.jq" <"$results" >"$work/rows.json"

# ---- The layers below ----

layers=$work/layers.json
echo '{"benchmarks": []}' >"$layers"
if [[ ,$groups, == *,layers,* ]]; then
  if cmake --build "$root/build" --target layer_bench >/dev/null 2>&1; then
    echo "layers" >&2
    # A million rows take half a minute to make for each repetition.
    TMPDIR=$work taskset -c "$first_cpu" "$root/build/layer_bench" \
      --benchmark_filter="$(if ((folder >= 1000000)); then echo .; else echo -/1000000/; fi)" \
      --benchmark_repetitions="$rounds" --benchmark_enable_random_interleaving=true \
      --benchmark_min_time="$(if ((rounds > 1)); then echo 0.2; else echo 0.01; fi)" \
      --benchmark_out="$layers" --benchmark_out_format=json >/dev/null 2>>"$work/log" ||
      die "layer_bench: $(tail -3 "$work/log")"
  else
    echo "The layers below FUSE are not measured: no libbenchmark-dev." >&2
  fi
fi

jq -n --slurpfile rows "$work/rows.json" --slurpfile layers "$layers" --argjson rounds "$rounds" --arg by "$by" \
  --arg cpu "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" --arg kernel "$(uname -r)" \
  --argjson sizes "{\"files\": $files, \"wide\": $wide, \"walk\": $walk, \"folder\": $folder,
    \"bytes\": $bytes, \"random\": $random, \"syncs\": $syncs, \"most_nodes_of_passthrough\": $most_nodes}" \
  -f "$here/whole.jq" >"$work/whole.json"
[[ -z $json ]] || cp "$work/whole.json" "$json"
jq -r -f "$here/table.jq" "$work/whole.json" | column -t -s $'\t' -R 2,3,4,5,6
echo
echo '* daemon and client on any CPU (else on one); (2x): twice as fast; !: not reached'
