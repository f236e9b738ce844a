# The rows of report.jq and what Google Benchmark says of the layers below FUSE, as one object.
# The layers' times are those of the processor, which others on the machine disturb less.

def nanoseconds: .cpu_time * {ns: 1, us: 1e3, ms: 1e6, s: 1e9}[.time_unit];

([$layers[0].benchmarks[]
  # The median of several repetitions, or the only one.
  | select(.aggregate_name == "median" or (.run_type == "iteration" and (.repetitions // 1) < 2))
  | . as $each
  | .run_name | capture("^(?<work>[a-z0-9_]+)/(?<system>[a-z]+)/?(?<argument>[0-9]*)")
  | .time = ($each | nanoseconds)]) as $times
| {rounds: $rounds, by: $by, machine: {cpu: $cpu, kernel: $kernel}, sizes: $sizes, rows: $rows[0],
   layers: [$times | group_by([.work, (.argument | tonumber? // 0)])[]
     | {work: .[0].work, argument: .[0].argument, unit: "ns",
        times: (map({key: .system, value: .time}) | from_entries)}
     | .ratios = (.times.raw as $raw | .times | map_values(if $raw then $raw / . else null end))]}
