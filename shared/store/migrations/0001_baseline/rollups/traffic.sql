-- Volume, errors and mean latency by traffic class and status: summary, traffic, status-codes. Uniques and quantiles
-- are in estimates.sql, because here each key would need its own states.
CREATE TABLE IF NOT EXISTS traffic_per_hour
(
    website_id     LowCardinality(String),
    hour           DateTime('UTC'),
    country        LowCardinality(String),
    traffic_class  LowCardinality(String),
    status         UInt16,
    requests       SimpleAggregateFunction(sum, UInt64),
    bytes_sent     SimpleAggregateFunction(sum, UInt64),
    timed_requests SimpleAggregateFunction(sum, UInt64),
    time_taken_ms  SimpleAggregateFunction(sum, UInt64),
    expires        SimpleAggregateFunction(max, Date),
    last_day       Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, country, traffic_class, status)
ORDER BY (website_id, hour, country, traffic_class, status, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

-- Fed by hosts.sql, whose inserted blocks are already aggregated: reading `requests` would cost 0.25 µs more per row.
CREATE MATERIALIZED VIEW IF NOT EXISTS traffic_per_hour_mv TO traffic_per_hour AS
SELECT
    website_id, hour, country, traffic_class, status, sum(h.requests) AS requests, sum(h.bytes_sent) AS bytes_sent,
    sum(h.timed_requests) AS timed_requests, sum(h.time_taken_ms) AS time_taken_ms, max(h.expires) AS expires, last_day
FROM hosts_per_hour AS h
GROUP BY website_id, hour, country, traffic_class, status, last_day;
