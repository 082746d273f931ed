-- Requests answered 404 by path and client: recommendations. The columns of a claim resolve pending verdicts.
CREATE TABLE IF NOT EXISTS not_found_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    path             LowCardinality(String),
    traffic_class    LowCardinality(String),
    bot_family       LowCardinality(String),
    bot_verification LowCardinality(String),
    -- '::' unless the verdict was pending.
    pending_ip       IPv6,
    requests         SimpleAggregateFunction(sum, UInt64),
    -- Requests that sent the path in the normal spelling.
    as_stored        SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, path, traffic_class, bot_family, bot_verification, pending_ip)
ORDER BY (website_id, hour, path, traffic_class, bot_family, bot_verification, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS not_found_per_hour_mv TO not_found_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, path, traffic_class, bot_family, bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    count() AS requests,
    countIf(sent_target = '') AS as_stored,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
WHERE status = 404
GROUP BY website_id, hour, path, traffic_class, bot_family, bot_verification, pending_ip, last_day;
