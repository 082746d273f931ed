-- Requests by client address and by what it claims to be: ips and address ranges. Most addresses make one claim,
-- so the claim in the key adds few rows, and one that claims several bots shows each with its verdict. The day
-- tier is fed by the hour tier.
CREATE TABLE IF NOT EXISTS client_ips_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    client_ip        IPv6,
    country          LowCardinality(String),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    bot_verification LowCardinality(String),
    asn              SimpleAggregateFunction(any, UInt32),
    as_name          SimpleAggregateFunction(any, LowCardinality(String)),
    requests         SimpleAggregateFunction(sum, UInt64),
    status_4xx       SimpleAggregateFunction(sum, UInt64),
    status_5xx       SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires          SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, client_ip, country, bot_name, bot_family, bot_verification)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_hour_mv TO client_ips_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    client_ip,
    country,
    bot_name,
    bot_family,
    bot_verification,
    any(r.asn) AS asn,
    any(r.as_name) AS as_name,
    count() AS requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
GROUP BY website_id, hour, client_ip, country, bot_name, bot_family, bot_verification;

CREATE TABLE IF NOT EXISTS client_ips_per_day
(
    website_id       LowCardinality(String),
    day              Date,
    client_ip        IPv6,
    country          LowCardinality(String),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    bot_verification LowCardinality(String),
    asn              SimpleAggregateFunction(any, UInt32),
    as_name          SimpleAggregateFunction(any, LowCardinality(String)),
    requests         SimpleAggregateFunction(sum, UInt64),
    status_4xx       SimpleAggregateFunction(sum, UInt64),
    status_5xx       SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires          SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, client_ip, country, bot_name, bot_family, bot_verification)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_day_mv TO client_ips_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    client_ip,
    country,
    bot_name,
    bot_family,
    bot_verification,
    any(i.asn) AS asn,
    any(i.as_name) AS as_name,
    sum(i.requests) AS requests,
    sum(i.status_4xx) AS status_4xx,
    sum(i.status_5xx) AS status_5xx,
    sum(i.bytes_sent) AS bytes_sent,
    min(i.first_seen) AS first_seen,
    max(i.last_seen) AS last_seen,
    max(i.expires) AS expires
FROM client_ips_per_hour AS i
GROUP BY website_id, day, client_ip, country, bot_name, bot_family, bot_verification;
