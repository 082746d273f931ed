-- Distinct addresses, distinct paths and quantiles of the response time: summary, traffic, totals of other reads. These
-- are states: read them with -Merge, never sum(). A state stops growing at some 12 KB, so merge cost depends on the
-- number of keys. These tables have few keys, and estimates by country or bot are in separate tables. `is_bot` means
-- "not a person" (traffic_class). A line without a path has path ''.
--
-- Small granules: a read decodes whole granules, and one of 8,192 rows has the states of many websites.
CREATE TABLE IF NOT EXISTS estimates_per_hour
(
    website_id     LowCardinality(String),
    hour           DateTime('UTC'),
    is_bot         Bool,
    requests       SimpleAggregateFunction(sum, UInt64),
    time_quantiles AggregateFunction(quantilesBFloat16(0.5, 0.95, 0.99), Nullable(UInt32)),
    client_ips     AggregateFunction(uniqCombined64(14), IPv6),
    paths          AggregateFunction(uniqCombined64(14), String),
    expires        SimpleAggregateFunction(max, Date),
    last_day       Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, is_bot, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, index_granularity = 64;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour,
    toBool(traffic_class != 'human') AS is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, toBool(traffic_class != 'human'), last_day;

CREATE TABLE IF NOT EXISTS estimates_per_day
(
    website_id     LowCardinality(String),
    day            Date,
    is_bot         Bool,
    requests       SimpleAggregateFunction(sum, UInt64),
    time_quantiles AggregateFunction(quantilesBFloat16(0.5, 0.95, 0.99), Nullable(UInt32)),
    client_ips     AggregateFunction(uniqCombined64(14), IPv6),
    paths          AggregateFunction(uniqCombined64(14), String),
    expires        SimpleAggregateFunction(max, Date),
    last_day       Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, is_bot, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, index_granularity = 64;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_day_mv TO estimates_per_day AS
SELECT
    website_id, toDate(hour) AS day, is_bot,
    sum(e.requests) AS requests,
    quantilesBFloat16MergeState(0.5, 0.95, 0.99)(e.time_quantiles) AS time_quantiles,
    uniqCombined64MergeState(14)(e.client_ips) AS client_ips,
    uniqCombined64MergeState(14)(e.paths) AS paths,
    max(e.expires) AS expires, last_day
FROM estimates_per_hour AS e
GROUP BY website_id, day, is_bot, last_day;

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
    expires        SimpleAggregateFunction(max, Date),
    last_day       Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, country, is_bot, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS country_estimates_per_hour_mv TO country_estimates_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, country,
    toBool(traffic_class != 'human') AS is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, toBool(traffic_class != 'human'), last_day;

-- Distinct addresses and paths of each bot: bots.
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
    expires      SimpleAggregateFunction(max, Date),
    last_day     Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, bot_name, bot_variant, bot_category, country, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_estimates_per_hour_mv TO bot_estimates_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, bot_name, bot_variant, bot_category, country,
    count() AS requests,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_category, country, last_day;
