-- Rows say which rules judged them and what decided, and keep what the CDN said, so that they can be judged anew. Rows of before
-- say nothing of it.
ALTER TABLE requests ADD COLUMN IF NOT EXISTS cdn_bot_category LowCardinality(String);
ALTER TABLE requests ADD COLUMN IF NOT EXISTS verification_method LowCardinality(String);
ALTER TABLE requests ADD COLUMN IF NOT EXISTS rules_version LowCardinality(String);
ALTER TABLE bots_per_hour ADD COLUMN IF NOT EXISTS verification_method LowCardinality(String), ADD COLUMN IF NOT EXISTS rules_version LowCardinality(String), MODIFY ORDER BY (website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status, last_day, verification_method, rules_version);

-- Views are made anew and not modified (0023). Nothing may insert meanwhile: stop the enrichers.
DROP VIEW IF EXISTS bots_per_hour_mv;

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
