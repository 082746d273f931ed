-- Landings of people from an AI assistant, by page: ai-funnel, ai-landing. `visits` has a digest of client, page and
-- half hour per landing: landings of one visit count once (shared/reads/sql/ai-landings.ts). Statuses are 2xx, 4xx and
-- 5xx.
CREATE TABLE IF NOT EXISTS ai_visits_per_hour
(
    website_id  LowCardinality(String),
    hour        DateTime('UTC'),
    ai_operator LowCardinality(String),
    path        String,
    country     LowCardinality(String),
    status      UInt16,
    requests    SimpleAggregateFunction(sum, UInt64),
    visits      AggregateFunction(uniqExact, UInt64),
    first_seen  SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen   SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires     SimpleAggregateFunction(max, Date),
    last_day    Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, ai_operator, path, country, status)
ORDER BY (website_id, hour, ai_operator, path, country, status, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS ai_visits_per_hour_mv TO ai_visits_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, ai_operator, path, country, status,
    count() AS requests,
    uniqExactState(sipHash64(client_ip, user_agent, path, intDiv(toUnixTimestamp64Milli(timestamp), 1800000))) AS visits,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
WHERE (traffic_class = 'human') AND (ai_operator != '') AND (method IN ('GET', ''))
    AND (file_type IN ('html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp')) AND (intDiv(status, 100) IN (2, 4, 5))
GROUP BY website_id, hour, ai_operator, path, country, status, last_day;
