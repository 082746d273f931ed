-- How each metric of a website's health stood, interval by interval, with what was to be expected (spec §4.9). The detector writes an
-- interval again when late requests change it.
CREATE TABLE IF NOT EXISTS health_points
(
    website_id   LowCardinality(String),
    metric       LowCardinality(String),
    start        DateTime('UTC'),
    value        Float64,
    mean         Float64,
    std          Float64,
    z            Float64,
    status       LowCardinality(String),
    -- Of latency: requests whose time is known. Of the others 0.
    timed        UInt64,
    maturity     LowCardinality(String),
    observations UInt32,
    written_at   DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(written_at)
PARTITION BY toYYYYMM(start)
ORDER BY (website_id, metric, start)
TTL start + INTERVAL 31 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- What the detector knows of a website, from which its next owner goes on: a text that only services/detector reads.
CREATE TABLE IF NOT EXISTS detector_states
(
    website_id  LowCardinality(String),
    state       String CODEC(ZSTD(3)),
    -- Of `requests.signals`: the partition, and the offset of the next record that the state does not hold.
    log_partition UInt32,
    log_offset  UInt64,
    saved_at    DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(saved_at)
ORDER BY website_id
TTL toDateTime(saved_at, 'UTC') + INTERVAL 60 DAY
SETTINGS non_replicated_deduplication_window = 1000;
