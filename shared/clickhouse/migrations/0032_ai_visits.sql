-- People whom an AI assistant sent, by the page that they came to: ai-funnel, ai-landing. Filled as in 0031.
CREATE TABLE IF NOT EXISTS ai_visits_per_hour
(
    website_id  LowCardinality(String),
    hour        DateTime('UTC'),
    ai_operator LowCardinality(String),
    path        String CODEC(ZSTD(1)),
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

DROP VIEW IF EXISTS ai_visits_per_hour_mv;

CREATE TABLE IF NOT EXISTS ai_visits_per_hour_{attempt}
(
    website_id  LowCardinality(String),
    hour        DateTime('UTC'),
    ai_operator LowCardinality(String),
    path        String CODEC(ZSTD(1)),
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

INSERT INTO ai_visits_per_hour_{attempt}
SETTINGS max_partitions_per_insert_block = 0
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    ai_operator,
    path,
    country,
    1 AS requests,
    timestamp AS first_seen,
    timestamp AS last_seen,
    toDate(received_at) + retention_days AS expires,
    expires AS last_day
FROM requests
WHERE traffic_class = 'human' AND ai_operator != '';

EXCHANGE TABLES ai_visits_per_hour AND ai_visits_per_hour_{attempt};

DROP TABLE IF EXISTS ai_visits_per_hour_{attempt} SYNC;

CREATE MATERIALIZED VIEW IF NOT EXISTS ai_visits_per_hour_mv TO ai_visits_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    ai_operator,
    path,
    country,
    count() AS requests,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
WHERE traffic_class = 'human' AND ai_operator != ''
GROUP BY website_id, hour, ai_operator, path, country, last_day;
