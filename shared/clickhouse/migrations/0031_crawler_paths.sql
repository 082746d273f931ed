-- What crawlers fetched, by path, crawler and status: the reads of the seo family, llms, url, page-importance. The day tier answers long
-- windows; it is fed by the hour tier. What is stored already is filled in under a name of this attempt, row by row, and takes the
-- table's name when it is whole (as in 0030): nothing may insert meanwhile.
CREATE TABLE IF NOT EXISTS crawler_paths_per_hour
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    bot_category     LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    pending_ip       IPv6 CODEC(ZSTD(1)),
    file_type        LowCardinality(String),
    has_query        UInt8,
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    timed_requests   SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, bot_category, path, bot_name, status, bot_verification, file_type, has_query, country, bot_family, ai_intent, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE TABLE IF NOT EXISTS crawler_paths_per_day
(
    website_id       LowCardinality(String),
    day              Date,
    bot_category     LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    pending_ip       IPv6 CODEC(ZSTD(1)),
    file_type        LowCardinality(String),
    has_query        UInt8,
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    timed_requests   SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, bot_category, path, bot_name, status, bot_verification, file_type, has_query, country, bot_family, ai_intent, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

DROP VIEW IF EXISTS crawler_paths_per_hour_mv;

DROP VIEW IF EXISTS crawler_paths_per_day_mv;

CREATE TABLE IF NOT EXISTS crawler_paths_per_hour_{attempt}
(
    website_id       LowCardinality(String),
    hour             DateTime('UTC'),
    bot_category     LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    pending_ip       IPv6 CODEC(ZSTD(1)),
    file_type        LowCardinality(String),
    has_query        UInt8,
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    timed_requests   SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, hour, bot_category, path, bot_name, status, bot_verification, file_type, has_query, country, bot_family, ai_intent, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

INSERT INTO crawler_paths_per_hour_{attempt}
SETTINGS max_partitions_per_insert_block = 0
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_category,
    path,
    bot_name,
    bot_family,
    ai_intent,
    bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    file_type,
    query != '' AS has_query,
    country,
    status,
    1 AS requests,
    toUInt64(isNotNull(time_taken_ms)) AS timed_requests,
    toUInt64(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    timestamp AS first_seen,
    timestamp AS last_seen,
    toDate(received_at) + retention_days AS expires,
    expires AS last_day
FROM requests AS r
WHERE is_bot;

CREATE TABLE IF NOT EXISTS crawler_paths_per_day_{attempt}
(
    website_id       LowCardinality(String),
    day              Date,
    bot_category     LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    bot_name         LowCardinality(String),
    bot_family       LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    pending_ip       IPv6 CODEC(ZSTD(1)),
    file_type        LowCardinality(String),
    has_query        UInt8,
    country          LowCardinality(String),
    status           UInt16,
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    timed_requests   SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    time_taken_ms    SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    first_seen       SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    last_seen        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    expires          SimpleAggregateFunction(max, Date),
    last_day         Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, day, bot_category, path, bot_name, status, bot_verification, file_type, has_query, country, bot_family, ai_intent, pending_ip, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

INSERT INTO crawler_paths_per_day_{attempt}
SETTINGS max_partitions_per_insert_block = 0
SELECT
    website_id,
    toDate(hour) AS day,
    * EXCEPT (website_id, hour)
FROM crawler_paths_per_hour_{attempt};

EXCHANGE TABLES crawler_paths_per_hour AND crawler_paths_per_hour_{attempt};

EXCHANGE TABLES crawler_paths_per_day AND crawler_paths_per_day_{attempt};

DROP TABLE IF EXISTS crawler_paths_per_hour_{attempt} SYNC;

DROP TABLE IF EXISTS crawler_paths_per_day_{attempt} SYNC;

CREATE MATERIALIZED VIEW IF NOT EXISTS crawler_paths_per_hour_mv TO crawler_paths_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    bot_category,
    path,
    bot_name,
    bot_family,
    ai_intent,
    bot_verification,
    if(bot_verification = 'pending', client_ip, toIPv6('::')) AS pending_ip,
    file_type,
    query != '' AS has_query,
    country,
    status,
    count() AS requests,
    count(r.time_taken_ms) AS timed_requests,
    sum(ifNull(r.time_taken_ms, 0)) AS time_taken_ms,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + retention_days) AS expires,
    toDate(received_at) + retention_days AS last_day
FROM requests AS r
WHERE is_bot
GROUP BY website_id, hour, bot_category, path, bot_name, bot_family, ai_intent, bot_verification, pending_ip, file_type, has_query, country, status, last_day;

CREATE MATERIALIZED VIEW IF NOT EXISTS crawler_paths_per_day_mv TO crawler_paths_per_day AS
SELECT
    website_id,
    toDate(hour) AS day,
    bot_category, path, bot_name, bot_family, ai_intent, bot_verification, pending_ip, file_type, has_query, country, status,
    sum(c.requests) AS requests,
    sum(c.timed_requests) AS timed_requests,
    sum(c.time_taken_ms) AS time_taken_ms,
    min(c.first_seen) AS first_seen,
    max(c.last_seen) AS last_seen,
    max(c.expires) AS expires,
    last_day
FROM crawler_paths_per_hour AS c
GROUP BY website_id, day, bot_category, path, bot_name, bot_family, ai_intent, bot_verification, pending_ip, file_type, has_query, country, status, last_day;
