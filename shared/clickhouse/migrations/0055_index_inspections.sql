-- What a search engine says of each path that it was asked about (URL inspection); a later inspection replaces an earlier one.
CREATE TABLE IF NOT EXISTS index_inspections
(
    website_id       LowCardinality(String),
    source_id        LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    url              String CODEC(ZSTD(1)),
    verdict          LowCardinality(String),
    coverage_state   LowCardinality(String),
    robots_state     LowCardinality(String),
    indexing_state   LowCardinality(String),
    fetch_state      LowCardinality(String),
    engine_canonical String CODEC(ZSTD(1)),
    -- 0: never.
    last_crawl       DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    inspected_at     DateTime64(3, 'UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(inspected_at)
ORDER BY (website_id, source_id, path)
TTL toDateTime(inspected_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 1000;
