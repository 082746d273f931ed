-- What search crawlers fetched on the last 90 days, counted once a night: how much each family cares for each page (page-importance, url), and
-- each path with its fetches (urls/search, url), so that these reads cost by the paths that there are and not by the requests.
-- A build's row in page_importance_builds is written last: who reads finds the newest row and then what that build wrote, so a build that
-- was cut off is never read. All goes a week after the build, and no row outlives those that it was counted from (`expires`).
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

-- Fetches before the day of the build; those since are in crawler_paths_per_day.
CREATE TABLE IF NOT EXISTS crawled_paths
(
    website_id LowCardinality(String),
    built_on   Date,
    build_id   String,
    path       String CODEC(ZSTD(1)),
    requests   UInt64 CODEC(ZSTD(1)),
    last_seen  DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    bot_name   LowCardinality(String),
    expires    Date
)
ENGINE = MergeTree
PARTITION BY built_on
ORDER BY (website_id, build_id, path)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;

-- One row a build, so that it is there whole or not at all; the arrays have an element for each family, most crawls first.
CREATE TABLE IF NOT EXISTS page_importance_builds
(
    website_id   LowCardinality(String),
    generated    DateTime64(3, 'UTC'),
    build_id     String,
    families     Array(String),
    pages        Array(UInt64),
    crawls       Array(UInt64),
    distribution Array(Array(UInt64)),
    expires      Date
)
ENGINE = MergeTree
ORDER BY (website_id, generated)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;
