-- Volume, errors and mean latency by traffic class and status: summary, traffic, status-codes. Uniques and quantiles are in estimates.sql:
-- here each key would carry states of its own.
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

CREATE MATERIALIZED VIEW IF NOT EXISTS traffic_per_hour_mv TO traffic_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, country, traffic_class, status,
    count() AS requests,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, traffic_class, status, last_day;
