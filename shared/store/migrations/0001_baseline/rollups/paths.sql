-- Requests by path: paths.
CREATE TABLE IF NOT EXISTS paths_per_hour
(
    website_id                LowCardinality(String),
    hour                      DateTime('UTC'),
    path                      LowCardinality(String),
    requests                  SimpleAggregateFunction(sum, UInt64),
    human_requests            SimpleAggregateFunction(sum, UInt64),
    search_bot_requests       SimpleAggregateFunction(sum, UInt64),
    ai_bot_requests           SimpleAggregateFunction(sum, UInt64),
    status_2xx                SimpleAggregateFunction(sum, UInt64),
    status_3xx                SimpleAggregateFunction(sum, UInt64),
    status_4xx                SimpleAggregateFunction(sum, UInt64),
    status_5xx                SimpleAggregateFunction(sum, UInt64),
    bytes_sent                SimpleAggregateFunction(sum, UInt64) CODEC(T64, Default),
    timed_requests            SimpleAggregateFunction(sum, UInt64),
    time_taken_ms             SimpleAggregateFunction(sum, UInt64),
    time_taken_ms_max         SimpleAggregateFunction(max, UInt32),
    last_seen                 SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64, Default),
    expires                   SimpleAggregateFunction(max, Date),
    last_day                  Date,
    spoofed_bot_requests      SimpleAggregateFunction(sum, UInt64),
    status_1xx                SimpleAggregateFunction(sum, UInt64),
    undeclared_agent_requests SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, path)
ORDER BY (website_id, hour, path, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS paths_per_hour_mv TO paths_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, path,
    count() AS requests,
    countIf(traffic_class = 'human') AS human_requests,
    countIf(traffic_class = 'search_bot') AS search_bot_requests,
    countIf(traffic_class = 'ai_bot') AS ai_bot_requests,
    countIf(traffic_class = 'spoofed_bot') AS spoofed_bot_requests,
    countIf(traffic_class = 'undeclared_agent') AS undeclared_agent_requests,
    countIf((status >= 100) AND (status < 200)) AS status_1xx, countIf((status >= 200) AND (status < 300)) AS status_2xx,
    countIf((status >= 300) AND (status < 400)) AS status_3xx, countIf((status >= 400) AND (status < 500)) AS status_4xx,
    countIf((status >= 500) AND (status < 600)) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    max(ifNull(r.time_taken_ms, 0)) AS time_taken_ms_max,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests AS r
GROUP BY website_id, hour, path, last_day;

-- The day tier answers long windows. It is fed by the hour tier, whose inserted blocks are already aggregated.
CREATE TABLE IF NOT EXISTS paths_per_day
(
    website_id                LowCardinality(String),
    day                       Date,
    path                      LowCardinality(String),
    requests                  SimpleAggregateFunction(sum, UInt64),
    human_requests            SimpleAggregateFunction(sum, UInt64),
    search_bot_requests       SimpleAggregateFunction(sum, UInt64),
    ai_bot_requests           SimpleAggregateFunction(sum, UInt64),
    status_2xx                SimpleAggregateFunction(sum, UInt64),
    status_3xx                SimpleAggregateFunction(sum, UInt64),
    status_4xx                SimpleAggregateFunction(sum, UInt64),
    status_5xx                SimpleAggregateFunction(sum, UInt64),
    bytes_sent                SimpleAggregateFunction(sum, UInt64) CODEC(T64, Default),
    timed_requests            SimpleAggregateFunction(sum, UInt64),
    time_taken_ms             SimpleAggregateFunction(sum, UInt64),
    time_taken_ms_max         SimpleAggregateFunction(max, UInt32),
    last_seen                 SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(GCD, T64, Default),
    expires                   SimpleAggregateFunction(max, Date),
    last_day                  Date,
    spoofed_bot_requests      SimpleAggregateFunction(sum, UInt64),
    status_1xx                SimpleAggregateFunction(sum, UInt64),
    undeclared_agent_requests SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
PRIMARY KEY (website_id, day, path)
ORDER BY (website_id, day, path, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS paths_per_day_mv TO paths_per_day AS
SELECT
    website_id, toDate(hour) AS day, path, sum(p.requests) AS requests, sum(p.human_requests) AS human_requests,
    sum(p.search_bot_requests) AS search_bot_requests, sum(p.ai_bot_requests) AS ai_bot_requests,
    sum(p.spoofed_bot_requests) AS spoofed_bot_requests, sum(p.undeclared_agent_requests) AS undeclared_agent_requests,
    sum(p.status_1xx) AS status_1xx, sum(p.status_2xx) AS status_2xx, sum(p.status_3xx) AS status_3xx,
    sum(p.status_4xx) AS status_4xx, sum(p.status_5xx) AS status_5xx, sum(p.bytes_sent) AS bytes_sent,
    sum(p.timed_requests) AS timed_requests, sum(p.time_taken_ms) AS time_taken_ms, max(p.time_taken_ms_max) AS time_taken_ms_max,
    max(p.last_seen) AS last_seen, max(p.expires) AS expires, last_day
FROM paths_per_hour AS p
GROUP BY website_id, day, path, last_day;
