-- What outside services say of websites (docs/connections.md). Rows carry the id of the source that they came from: those of a property that is
-- no longer connected are read by nobody.
--
-- The totals of a day of a search-performance source, as the source counts days. They are written last: rows of pages and queries count where
-- their version is that of the day's, so that a day is seen whole, and the newest time that it was read takes the place of those before.
-- A position of 0 was not told.
CREATE TABLE IF NOT EXISTS search_days
(
    website_id  LowCardinality(String),
    source_id   LowCardinality(String),
    day         Date,
    version     UInt64,
    impressions UInt64,
    clicks      UInt64,
    position    Float64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (website_id, source_id, day)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS search_pages
(
    website_id  LowCardinality(String),
    source_id   LowCardinality(String),
    day         Date,
    version     UInt64 CODEC(Delta, ZSTD(1)),
    path        String CODEC(ZSTD(1)),
    impressions UInt64 CODEC(ZSTD(1)),
    clicks      UInt64 CODEC(ZSTD(1)),
    position    Float64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, day, version, path)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS search_queries
(
    website_id  LowCardinality(String),
    source_id   LowCardinality(String),
    day         Date,
    version     UInt64 CODEC(Delta, ZSTD(1)),
    query       String CODEC(ZSTD(1)),
    impressions UInt64 CODEC(ZSTD(1)),
    clicks      UInt64 CODEC(ZSTD(1)),
    position    Float64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, day, version, query)
TTL day + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- Of each page the queries of 28 days that end with `through`. A version is read where source_syncs names it.
CREATE TABLE IF NOT EXISTS search_page_queries
(
    website_id  LowCardinality(String),
    source_id   LowCardinality(String),
    version     UInt64 CODEC(Delta, ZSTD(1)),
    through     Date,
    path        String CODEC(ZSTD(1)),
    query       String CODEC(ZSTD(1)),
    impressions UInt64 CODEC(ZSTD(1)),
    clicks      UInt64 CODEC(ZSTD(1)),
    position    Float64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, version, path, query)
TTL through + INTERVAL 60 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- How the last reading of each source went, of any kind. Times and days of 0 were never; `marks` is the reader's own, as JSON.
CREATE TABLE IF NOT EXISTS source_syncs
(
    website_id   LowCardinality(String),
    source_id    LowCardinality(String),
    kind         LowCardinality(String),
    attempted_at DateTime64(3, 'UTC'),
    last_sync_at DateTime64(3, 'UTC'),
    data_through Date,
    counts       Map(String, UInt64),
    problem      String,
    marks        String
)
ENGINE = ReplacingMergeTree(attempted_at)
ORDER BY (website_id, source_id)
TTL toDateTime(attempted_at) + INTERVAL 800 DAY
SETTINGS non_replicated_deduplication_window = 1000;
