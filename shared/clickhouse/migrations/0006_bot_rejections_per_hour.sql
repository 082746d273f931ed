-- The paths on which bots were turned away (401, 403, 429, 451): bots/access.
CREATE TABLE IF NOT EXISTS bot_rejections_per_hour
(
    website_id LowCardinality(String),
    hour       DateTime('UTC'),
    bot_name   LowCardinality(String),
    path       String,
    status     UInt16,
    country    LowCardinality(String),
    requests   SimpleAggregateFunction(sum, UInt64),
    expires    SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, bot_name, path, status, country)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_rejections_per_hour_mv TO bot_rejections_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_name,
    path,
    status,
    country,
    count() AS requests,
    max(toDate(received_at) + retention_days) AS expires
FROM requests
WHERE is_bot AND status IN (401, 403, 429, 451)
GROUP BY website_id, hour, bot_name, path, status, country;
