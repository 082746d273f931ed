-- Distinct addresses and paths of each bot: bots. Apart from bots_per_hour for the reason given in 0012.
CREATE TABLE IF NOT EXISTS bot_estimates_per_hour
(
    website_id   LowCardinality(String),
    hour         DateTime('UTC'),
    bot_name     LowCardinality(String),
    bot_variant  LowCardinality(String),
    bot_category LowCardinality(String),
    country      LowCardinality(String),
    requests     SimpleAggregateFunction(sum, UInt64),
    client_ips   AggregateFunction(uniqCombined64(14), IPv6),
    paths        AggregateFunction(uniqCombined64(14), String),
    expires      SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, bot_name, bot_variant, bot_category, country)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_estimates_per_hour_mv TO bot_estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_name,
    bot_variant,
    bot_category,
    country,
    count() AS requests,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_category, country;
