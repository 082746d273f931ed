-- Fetches of each website's robots.txt. A repeated write replaces itself.
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
TTL toDateTime(fetched_at) + toIntervalDay(800)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 100;

-- Each content of robots.txt once, by hash. A fetch that finds it renews `stored_at`: a version expires a day after the
-- last fetch that refers to it.
CREATE TABLE IF NOT EXISTS robots_versions
(
    website_id   LowCardinality(String),
    hash         String,
    content      String CODEC(ZSTD(3)),
    is_truncated Bool,
    stored_at    DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY (website_id, hash)
TTL toDateTime(stored_at) + toIntervalDay(801)
SETTINGS index_granularity = 16, non_replicated_deduplication_window = 100;

-- Each read of a website's sitemaps, complete or partial (services/jobs/sitemaps). The latest complete one determines
-- the listed URLs. Fetches expire a day before the paths: the sitemaps are then unknown, not empty.
CREATE TABLE IF NOT EXISTS sitemap_fetches
(
    website_id   LowCardinality(String),
    fetched_at   DateTime64(3, 'UTC'),
    finished_at  DateTime64(3, 'UTC'),
    complete     Bool,
    reason       LowCardinality(String),
    files        UInt32,
    failed_files UInt32,
    urls         UInt64,
    foreign_urls UInt64,
    invalid_urls UInt64,
    problems     String
)
ENGINE = ReplacingMergeTree(finished_at)
ORDER BY (website_id, fetched_at)
TTL toDateTime(fetched_at) + toIntervalDay(60)
SETTINGS non_replicated_deduplication_window = 100;

-- URLs that sitemaps list or have listed, by path and query. The start of the last fetch that found a URL is
-- `last_seen`, so that a fetch can be rewritten without change. A URL is removed if a complete fetch is later than
-- `last_seen`. No row records the removal. The last entry is `listed`: read it with max(), as claim_verdicts.
CREATE TABLE IF NOT EXISTS sitemap_urls
(
    website_id LowCardinality(String),
    path       String CODEC(ZSTD(1)),
    query      String CODEC(ZSTD(1)),
    first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen  SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    listed     SimpleAggregateFunction(max, Tuple(at DateTime64(3, 'UTC'), url String, sitemap String, lastmod DateTime64(3, 'UTC'))) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (website_id, path, query)
TTL toDateTime(last_seen) + toIntervalDay(61)
SETTINGS non_replicated_deduplication_window = 100, merge_selector_base = 10;
