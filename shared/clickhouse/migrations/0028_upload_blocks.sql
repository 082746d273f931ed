-- Blocks of named uploads that were stored, by their deduplication id: a block that comes again within a day is left out
-- (services/enricher/sink/repeated-blocks.ts). Written again after a crash, by place in the log, which changes nothing.
-- Eight days: a block may wait in the log for seven before it is looked for here.
CREATE TABLE IF NOT EXISTS upload_blocks
(
    website_id       LowCardinality(String),
    log_partition    UInt16,
    deduplication_id UUID,
    log_offset       UInt64,
    appended_at      DateTime64(3, 'UTC'),
    stored_at        DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, log_partition, deduplication_id, log_offset)
TTL stored_at + INTERVAL 8 DAY
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 1000;
