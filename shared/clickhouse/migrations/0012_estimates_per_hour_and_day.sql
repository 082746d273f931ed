-- Distinct addresses, distinct paths and quantiles of the time taken: summary, traffic, and the totals of other
-- reads. They are states: read them with -Merge, never sum(). Few keys on purpose: a state stops growing at some
-- 12 KB, so that merging them costs by the number of keys and not of requests; by country they are therefore a
-- table of their own. The day tier is fed by the hour tier.
CREATE TABLE IF NOT EXISTS estimates_per_hour
(
    website_id     LowCardinality(String),
    hour           DateTime('UTC'),
    is_bot         Bool,
    requests       SimpleAggregateFunction(sum, UInt64),
    time_quantiles AggregateFunction(quantilesBFloat16(0.5, 0.95, 0.99), Nullable(UInt32)),
    client_ips     AggregateFunction(uniqCombined64(14), IPv6),
    paths          AggregateFunction(uniqCombined64(14), String),
    expires        SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, is_bot)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
GROUP BY website_id, hour, is_bot;

CREATE TABLE IF NOT EXISTS estimates_per_day
(
    website_id     LowCardinality(String),
    day            Date,
    is_bot         Bool,
    requests       SimpleAggregateFunction(sum, UInt64),
    time_quantiles AggregateFunction(quantilesBFloat16(0.5, 0.95, 0.99), Nullable(UInt32)),
    client_ips     AggregateFunction(uniqCombined64(14), IPv6),
    paths          AggregateFunction(uniqCombined64(14), String),
    expires        SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, is_bot)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_day_mv TO estimates_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    is_bot,
    sum(e.requests) AS requests,
    quantilesBFloat16MergeState(0.5, 0.95, 0.99)(e.time_quantiles) AS time_quantiles,
    uniqCombined64MergeState(14)(e.client_ips) AS client_ips,
    uniqCombined64MergeState(14)(e.paths) AS paths,
    max(e.expires) AS expires
FROM estimates_per_hour AS e
GROUP BY website_id, day, is_bot;

CREATE TABLE IF NOT EXISTS country_estimates_per_hour
(
    website_id     LowCardinality(String),
    hour           DateTime('UTC'),
    country        LowCardinality(String),
    is_bot         Bool,
    requests       SimpleAggregateFunction(sum, UInt64),
    time_quantiles AggregateFunction(quantilesBFloat16(0.5, 0.95, 0.99), Nullable(UInt32)),
    client_ips     AggregateFunction(uniqCombined64(14), IPv6),
    paths          AggregateFunction(uniqCombined64(14), String),
    expires        SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, country, is_bot)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS country_estimates_per_hour_mv TO country_estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    country,
    is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
GROUP BY website_id, hour, country, is_bot;
