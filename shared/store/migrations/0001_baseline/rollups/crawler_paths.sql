-- Fetches of crawlers, by path, crawler and status: seo, llms, url, page-importance.
--
-- The sorting key finds all days of one path. It does not contain `hour`, so that the engine applies bounds of hours to
-- toDate(hour). Rows with the same key have the same day and hour of the day, so they have the same hour.
CREATE TABLE IF NOT EXISTS crawler_paths_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC') CODEC(GCD, T64, Default),
    bot_category     LowCardinality(String),
    path             LowCardinality(String),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    -- '::' unless the verdict was pending.
    pending_ip       IPv6,
    file_type        LowCardinality(String),
    has_query        UInt8,
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64),
    timed_requests   SimpleAggregateFunction(sum, UInt64),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (
    website_id, toDate(hour), bot_category, path, bot_name, status, bot_verification, file_type, has_query, country, bot_family,
    ai_intent, pending_ip, last_day, toHour(hour)
)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS crawler_paths_per_hour_mv TO crawler_paths_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, bot_category, path, bot_name, bot_family, ai_intent, bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    file_type,
    query != '' AS has_query,
    country, status,
    count() AS requests,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY
    website_id, hour, bot_category, path, bot_name, bot_family, ai_intent, bot_verification, pending_ip, file_type, has_query,
    country, status, last_day;
