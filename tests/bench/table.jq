# The one table, tab-separated.

def rounded: if . == null then "-" elif . >= 100 then round
             elif . >= 10 then (. * 10 | round) / 10 else (. * 100 | round) / 100 end | tostring;
def shown($unit):
  if . == null then "-"
  elif $unit == "s/MiB" then "\(1 / . | round) MiB/s"
  elif $unit == "s" then
    (if . >= 1 then "\(rounded) s" elif . >= 1e-3 then "\(. * 1e3 | rounded) ms"
     else "\(. * 1e6 | rounded) us" end)
  else rounded end;
def ratio: if . == null then "" else " (\(. * 100 | round / 100)x)" end;
def missed($row): if $row.reached[.] == false then " !" else "" end;

(["work", "native", "passthrough", "path", "node", "adjacency", "to reach"],
 (.rows[] | . as $row
  | [.title + (if .mode == "unpinned" then " *" else "" end), (.native | shown($row.unit)),
     (.passthrough | shown($row.unit)),
     (("path", "node", "adjacency") as $system
      | ($row.prefixfs[$system] | shown($row.unit))
        + (if $row.target.against == "at most" then "" else ($row.ratios[$system] | ratio) end)
        + ($system | missed($row))),
     (if .target.against == null then "" elif .target.against == "at most" then "at most \(.target.ratio)"
      else "\(.target.ratio)x \(.target.against)" end)]),
 (if .layers | length > 0 then
    ["", "", "", "", "", "", ""], ["below FUSE", "raw SQL", "table", "path", "node", "adjacency", "to reach"]
  else empty end),
 (.layers[] | . as $row
  | ["\(.work) \(.argument)", (.times.raw | if . then . / 1e9 else null end | shown("s")),
     (("table", "path", "node", "adjacency") as $system
      | if $row.times[$system] then
          ($row.times[$system] / 1e9 | shown("s")) + ($row.ratios[$system] | ratio)
        else "-" end),
     (if .times.path == null then "" elif .work == "move" then "0.8x raw" else "0.6x raw" end)]))
| @tsv
