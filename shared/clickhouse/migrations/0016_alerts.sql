-- Alerts as they were fired or last merged (spec §2.4). A row with a later `last_seen` replaces an earlier one of the same
-- alert.
CREATE TABLE IF NOT EXISTS alerts
(
    website_id  LowCardinality(String),
    alert_id    String,
    alert_type  LowCardinality(String),
    severity    LowCardinality(String),
    message     String,
    details     String,
    fingerprint String,
    created_at  DateTime64(3, 'UTC'),
    last_seen   DateTime64(3, 'UTC'),
    occurrences UInt64
)
ENGINE = ReplacingMergeTree(last_seen)
ORDER BY (website_id, alert_id)
SETTINGS non_replicated_deduplication_window = 100;

-- Who saw them, projected from control.events (services/api/projections).
CREATE TABLE IF NOT EXISTS alert_acknowledgements
(
    website_id      LowCardinality(String),
    alert_id        String,
    acknowledged_at DateTime64(3, 'UTC'),
    log_offset      UInt64
)
ENGINE = ReplacingMergeTree(log_offset)
ORDER BY (website_id, alert_id)
SETTINGS non_replicated_deduplication_window = 100;
