-- Volume, errors and mean latency by class of traffic and status: summary, traffic, status-codes. Uniques and
-- quantiles are kept apart (0012), as every key would carry states of its own.
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
    expires        SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, country, traffic_class, status)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS traffic_per_hour_mv TO traffic_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    country,
    traffic_class,
    status,
    count() AS requests,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    max(toDate(received_at) + retention_days) AS expires
FROM requests AS r
GROUP BY website_id, hour, country, traffic_class, status;
