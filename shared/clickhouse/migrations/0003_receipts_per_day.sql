-- What arrived, by day of receipt (not of the request): the setup page's question.
CREATE TABLE IF NOT EXISTS receipts_per_day
(
    website_id    LowCardinality(String),
    day           Date,
    requests      SimpleAggregateFunction(sum, UInt64),
    last_received SimpleAggregateFunction(max, DateTime('UTC')),
    expires       SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day)
TTL expires
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS receipts_per_day_mv TO receipts_per_day AS
SELECT
    website_id,
    toDate(received_at) AS day,
    count() AS requests,
    max(received_at) AS last_received,
    max(toDate(received_at) + retention_days) AS expires
FROM requests
GROUP BY website_id, day;
