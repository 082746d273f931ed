-- Fetches of crawlers whose URL has a query: seo/sitemap, seo/url-patterns. Queries are as many as those of the raw rows at worst, so
-- crawler_paths_per_hour, which most reads use, has none.
CREATE TABLE IF NOT EXISTS crawler_queries_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    path             LowCardinality(String),
    query            String,
    bot_category     LowCardinality(String),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    bot_verification LowCardinality(String),
    -- '::' unless the verdict was pending.
    pending_ip       IPv6,
    file_type        LowCardinality(String),
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, path)
ORDER BY (
    website_id, hour, path, query, bot_category, bot_name, bot_family, bot_verification, pending_ip, file_type, country, status, last_day
)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS crawler_queries_per_hour_mv TO crawler_queries_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, path, query, bot_category, bot_name, bot_family, bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    file_type, country, status,
    count() AS requests,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
WHERE is_bot AND query != ''
GROUP BY
    website_id, hour, path, query, bot_category, bot_name, bot_family, bot_verification, pending_ip, file_type, country, status, last_day;
