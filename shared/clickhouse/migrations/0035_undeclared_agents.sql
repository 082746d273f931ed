-- Agents that claim no bot and are no people are a class of traffic of their own (shared/crawlers/judge-request.ts). `is_bot` of a
-- request says whether it claims to be a bot, which they do not; `is_bot` of the estimates says that it is no person's.
ALTER TABLE paths_per_hour ADD COLUMN IF NOT EXISTS undeclared_agent_requests SimpleAggregateFunction(sum, UInt64);
ALTER TABLE paths_per_day ADD COLUMN IF NOT EXISTS undeclared_agent_requests SimpleAggregateFunction(sum, UInt64);

-- Views are made anew and not modified (0023). Nothing may insert meanwhile: stop the enrichers.
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
    countIf(traffic_class = 'spoofed_bot') AS spoofed_bot_requests,
    countIf(traffic_class = 'undeclared_agent') AS undeclared_agent_requests,
    countIf(status >= 100 AND status < 200) AS status_1xx,
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
    sum(p.spoofed_bot_requests) AS spoofed_bot_requests,
    sum(p.undeclared_agent_requests) AS undeclared_agent_requests,
    sum(p.status_1xx) AS status_1xx,
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

DROP VIEW IF EXISTS estimates_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS estimates_per_hour_mv TO estimates_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    toBool(traffic_class != 'human') AS is_bot,
    count() AS requests,
    quantilesBFloat16State(0.5, 0.95, 0.99)(r.time_taken_ms) AS time_quantiles,
    uniqCombined64State(14)(r.client_ip) AS client_ips,
    uniqCombined64State(14)(r.path) AS paths,
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
    uniqCombined64State(14)(r.path) AS paths,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, country, toBool(traffic_class != 'human'), last_day;
