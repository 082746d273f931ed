-- Rows say which rules judged them and what decided, and keep what the CDN said, so that they can be judged anew. Rows of before
-- say nothing of it.
ALTER TABLE requests ADD COLUMN IF NOT EXISTS cdn_bot_category LowCardinality(String);
ALTER TABLE requests ADD COLUMN IF NOT EXISTS verification_method LowCardinality(String);
ALTER TABLE requests ADD COLUMN IF NOT EXISTS rules_version LowCardinality(String);

-- The rollup is made anew under a name of this attempt, filled, and takes the old one's name (as in 0030): what is no new column can't be
-- added to a key, so that an ALTER could not be repeated. Views are made anew and not modified (0023). Nothing may insert meanwhile: stop
-- the enrichers.
ALTER TABLE bots_per_hour ADD COLUMN IF NOT EXISTS verification_method LowCardinality(String), ADD COLUMN IF NOT EXISTS rules_version LowCardinality(String);

DROP VIEW IF EXISTS bots_per_hour_mv;

CREATE TABLE IF NOT EXISTS bots_per_hour_{attempt}
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
PRIMARY KEY (website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status)
ORDER BY (website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status, last_day, verification_method, rules_version)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10, materialize_ttl_recalculate_only = 1;

INSERT INTO bots_per_hour_{attempt} (website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status, verification_method, rules_version, requests, bytes_sent, timed_requests, time_taken_ms, first_seen, last_seen, expires, last_day)
SETTINGS max_partitions_per_insert_block = 0
SELECT website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status, verification_method, rules_version, requests, bytes_sent, timed_requests, time_taken_ms, first_seen, last_seen, expires, last_day
FROM bots_per_hour;

EXCHANGE TABLES bots_per_hour AND bots_per_hour_{attempt};

DROP TABLE IF EXISTS bots_per_hour_{attempt} SYNC;

CREATE MATERIALIZED VIEW IF NOT EXISTS bots_per_hour_mv TO bots_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_name,
    bot_variant,
    bot_family,
    bot_operator,
    bot_category,
    ai_intent,
    bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    country,
    status,
    verification_method,
    rules_version,
    count() AS requests,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent,
         bot_verification, pending_ip, country, status, last_day, verification_method, rules_version;
