-- States of the control plane, folded from control.events up to an offset and taken apart (shared/control/snapshot/snapshot.ts), so
-- that a restart need not fold the whole log. `parts` is how many there are and stands on the last one alone, 0 on the
-- others: without it, or with a gap, a snapshot is half-written. A partition holds one snapshot and goes when newer
-- ones are there; a mark for each row, so that a read of one part of a megabyte reads no neighbours.
CREATE TABLE IF NOT EXISTS control_snapshots
(
    fingerprint   String,
    next_offset   UInt64,
    last_decision String,
    part          UInt32,
    parts         UInt32,
    content       String CODEC(ZSTD(1)),
    taken_at      DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = MergeTree
PARTITION BY (fingerprint, next_offset, last_decision)
ORDER BY (fingerprint, next_offset, last_decision, part)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 1;
