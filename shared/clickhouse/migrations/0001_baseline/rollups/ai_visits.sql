-- People sent by an AI assistant, by landing page: ai-funnel, ai-landing.
CREATE TABLE IF NOT EXISTS ai_visits_per_hour
(
    website_id  LowCardinality(String),
    hour        DateTime('UTC'),
    ai_operator LowCardinality(String),
    path        String,
    country     LowCardinality(String),
    requests    SimpleAggregateFunction(sum, UInt64),
    first_seen  SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen   SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires     SimpleAggregateFunction(max, Date),
    last_day    Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, ai_operator, path, country, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS ai_visits_per_hour_mv TO ai_visits_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, ai_operator, path, country,
    count() AS requests,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
WHERE (traffic_class = 'human') AND (ai_operator != '')
GROUP BY website_id, hour, ai_operator, path, country, last_day;
