-- States of the control plane, folded from control.events up to an offset and split into parts
-- (shared/control/snapshot/snapshot.ts). A restart then does not fold the whole log. Only the last row has the number
-- of parts in `parts`; the others have 0. A snapshot without it, or with a gap, is incomplete. A partition has one
-- snapshot. One mark per row: reading one part of a megabyte reads no other.
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

-- Timelines of websites, projected from control.events (services/api/projections). A row of a later offset replaces an
-- earlier one of the same event, so a repeated projection changes nothing.
CREATE TABLE IF NOT EXISTS site_events
(
    organisation_id LowCardinality(String),
    -- '': the event concerns every website of the organisation.
    website_id      LowCardinality(String),
    event_id        String,
    date            Date,
    time            String,
    title           String,
    category        LowCardinality(String),
    description     String,
    created_by      String,
    automatic       Bool,
    created_at      DateTime64(3, 'UTC'),
    deleted         Bool,
    log_offset      UInt64
)
ENGINE = ReplacingMergeTree(log_offset)
ORDER BY (organisation_id, website_id, event_id)
SETTINGS non_replicated_deduplication_window = 100;

-- Last use of each API key, accurate to about a minute (services/api/key-uses.ts).
CREATE TABLE IF NOT EXISTS api_key_uses
(
    api_key_id String,
    last_used  SimpleAggregateFunction(max, DateTime('UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY api_key_id
SETTINGS non_replicated_deduplication_window = 100;

-- The subject of a running erasure. The engine keeps the text of a finished mutation, so mutations refer to this table
-- and the erasure's id, never to an address or a name. Emptied when the erasure ends.
CREATE TABLE IF NOT EXISTS erasing
(
    erasure_id String,
    -- Address: in the form of the rows.
    client_ip  IPv6,
    -- Address: the pattern for texts that name it.
    naming     String,
    -- Other subjects: the values.
    texts      Array(String),
    written_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY erasure_id
TTL written_at + toIntervalDay(1)
SETTINGS non_replicated_deduplication_window = 1000;
