-- When each job of a website last ran, and how it ended (services/jobs/runner): a restart must not run everything anew. A later end
-- replaces an earlier one.
CREATE TABLE IF NOT EXISTS job_runs
(
    website_id  LowCardinality(String),
    job         LowCardinality(String),
    started_at  DateTime64(3, 'UTC'),
    finished_at DateTime64(3, 'UTC'),
    outcome     LowCardinality(String),
    failures    UInt32,
    problem     String
)
ENGINE = ReplacingMergeTree(finished_at)
ORDER BY (website_id, job)
TTL toDateTime(finished_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 100;

-- Each time that a website's sitemaps were read, whole or in part (services/jobs/sitemaps). The latest complete one says what is listed.
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
TTL toDateTime(fetched_at) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 100;

-- Paths that sitemaps list or have listed. `last_seen` is the start of the last fetch that found the path listed, so that a fetch may be written
-- again without change. Nothing is written when a path is no longer listed: it is removed where a complete fetch is later than `last_seen`.
-- `listed` tells what stood there last; read it with max(), as claim_verdicts (0020).
CREATE TABLE IF NOT EXISTS sitemap_urls
(
    website_id LowCardinality(String),
    path       String CODEC(ZSTD(1)),
    first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen  SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    listed     SimpleAggregateFunction(max, Tuple(at DateTime64(3, 'UTC'), url String, sitemap String, lastmod DateTime64(3, 'UTC'))) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (website_id, path)
TTL toDateTime(last_seen) + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 100, merge_selector_base = 10;
