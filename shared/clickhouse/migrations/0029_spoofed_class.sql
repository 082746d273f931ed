-- Proven impostors are a class of traffic of their own, never counted as the crawler that they claim to be. A claim that was
-- pending when it was stored keeps the class that it claims; `pending_paths_per_hour` says on which paths, so that a read
-- can move what a late verdict found spoofed (shared/answers/impostors.ts). It holds pending claims alone, which are few
-- where DNS answers.
ALTER TABLE paths_per_hour ADD COLUMN IF NOT EXISTS spoofed_bot_requests SimpleAggregateFunction(sum, UInt64);
ALTER TABLE paths_per_day ADD COLUMN IF NOT EXISTS spoofed_bot_requests SimpleAggregateFunction(sum, UInt64);
ALTER TABLE paths_per_hour ADD COLUMN IF NOT EXISTS status_1xx SimpleAggregateFunction(sum, UInt64);
ALTER TABLE paths_per_day ADD COLUMN IF NOT EXISTS status_1xx SimpleAggregateFunction(sum, UInt64);

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

CREATE TABLE IF NOT EXISTS pending_paths_per_hour
(
    website_id    LowCardinality(String),
    hour          DateTime('UTC'),
    path          String CODEC(ZSTD(1)),
    traffic_class LowCardinality(String),
    bot_family    LowCardinality(String),
    pending_ip    IPv6 CODEC(ZSTD(1)),
    country       LowCardinality(String),
    requests      SimpleAggregateFunction(sum, UInt64),
    expires       SimpleAggregateFunction(max, Date),
    last_day      Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, path, traffic_class, bot_family, pending_ip, country, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS pending_paths_per_hour_mv TO pending_paths_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    path,
    traffic_class,
    bot_family,
    client_ip AS pending_ip,
    country,
    count() AS requests,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests
WHERE bot_verification = 'pending'
GROUP BY website_id, hour, path, traffic_class, bot_family, pending_ip, country, last_day;
