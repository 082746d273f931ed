-- Requests by referring domain and AI assistant: referrers.
CREATE TABLE IF NOT EXISTS referrers_per_hour
(
    website_id      LowCardinality(String),
    hour            DateTime('UTC'),
    referrer_domain LowCardinality(String),
    referrer_class  LowCardinality(String),
    ai_operator     LowCardinality(String),
    country         LowCardinality(String),
    requests        SimpleAggregateFunction(sum, UInt64),
    human_requests  SimpleAggregateFunction(sum, UInt64),
    status_4xx      SimpleAggregateFunction(sum, UInt64),
    status_5xx      SimpleAggregateFunction(sum, UInt64),
    client_ips      AggregateFunction(uniqCombined64(14), IPv6),
    expires         SimpleAggregateFunction(max, Date),
    last_day        Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, referrer_domain, referrer_class, ai_operator, country)
ORDER BY (website_id, hour, referrer_domain, referrer_class, ai_operator, country, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS referrers_per_hour_mv TO referrers_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, referrer_domain, referrer_class, ai_operator, country,
    count() AS requests,
    countIf(traffic_class = 'human') AS human_requests,
    countIf((status >= 400) AND (status < 500)) AS status_4xx, countIf((status >= 500) AND (status < 600)) AS status_5xx,
    uniqCombined64State(14)(client_ip) AS client_ips,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
GROUP BY website_id, hour, referrer_domain, referrer_class, ai_operator, country, last_day;
