# The results of tests/bench/run.sh as JSON: lines of "row mode system round operations seconds
# processor-seconds-of-the-client processor-nanoseconds-of-the-daemon".  Times are medians over the
# rounds, of the clock's or, with $by "cpu", of the processor's; a ratio above 1 is faster than what
# it is compared to.

def median: sort | if length % 2 == 1 then .[length / 2 | floor]
                   else (.[length / 2 - 1] + .[length / 2]) / 2 end;

def per_second: ["write_file", "read_warm", "read_cold", "read_again"];
def rows: [
  ["create", "create a file of 512 bytes", "passthrough", 1],
  ["stat_cold", "stat, cold", "passthrough", 1],
  ["stat_warm", "stat, warm", "passthrough", 1],
  ["list", "list a wide folder, an entry", "passthrough", 1],
  ["unlink", "unlink", "passthrough", 1],
  ["remove", "rm -rf, a file", "passthrough", 1],
  ["rename_file", "rename a file", "passthrough", 1],
  ["find", "find, cold, a node", "passthrough", 2],
  ["ls_lR", "ls -lR, cold, a node", "passthrough", 2],
  ["du", "du, cold, a node", "passthrough", 2],
  ["rename_folder", "rename a folder, a node below", null, null],
  ["write_file", "write a file, fsync", "passthrough", 0.5],
  ["read_cold", "read a file, cold", "passthrough", 0.9],
  ["read_again", "read it again, not from the kernel", "passthrough", 0.9],
  ["read_warm", "read it again, warm", "passthrough", 0.9],
  ["random_read", "read 4 KiB anywhere", "passthrough", 0.9],
  ["random_write", "write 4 KiB anywhere", "passthrough", 0.7],
  ["append", "append 4 KiB", "passthrough", 0.7],
  ["write_fsync", "write 4 KiB into a new file, fsync", "native", 1],
  ["git_clone", "git clone", "passthrough", 1],
  ["git_status", "git status, cold", "passthrough", 1],
  ["tar", "tar extraction, a node", "passthrough", 1],
  ["create_1", "create, one thread", null, null],
  ["create_2", "create, two threads", "create_1", 1],
  ["create_4", "create, four threads", "create_1", 1],
  ["stat_1", "stat, cold, one thread", null, null],
  ["stat_2", "stat, cold, two threads", "stat_1", 1],
  ["stat_4", "stat, cold, four threads", "stat_1", 1],
  ["mount", "mount, ms", "at most", 50],
  ["memory_idle", "memory of the daemon, idle, MiB", "at most", 64],
  ["memory_walked", "memory of the daemon, all walked, MiB", "at most", 200]
];

def layouts: ["path", "node", "adjacency"];

[inputs | select(length > 0) | split(" ")
 | {row: .[0], mode: .[1], system: .[2], 
    each: ((if $by == "cpu" then (.[6] | tonumber) + (.[7] | tonumber) / 1e9
            else .[5] | tonumber end) / (.[4] | tonumber))}]
| (group_by([.row, .mode, .system])
   | map({key: "\(.[0].row) \(.[0].mode) \(.[0].system)", value: (map(.each) | median)})
   | from_entries) as $medians
| ["pinned", "unpinned"] as $modes
| [rows[] as [$id, $title, $against, $ratio] | $modes[] as $mode
   | def of($row; $system): $medians["\($row) \($mode) \($system)"];
     ([of($id; "passthrough"), of($id; "passthrough_cached")] | map(values) | min) as $passthrough
   | {row: $id, title: $title, mode: $mode,
      unit: (if $against == "at most" then $title | split(", ")[-1]
             elif per_second | index($id) then "s/MiB" else "s" end),
      native: of($id; "native"), passthrough: $passthrough,
      passthroughs: {plain: of($id; "passthrough"), cached: of($id; "passthrough_cached")},
      prefixfs: (layouts | map({key: ., value: of($id; .)}) | from_entries),
      target: {against: $against, ratio: $ratio}}
   | select([.native, .passthrough, .prefixfs[]] | any)
   | . as $row
   | .ratios = (.prefixfs | with_entries(
       .key as $system | .value |= (
         if . == null or $against == null then null
         elif $against == "at most" then $ratio / .
         else (if $against == "native" then $row.native
               elif $against == "passthrough" then $passthrough
               else of($against; $system) end) as $other
              | if $other then $other / . else null end
         end)))
   | .reached = (.ratios | map_values(
       if . == null then null elif $against == "at most" then . >= 1 else . >= $ratio end))]
