-- Requests by client address and claim: ips, address ranges. Most addresses make one claim, so the claim adds few rows.
-- An address that claims several bots shows each with its verdict. Rows expire with the addresses
-- (requests.address_days).
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
    probes           SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64) CODEC(T64, Default),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64('bit'), Default),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, client_ip, country, bot_name, bot_family, bot_verification)
ORDER BY (website_id, hour, client_ip, country, bot_name, bot_family, bot_verification, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_hour_mv TO client_ips_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, client_ip, country, bot_name, bot_family, bot_verification,
    any(r.asn) AS asn,
    any(r.as_name) AS as_name,
    count() AS requests,
    countIf((status >= 400) AND (status < 500)) AS status_4xx, countIf((status >= 500) AND (status < 600)) AS status_5xx,
    countIf(is_probe) AS probes,
    sum(r.bytes_sent) AS bytes_sent,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + if(address_days = 0, retention_days, address_days)) AS expires,
    toDate(received_at) + if(address_days = 0, retention_days, address_days) AS last_day
FROM requests AS r
WHERE client_ip != toIPv6('::')
GROUP BY website_id, hour, client_ip, country, bot_name, bot_family, bot_verification, last_day;
