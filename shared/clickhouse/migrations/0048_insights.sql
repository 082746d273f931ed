-- What a language model wrote of a website (services/jobs/insights; spec §2.10, §4.9). One of the same day, page and filters has the same id and
-- takes the place of the earlier one.
CREATE TABLE IF NOT EXISTS insights
(
    website_id    LowCardinality(String),
    page          String,
    -- JSON, its names in order.
    filters       String,
    id            UInt64,
    -- The window that it is about.
    period_start  DateTime('UTC'),
    period_end    DateTime('UTC'),
    content       String CODEC(ZSTD(3)),
    tools_used    Array(LowCardinality(String)),
    model         LowCardinality(String),
    input_tokens  UInt32,
    output_tokens UInt32,
    created_at    DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (website_id, page, filters, id)
TTL toDateTime(created_at, 'UTC') + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- What the insights of a website took of its daily budget, those that were never kept included. A call's tokens are set aside before it is made;
-- what it took stands in their place afterwards.
CREATE TABLE IF NOT EXISTS insight_tokens
(
    website_id LowCardinality(String),
    day        Date,
    call_id    String,
    model      LowCardinality(String),
    tokens     UInt32,
    revision   UInt8
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (website_id, day, call_id)
TTL day + INTERVAL 35 DAY
SETTINGS non_replicated_deduplication_window = 1000;
