-- The robots.txt of each website: every fetch, and each content once, by its hash. A repeated write replaces itself. Contents stay for as long as
-- the website is kept: one that was fetched two years ago may stand today.
CREATE TABLE IF NOT EXISTS robots_fetches
(
    website_id  LowCardinality(String),
    fetched_at  DateTime64(3, 'UTC'),
    outcome     LowCardinality(String),
    http_status UInt16,
    final_url   String,
    hash        String,
    problem     String
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, fetched_at)
TTL toDateTime(fetched_at) + INTERVAL 800 DAY
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 100;

CREATE TABLE IF NOT EXISTS robots_versions
(
    website_id    LowCardinality(String),
    hash          String,
    content       String CODEC(ZSTD(3)),
    is_truncated  Bool,
    stored_at     DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY (website_id, hash)
SETTINGS index_granularity = 16, non_replicated_deduplication_window = 100;
