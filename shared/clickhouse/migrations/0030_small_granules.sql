-- Tables of states in small granules. A read decodes whole granules, and one of 8,192 rows holds the states of many websites: the
-- addresses, paths and quantiles of two weeks cost a website 75 ms of CPU where its own are 20 ms of it. The setting is
-- fixed when a table is made, so each is made anew under a name of this attempt, filled, and takes the old one's name: at each moment
-- the name has everything, also where two attempts run at once. What a cut attempt leaves is read by nobody, and expires.
-- Nothing may insert meanwhile: stop the enrichers, and let them finish their ranges (0023).
DROP VIEW IF EXISTS estimates_per_hour_mv;

DROP VIEW IF EXISTS estimates_per_day_mv;

DROP VIEW IF EXISTS country_estimates_per_hour_mv;

DROP VIEW IF EXISTS bot_estimates_per_hour_mv;

CREATE TABLE IF NOT EXISTS estimates_per_hour_{attempt}
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
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, materialize_ttl_recalculate_only = 1, index_granularity = 64;

INSERT INTO estimates_per_hour_{attempt}
SETTINGS max_block_size = 1024, min_insert_block_size_rows = 0, min_insert_block_size_bytes = 67108864
SELECT * FROM estimates_per_hour;

EXCHANGE TABLES estimates_per_hour AND estimates_per_hour_{attempt};

DROP TABLE IF EXISTS estimates_per_hour_{attempt} SYNC;

CREATE TABLE IF NOT EXISTS estimates_per_day_{attempt}
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
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, materialize_ttl_recalculate_only = 1, index_granularity = 64;

INSERT INTO estimates_per_day_{attempt}
SETTINGS max_block_size = 1024, min_insert_block_size_rows = 0, min_insert_block_size_bytes = 67108864
SELECT * FROM estimates_per_day;

EXCHANGE TABLES estimates_per_day AND estimates_per_day_{attempt};

DROP TABLE IF EXISTS estimates_per_day_{attempt} SYNC;

CREATE TABLE IF NOT EXISTS country_estimates_per_hour_{attempt}
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
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, materialize_ttl_recalculate_only = 1, index_granularity = 256;

INSERT INTO country_estimates_per_hour_{attempt}
SETTINGS max_block_size = 1024, min_insert_block_size_rows = 0, min_insert_block_size_bytes = 67108864
SELECT * FROM country_estimates_per_hour;

EXCHANGE TABLES country_estimates_per_hour AND country_estimates_per_hour_{attempt};

DROP TABLE IF EXISTS country_estimates_per_hour_{attempt} SYNC;

CREATE TABLE IF NOT EXISTS bot_estimates_per_hour_{attempt}
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
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, materialize_ttl_recalculate_only = 1, index_granularity = 256;

INSERT INTO bot_estimates_per_hour_{attempt}
SETTINGS max_block_size = 1024, min_insert_block_size_rows = 0, min_insert_block_size_bytes = 67108864
SELECT * FROM bot_estimates_per_hour;

EXCHANGE TABLES bot_estimates_per_hour AND bot_estimates_per_hour_{attempt};

DROP TABLE IF EXISTS bot_estimates_per_hour_{attempt} SYNC;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, is_bot, last_day;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_day_mv TO estimates_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    is_bot,
    sum(e.requests) AS requests,
    quantilesBFloat16MergeState(0.5, 0.95, 0.99)(e.time_quantiles) AS time_quantiles,
    uniqCombined64MergeState(14)(e.client_ips) AS client_ips,
    uniqCombined64MergeState(14)(e.paths) AS paths,
    max(e.expires) AS expires,
    last_day
FROM estimates_per_hour AS e
GROUP BY website_id, day, is_bot, last_day;

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
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, is_bot, last_day;

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
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_category, country, last_day;
