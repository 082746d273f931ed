-- One row per request (shared/requests/enriched-request.ts). (log_partition, log_offset, log_index) is its position in
-- requests.raw: it identifies a row, breaks ties between equal timestamps and proves that each accepted row is stored
-- once.
--
-- Row, rollups and verdict expire when the row's last day ends, UTC (shared/requests/last-day.ts). The last day counts
-- from the receipt, so a backfill of old logs lives as long as live traffic.
--
-- non_replicated_deduplication_window: number of recent parts whose tokens a table remembers, so that a repeated insert
-- is dropped (services/enricher/sink/EXACTLY-ONCE.md). One insert writes a part per month, here and in each view's
-- target.
--
-- merge_selector_base 20: merges of some 20 parts write each row less often.
-- materialize_ttl_recalculate_only: an UPDATE of address_days rewrites that column alone.
-- A column without a codec, or with Default, has LZ4 in small parts and ZSTD in large ones (`compression` in ../../embedded/engine.xml;
-- docs/install.md has it for a server).
CREATE TABLE IF NOT EXISTS requests
(
    website_id          LowCardinality(String),
    timestamp           DateTime64(3, 'UTC') CODEC(GCD, Delta, Default),
    received_at         DateTime('UTC') CODEC(Delta, Default),
    log_partition       UInt16,
    log_offset          UInt64 CODEC(Delta, Default),
    log_index           UInt32 CODEC(Delta, Default),
    source              LowCardinality(String),
    request_id          String,
    -- '::' after the last of address_days: an unknown address.
    client_ip           IPv6 TTL toDateTime((toDate(received_at) + if(address_days = 0, retention_days, address_days)) + 1, 'UTC'),
    method              LowCardinality(String),
    host                LowCardinality(String),
    path                LowCardinality(String),
    query               String,
    file_type           LowCardinality(String),
    protocol            LowCardinality(String),
    status              UInt16,
    bytes_sent          UInt64 CODEC(T64, Default),
    time_taken_ms       Nullable(UInt32),
    content_type        LowCardinality(String),
    cache_status        LowCardinality(String),
    user_agent          LowCardinality(String),
    referrer            LowCardinality(String),
    referrer_domain     LowCardinality(String),
    referrer_class      LowCardinality(String),
    ai_operator         LowCardinality(String),
    traffic_class       LowCardinality(String),
    is_bot              Bool,
    -- Whether the request is a search for vulnerabilities (shared/detection/probes.ts), even of a verified crawler.
    is_probe            Bool,
    bot_name            LowCardinality(String),
    bot_variant         LowCardinality(String),
    bot_family          LowCardinality(String),
    bot_operator        LowCardinality(String),
    bot_category        LowCardinality(String),
    ai_intent           LowCardinality(String),
    bot_verification    LowCardinality(String),
    country             LowCardinality(String),
    region              LowCardinality(String),
    city                LowCardinality(String),
    asn                 UInt32,
    as_name             LowCardinality(String),
    browser             LowCardinality(String),
    os                  LowCardinality(String),
    device_type         LowCardinality(String),
    -- Days after the day of receipt.
    retention_days      UInt16,
    -- The bot category that the CDN verified. Then the method and the rules of bot_verification
    -- (shared/crawlers/judge-request.ts).
    cdn_bot_category    LowCardinality(String),
    verification_method LowCardinality(String),
    rules_version       LowCardinality(String),
    -- Days for which client_ip is stored (docs/privacy.md); 0: as long as the row.
    address_days        UInt16,
    -- Path and query as sent, if different from the normal spelling in `path` and `query`; else ''.
    sent_target         LowCardinality(String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (website_id, timestamp, log_partition, log_offset, log_index)
TTL toDateTime((toDate(received_at) + retention_days) + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 20, materialize_ttl_recalculate_only = 1;

-- Verdicts on claims that were stored as 'pending'. Reads resolve pending rows through this table
-- (shared/reads/sql/verification.ts), so no stored row is rewritten. The latest decision is valid. `expires` is the
-- last day of the rows that requested the verdict. Read `decided` with max(): under FINAL its elements, read one by
-- one, can come from different rows.
CREATE TABLE IF NOT EXISTS claim_verdicts
(
    website_id LowCardinality(String),
    bot_family LowCardinality(String),
    client_ip  IPv6,
    decided    SimpleAggregateFunction(max, Tuple(at DateTime64(3, 'UTC'), status String)),
    expires    SimpleAggregateFunction(max, Date)
)
ENGINE = AggregatingMergeTree
ORDER BY (website_id, bot_family, client_ip)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS merge_selector_base = 10;

-- Stored blocks of uploads, by deduplication id: a block repeated within a day is left out
-- (services/enricher/sink/range/repeated-blocks.ts). A block may wait in the log for seven days, so rows live eight.
CREATE TABLE IF NOT EXISTS upload_blocks
(
    website_id       LowCardinality(String),
    log_partition    UInt16,
    deduplication_id UUID,
    log_offset       UInt64,
    appended_at      DateTime64(3, 'UTC'),
    stored_at        DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, log_partition, deduplication_id, log_offset)
TTL stored_at + toIntervalDay(8)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 1000;
