-- Requests by day of receipt: the setup page.
--
-- In each rollup a bucket only has rows of one last day (`last_day` is in its key), so that counts expire with the
-- rows.
CREATE TABLE IF NOT EXISTS receipts_per_day
(
    website_id    LowCardinality(String),
    day           Date,
    requests      SimpleAggregateFunction(sum, UInt64),
    last_received SimpleAggregateFunction(max, DateTime('UTC')),
    expires       SimpleAggregateFunction(max, Date),
    last_day      Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
PRIMARY KEY (website_id, day)
ORDER BY (website_id, day, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS receipts_per_day_mv TO receipts_per_day AS
SELECT
    website_id, toDate(received_at) AS day,
    count() AS requests,
    max(received_at) AS last_received,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
GROUP BY website_id, day, last_day;
