-- One row per request (shared/requests/enriched-request.ts). (log_partition, log_offset, log_index) is the
-- request's place in requests.raw: it names a row, breaks ties between equal timestamps, and lets an
-- operator prove that every accepted row is here once. Retention runs from the day of receipt, so that a
-- backfill of old logs lives as long as live traffic does.
-- A replayed insert with the same token is dropped (services/enricher/sink/EXACTLY-ONCE.md).
CREATE TABLE IF NOT EXISTS requests
(
    website_id       LowCardinality(String),
    timestamp        DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    received_at      DateTime('UTC') CODEC(Delta, ZSTD(1)),
    log_partition    UInt16 CODEC(ZSTD(1)),
    log_offset       UInt64 CODEC(Delta, ZSTD(1)),
    log_index        UInt32 CODEC(Delta, ZSTD(1)),
    source           LowCardinality(String),
    request_id       String CODEC(ZSTD(1)),
    client_ip        IPv6 CODEC(ZSTD(1)),
    method           LowCardinality(String),
    host             LowCardinality(String),
    path             String CODEC(ZSTD(1)),
    query            String CODEC(ZSTD(1)),
    file_type        LowCardinality(String),
    protocol         LowCardinality(String),
    status           UInt16,
    bytes_sent       UInt64 CODEC(ZSTD(1)),
    time_taken_ms    Nullable(UInt32) CODEC(ZSTD(1)),
    content_type     LowCardinality(String),
    cache_status     LowCardinality(String),
    user_agent       String CODEC(ZSTD(1)),
    referrer         String CODEC(ZSTD(1)),
    referrer_domain  LowCardinality(String),
    referrer_class   LowCardinality(String),
    ai_operator      LowCardinality(String),
    traffic_class    LowCardinality(String),
    is_bot           Bool,
    bot_name         LowCardinality(String),
    bot_variant      LowCardinality(String),
    bot_family       LowCardinality(String),
    bot_operator     LowCardinality(String),
    bot_category     LowCardinality(String),
    ai_intent        LowCardinality(String),
    bot_verification LowCardinality(String),
    country          LowCardinality(String),
    region           LowCardinality(String),
    city             LowCardinality(String),
    asn              UInt32,
    as_name          LowCardinality(String),
    browser          LowCardinality(String),
    os               LowCardinality(String),
    device_type      LowCardinality(String),
    retention_days   UInt16
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (website_id, timestamp, log_partition, log_offset, log_index)
TTL received_at + toIntervalDay(retention_days)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 10;
