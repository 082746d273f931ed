#!/bin/sh
# Usage: start-clickhouse.sh DATA_DIRECTORY COMMAND [ARGUMENT...]
#
# Before a ClickHouse server starts, this script removes tokens without parts from the deduplication logs of its tables. A server writes
# the token of an insert before it renames the part. After a kill in between, it would drop the repeated insert as a duplicate, and the
# rows would be missing from that table permanently. The embedded engine repairs its logs in the same way
# (deploy/embedded/engine/orphan-tokens.ts, with the reason for the newest 100 lines). Replicated tables write token and part in one
# transaction of Keeper and have no such log.
set -eu
data=$1
shift

for logs in "$data"/store/*/*/deduplication_logs; do
  [ -d "$logs" ] || continue
  table=${logs%/deduplication_logs}
  files=$(ls "$logs" | grep '^deduplication_log_[0-9]*\.txt$' | sort -t _ -k 3 -n | tail -n 2)
  newest=$logs/$(echo "$files" | tail -n 1)
  [ -f "$newest" ] || continue
  # A truncated line: the server could not read lines after it.
  if [ -n "$(tail -c 1 "$newest")" ]; then
    truncate -s "$(($(wc -c < "$newest") - $(tail -n 1 "$newest" | wc -c)))" "$newest"
  fi
  dropped=$(
    {
      ls -p "$table" | sed -n 's|/$||p'
      echo
      (cd "$logs" && cat $files) | tail -n 100
    } | awk -F '\t' '
      # The name of a part: partition_first_last_level, followed by the mutation if there was one.
      function read(name,  fields, count) {
        count = split(name, fields, "_")
        partition = fields[1]; first = fields[2] + 0; last = fields[3] + 0
        return (count == 4 || count == 5) && name ~ /^[^_]*_[0-9]+_[0-9]+_[0-9]+(_[0-9]+)?$/
      }
      function holds(name,  index_) {
        if (!read(name)) return 0
        for (index_ = 1; index_ <= parts; index_++)
          if (partition_of[index_] == partition && first_of[index_] <= first && last_of[index_] >= last) return 1
        return 0
      }
      !in_log && $0 == "" { in_log = 1; next }
      !in_log && read($0) { parts++; partition_of[parts] = partition; first_of[parts] = first; last_of[parts] = last }
      in_log && $1 == "1" && $3 != "" { if (!($3 in part_of)) order[++tokens] = $3; part_of[$3] = $2 }
      in_log && $1 == "2" { delete part_of[$3] }
      END {
        for (index_ = 1; index_ <= tokens; index_++) {
          token = order[index_]
          if (!(token in part_of)) continue
          if (!holds(part_of[token])) printf "2\t%s\t%s\n", part_of[token], token
          delete part_of[token]
        }
      }'
  )
  [ -n "$dropped" ] || continue
  printf '%s\n' "$dropped" >> "$newest"
  printf 'took tokens without rows out of %s:\n%s\n' "$newest" "$dropped" >&2
done

exec "$@"
