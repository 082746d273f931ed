-- Fetches by search crawlers on the last 90 days, counted once a night: the score of each page by crawler family
-- (page-importance, url). A family with verified requests is counted by these; any other by its unverified claims.
-- `verified` of the build shows which.
--
-- A build's row in page_importance_builds is written last, and readers use the newest build, so an incomplete build is
-- never read. All rows expire a week after the build, and none outlives the rows it was counted from.
CREATE TABLE IF NOT EXISTS page_importance
(
    website_id   LowCardinality(String),
    built_on     Date,
    build_id     String,
    family       LowCardinality(String),
    path         String CODEC(ZSTD(1)),
    crawls       UInt64 CODEC(ZSTD(1)),
    score_tenths UInt8,
    first_crawl  DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    last_crawl   DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    expires      Date
)
ENGINE = MergeTree
PARTITION BY built_on
ORDER BY (website_id, build_id, family, path)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;

-- Fetches of each path before the day of the build (urls/search, url), with verified ones separate. Later ones are in
-- crawler_paths_per_hour.
CREATE TABLE IF NOT EXISTS crawled_paths
(
    website_id  LowCardinality(String),
    built_on    Date,
    build_id    String,
    is_verified Bool,
    path        String CODEC(ZSTD(1)),
    requests    UInt64 CODEC(ZSTD(1)),
    last_seen   DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    bot_name    LowCardinality(String),
    expires     Date
)
ENGINE = MergeTree
PARTITION BY built_on
ORDER BY (website_id, build_id, is_verified, path)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;

-- One row per build. `families` to `distribution` have an element per family, most crawls first. counted_days (days
-- since 1970-01-01) and counted_requests are the requests that the build counted. If a day's count has changed, the
-- build is stale.
CREATE TABLE IF NOT EXISTS page_importance_builds
(
    website_id       LowCardinality(String),
    generated        DateTime64(3, 'UTC'),
    build_id         String,
    families         Array(String),
    verified         Array(Bool),
    pages            Array(UInt64),
    crawls           Array(UInt64),
    distribution     Array(Array(UInt64)),
    expires          Date,
    counted_days     Array(UInt32),
    counted_requests Array(UInt64)
)
ENGINE = MergeTree
ORDER BY (website_id, generated)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;
