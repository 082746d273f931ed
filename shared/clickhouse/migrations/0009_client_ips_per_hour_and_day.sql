-- Requests by client address: ips and address ranges. Where one address claims several bots, the greatest
-- name stands for all. The day tier is fed by the hour tier.
CREATE TABLE IF NOT EXISTS client_ips_per_hour
(
    website_id       LowCardinality(String),
    hour              DateTime('UTC'),
    client_ip        IPv6,
    country          LowCardinality(String),
    asn              SimpleAggregateFunction(max, UInt32),
    as_name          SimpleAggregateFunction(max, String),
    bot_name         SimpleAggregateFunction(max, String),
    bot_family       SimpleAggregateFunction(max, String),
    bot_verification SimpleAggregateFunction(max, String),
    requests         SimpleAggregateFunction(sum, UInt64),
    bot_requests     SimpleAggregateFunction(sum, UInt64),
    status_4xx       SimpleAggregateFunction(sum, UInt64),
    status_5xx       SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires          SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, client_ip, country)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_hour_mv TO client_ips_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    client_ip,
    country,
    max(r.asn) AS asn,
    max(toString(r.as_name)) AS as_name,
    max(toString(r.bot_name)) AS bot_name,
    max(toString(r.bot_family)) AS bot_family,
    max(toString(r.bot_verification)) AS bot_verification,
    count() AS requests,
    countIf(is_bot) AS bot_requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
GROUP BY website_id, hour, client_ip, country;

CREATE TABLE IF NOT EXISTS client_ips_per_day
(
    website_id       LowCardinality(String),
    day              Date,
    client_ip        IPv6,
    country          LowCardinality(String),
    asn              SimpleAggregateFunction(max, UInt32),
    as_name          SimpleAggregateFunction(max, String),
    bot_name         SimpleAggregateFunction(max, String),
    bot_family       SimpleAggregateFunction(max, String),
    bot_verification SimpleAggregateFunction(max, String),
    requests         SimpleAggregateFunction(sum, UInt64),
    bot_requests     SimpleAggregateFunction(sum, UInt64),
    status_4xx       SimpleAggregateFunction(sum, UInt64),
    status_5xx       SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires          SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, client_ip, country)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_day_mv TO client_ips_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    client_ip,
    country,
    max(i.asn) AS asn,
    max(i.as_name) AS as_name,
    max(i.bot_name) AS bot_name,
    max(i.bot_family) AS bot_family,
    max(i.bot_verification) AS bot_verification,
    sum(i.requests) AS requests,
    sum(i.bot_requests) AS bot_requests,
    sum(i.status_4xx) AS status_4xx,
    sum(i.status_5xx) AS status_5xx,
    sum(i.bytes_sent) AS bytes_sent,
    min(i.first_seen) AS first_seen,
    max(i.last_seen) AS last_seen,
    max(i.expires) AS expires
FROM client_ips_per_hour AS i
GROUP BY website_id, day, client_ip, country;
