-- Requests that claim to be a bot, by bot, claim and status: bots, bots/access, summary.
CREATE TABLE IF NOT EXISTS bots_per_hour
(
    website_id          LowCardinality(String),
    hour                DateTime('UTC'),
    bot_name            LowCardinality(String),
    bot_variant         LowCardinality(String),
    bot_family          LowCardinality(String),
    bot_operator        LowCardinality(String),
    bot_category        LowCardinality(String),
    ai_intent           LowCardinality(String),
    bot_verification    LowCardinality(String),
    -- '::' unless the verdict was pending: reads use the address to apply a later verdict.
    pending_ip          IPv6,
    country             LowCardinality(String),
    status              UInt16,
    verification_method LowCardinality(String),
    rules_version       LowCardinality(String),
    requests            SimpleAggregateFunction(sum, UInt64),
    bytes_sent          SimpleAggregateFunction(sum, UInt64),
    timed_requests      SimpleAggregateFunction(sum, UInt64),
    time_taken_ms       SimpleAggregateFunction(sum, UInt64),
    first_seen          SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen           SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    expires             SimpleAggregateFunction(max, Date),
    last_day            Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (
    website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip,
    country, status
)
ORDER BY (
    website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip,
    country, status, last_day, verification_method, rules_version
)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS bots_per_hour_mv TO bots_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent,
    bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    country, status, verification_method, rules_version,
    count() AS requests,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY
    website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip,
    country, status, last_day, verification_method, rules_version;
