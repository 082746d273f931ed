-- Figures from external services (docs/connections.md). Rows have the id of their source: rows of a disconnected
-- property are not read.
--
-- Daily totals of a search-performance source, in the source's days. They are written last: rows of pages and queries
-- count only with the day's version, so a day is read completely. A position of 0 is unknown.
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
TTL day + toIntervalDay(800)
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
TTL day + toIntervalDay(800)
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
TTL day + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 1000;

-- Queries of each page over the 28 days that end with `through`. source_syncs names the version to read.
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
TTL through + toIntervalDay(60)
SETTINGS non_replicated_deduplication_window = 1000;

-- A search engine's answer for each inspected path (URL inspection). A later inspection replaces an earlier one.
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
TTL toDateTime(inspected_at) + toIntervalDay(400)
SETTINGS non_replicated_deduplication_window = 1000;

-- Daily totals of web analytics, in the property's time zone; written last, as in search_days. Revenue is negative if
-- refunds exceed it.
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
    -- '': unknown; its days are read as UTC.
    time_zone        LowCardinality(String)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (website_id, source_id, day)
TTL day + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 1000;

-- Session figures count sessions that began on the page; pageviews, active_users and engagement_secs refer to the page
-- itself.
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
TTL day + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS analytics_sources
(
    website_id       LowCardinality(String),
    source_id        LowCardinality(String),
    day              Date,
    version          UInt64 CODEC(Delta, ZSTD(1)),
    source           String CODEC(ZSTD(1)),
    medium           String CODEC(ZSTD(1)),
    -- '': no AI assistant.
    ai_operator      LowCardinality(String),
    sessions         UInt64 CODEC(ZSTD(1)),
    engaged_sessions UInt64 CODEC(ZSTD(1)),
    key_events       UInt64 CODEC(ZSTD(1)),
    revenue          Float64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, source_id, day, version, source, medium)
TTL day + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 1000;

-- The last sync of each source of any kind. A time or day of 0: never. `marks` is the reader's state, as JSON.
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
TTL toDateTime(attempted_at) + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 1000;
