-- A bucket of a rollup holds rows that go on the same day, so that its counts go with them: `last_day`, that day, is a key.
-- Rows of one hour that came on different days, or under plans of different retention, are different buckets, which
-- reads fold as they fold unmerged ones. Buckets of the time before keep 1970-01-01 there, and go with the last of their rows.
ALTER TABLE receipts_per_day ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, day, last_day);
ALTER TABLE traffic_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, country, traffic_class, status, last_day);
ALTER TABLE bots_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, bot_name, bot_variant, bot_family, bot_operator, bot_category, ai_intent, bot_verification, pending_ip, country, status, last_day);
ALTER TABLE bot_rejections_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, bot_name, path, status, country, last_day);
ALTER TABLE paths_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, path, last_day);
ALTER TABLE paths_per_day ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, day, path, last_day);
ALTER TABLE locations_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, country, region, city, last_day);
ALTER TABLE client_ips_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, client_ip, country, bot_name, bot_family, bot_verification, last_day);
ALTER TABLE client_ips_per_day ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, day, client_ip, country, bot_name, bot_family, bot_verification, last_day);
ALTER TABLE referrers_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, referrer_domain, referrer_class, ai_operator, country, last_day);
ALTER TABLE devices_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, device_type, os, browser, country, last_day);
ALTER TABLE estimates_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, is_bot, last_day);
ALTER TABLE estimates_per_day ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, day, is_bot, last_day);
ALTER TABLE country_estimates_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, country, is_bot, last_day);
ALTER TABLE bot_estimates_per_hour ADD COLUMN IF NOT EXISTS last_day Date, MODIFY ORDER BY (website_id, hour, bot_name, bot_variant, bot_category, country, last_day);

-- Views are made anew and not modified: what the engine knows a view's inserts by changes when a modified one is loaded again,
-- so that a range that was inserted before a restart would count twice after it. Nothing may insert meanwhile: stop the enrichers.
DROP VIEW IF EXISTS receipts_per_day_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS receipts_per_day_mv TO receipts_per_day AS
SELECT
    website_id,
    toDate(received_at) AS day,
    count() AS requests,
    max(received_at) AS last_received,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
GROUP BY website_id, day, last_day;

DROP VIEW IF EXISTS traffic_per_hour_mv;

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
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, traffic_class, status, last_day;

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
         bot_verification, pending_ip, country, status, last_day;

DROP VIEW IF EXISTS bot_rejections_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_rejections_per_hour_mv TO bot_rejections_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_name,
    path,
    status,
    country,
    count() AS requests,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
WHERE is_bot AND status IN (401, 403, 429, 451)
GROUP BY website_id, hour, bot_name, path, status, country, last_day;

DROP VIEW IF EXISTS paths_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS paths_per_hour_mv TO paths_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    path,
    count() AS requests,
    countIf(traffic_class = 'human') AS human_requests,
    countIf(traffic_class = 'search_bot') AS search_bot_requests,
    countIf(traffic_class = 'ai_bot') AS ai_bot_requests,
    countIf(status >= 200 AND status < 300) AS status_2xx,
    countIf(status >= 300 AND status < 400) AS status_3xx,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    max(ifNull(r.time_taken_ms, 0)) AS time_taken_ms_max,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, path, last_day;

DROP VIEW IF EXISTS paths_per_day_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS paths_per_day_mv TO paths_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    path,
    sum(p.requests) AS requests,
    sum(p.human_requests) AS human_requests,
    sum(p.search_bot_requests) AS search_bot_requests,
    sum(p.ai_bot_requests) AS ai_bot_requests,
    sum(p.status_2xx) AS status_2xx,
    sum(p.status_3xx) AS status_3xx,
    sum(p.status_4xx) AS status_4xx,
    sum(p.status_5xx) AS status_5xx,
    sum(p.bytes_sent) AS bytes_sent,
    sum(p.timed_requests) AS timed_requests,
    sum(p.time_taken_ms) AS time_taken_ms,
    max(p.time_taken_ms_max) AS time_taken_ms_max,
    max(p.last_seen) AS last_seen,
    max(p.expires) AS expires,
    last_day
FROM paths_per_hour AS p
GROUP BY website_id, day, path, last_day;

DROP VIEW IF EXISTS locations_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS locations_per_hour_mv TO locations_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    country,
    region,
    city,
    count() AS requests,
    countIf(traffic_class = 'human') AS human_requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    uniqCombined64State(14)(client_ip) AS client_ips,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, region, city, last_day;

DROP VIEW IF EXISTS client_ips_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_hour_mv TO client_ips_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    client_ip,
    country,
    bot_name,
    bot_family,
    bot_verification,
    any(r.asn) AS asn,
    any(r.as_name) AS as_name,
    count() AS requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, client_ip, country, bot_name, bot_family, bot_verification, last_day;

DROP VIEW IF EXISTS client_ips_per_day_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_day_mv TO client_ips_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    client_ip,
    country,
    bot_name,
    bot_family,
    bot_verification,
    any(i.asn) AS asn,
    any(i.as_name) AS as_name,
    sum(i.requests) AS requests,
    sum(i.status_4xx) AS status_4xx,
    sum(i.status_5xx) AS status_5xx,
    sum(i.bytes_sent) AS bytes_sent,
    min(i.first_seen) AS first_seen,
    max(i.last_seen) AS last_seen,
    max(i.expires) AS expires,
    last_day
FROM client_ips_per_hour AS i
GROUP BY website_id, day, client_ip, country, bot_name, bot_family, bot_verification, last_day;

DROP VIEW IF EXISTS referrers_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS referrers_per_hour_mv TO referrers_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    referrer_domain,
    referrer_class,
    ai_operator,
    country,
    count() AS requests,
    countIf(traffic_class = 'human') AS human_requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    uniqCombined64State(14)(client_ip) AS client_ips,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
GROUP BY website_id, hour, referrer_domain, referrer_class, ai_operator, country, last_day;

DROP VIEW IF EXISTS devices_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS devices_per_hour_mv TO devices_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    device_type,
    os,
    browser,
    country,
    count() AS requests,
    uniqCombined64State(14)(client_ip) AS client_ips,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
WHERE traffic_class = 'human'
GROUP BY website_id, hour, device_type, os, browser, country, last_day;

DROP VIEW IF EXISTS estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, is_bot, last_day;

DROP VIEW IF EXISTS estimates_per_day_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_day_mv TO estimates_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    is_bot,
    sum(e.requests) AS requests,
    quantilesBFloat16MergeState(0.5, 0.95, 0.99)(e.time_quantiles) AS time_quantiles,
    uniqCombined64MergeState(14)(e.client_ips) AS client_ips,
    uniqCombined64MergeState(14)(e.paths) AS paths,
    max(e.expires) AS expires,
    last_day
FROM estimates_per_hour AS e
GROUP BY website_id, day, is_bot, last_day;

DROP VIEW IF EXISTS country_estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS country_estimates_per_hour_mv TO country_estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    country,
    is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, is_bot, last_day;

DROP VIEW IF EXISTS bot_estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_estimates_per_hour_mv TO bot_estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_name,
    bot_variant,
    bot_category,
    country,
    count() AS requests,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_category, country, last_day;
