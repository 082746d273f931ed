-- A line of a log that is no HTTP request has no path ('', docs/log-format.md), and none is no path. Rows of before have '/' there.
-- Views are made anew and not modified (0023). Nothing may insert meanwhile: stop the enrichers.
DROP VIEW IF EXISTS estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    toBool(traffic_class != 'human') AS is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, toBool(traffic_class != 'human'), last_day;

DROP VIEW IF EXISTS country_estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS country_estimates_per_hour_mv TO country_estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    country,
    toBool(traffic_class != 'human') AS is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, toBool(traffic_class != 'human'), last_day;

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
    uniqCombined64StateIf(14)(r.path, r.path != '') AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_name, bot_variant, bot_category, country, last_day;
