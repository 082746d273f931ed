-- Rows of exports whose figures no statement tells, because they are worked out by the answer (shared/answers): recommendations, URL patterns. Put in
-- here, the engine writes their file as it writes all others. They are of use for minutes.
CREATE TABLE IF NOT EXISTS export_rows
(
    website_id LowCardinality(String),
    -- Of one attempt to make the file.
    batch_id   String,
    place      UInt32,
    -- JSON.
    row        String CODEC(ZSTD(3)),
    written_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (website_id, batch_id, place)
TTL written_at + INTERVAL 1 DAY
SETTINGS non_replicated_deduplication_window = 1000;
