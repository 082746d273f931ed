-- Requests by host: hosts. With the filter `host` also status-codes and the volume of summary and traffic. traffic.sql
-- is fed by it.
--
-- Clients choose the host, as they choose the path: an invented host costs here as much as an invented path in
-- paths.sql. So no other rollup contains the host.
CREATE TABLE IF NOT EXISTS hosts_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    host             LowCardinality(String),
    country          LowCardinality(String),
    traffic_class    LowCardinality(String),
    status           UInt16,
    bot_family       LowCardinality(String),
    bot_verification LowCardinality(String),
    -- '::' unless the verdict was pending: reads use the address to apply a later verdict.
    pending_ip       IPv6,
    requests         SimpleAggregateFunction(sum, UInt64),
    bytes_sent       SimpleAggregateFunction(sum, UInt64),
    timed_requests   SimpleAggregateFunction(sum, UInt64),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, host, country, traffic_class, status, bot_family, bot_verification, pending_ip)
ORDER BY (website_id, hour, host, country, traffic_class, status, bot_family, bot_verification, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS hosts_per_hour_mv TO hosts_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, host, country, traffic_class, status, bot_family, bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    count() AS requests,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, host, country, traffic_class, status, bot_family, bot_verification, pending_ip, last_day;
