-- What web analytics tell of websites (docs/connections.md). Days are those of the property's time zone. As with search_days, the totals of a day are
-- written last: rows of pages and sources count where their version is that of the day's, so that a day is seen whole, and the newest time that
-- it was read takes the place of those before. Money may be below 0, where more was paid back than came in.
CREATE TABLE IF NOT EXISTS analytics_days
(
    website_id       LowCardinality(String),
    source_id        LowCardinality(String),
    day              Date,
    version          UInt64,
    sessions         UInt64,
    engaged_sessions UInt64,
    key_events       UInt64,
    revenue          Float64,
    pageviews        UInt64,
    active_users     UInt64,
    engagement_secs  UInt64,
    currency         LowCardinality(String),
    -- '': the service told none that is known; its days are taken for those of UTC.
    time_zone        LowCardinality(String)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (website_id, source_id, day)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- Figures of sessions are of those that began on the page; pageviews, active_users and engagement_secs are of the page itself.
CREATE TABLE IF NOT EXISTS analytics_pages
(
    website_id       LowCardinality(String),
    source_id        LowCardinality(String),
    day              Date,
    version          UInt64 CODEC(Delta, ZSTD(1)),
    path             String CODEC(ZSTD(1)),
    sessions         UInt64 CODEC(ZSTD(1)),
    engaged_sessions UInt64 CODEC(ZSTD(1)),
    key_events       UInt64 CODEC(ZSTD(1)),
    revenue          Float64 CODEC(ZSTD(1)),
    pageviews        UInt64 CODEC(ZSTD(1)),
    active_users     UInt64 CODEC(ZSTD(1)),
    engagement_secs  UInt64 CODEC(ZSTD(1)),
    ai_sessions      UInt64 CODEC(ZSTD(1)),
    search_sessions  UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, day, version, path)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS analytics_sources
(
    website_id       LowCardinality(String),
    source_id        LowCardinality(String),
    day              Date,
    version          UInt64 CODEC(Delta, ZSTD(1)),
    source           String CODEC(ZSTD(1)),
    medium           String CODEC(ZSTD(1)),
    -- '': the source names no AI assistant.
    ai_operator      LowCardinality(String),
    sessions         UInt64 CODEC(ZSTD(1)),
    engaged_sessions UInt64 CODEC(ZSTD(1)),
    key_events       UInt64 CODEC(ZSTD(1)),
    revenue          Float64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, day, version, source, medium)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;
