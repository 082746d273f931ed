-- Alerts as last raised or merged (spec §2.4). A later `last_seen` replaces an earlier row. 400 days: the longest
-- window of a list has 365 (spec §8).
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
TTL toDateTime(last_seen, 'UTC') + toIntervalDay(400)
SETTINGS non_replicated_deduplication_window = 100;

-- Acknowledged alerts, projected from control.events (services/api/projections). Rows outlive the alerts.
CREATE TABLE IF NOT EXISTS alert_acknowledgements
(
    website_id      LowCardinality(String),
    alert_id        String,
    acknowledged_at DateTime64(3, 'UTC'),
    -- The actor of the decision: a key, a user or the operator.
    acknowledged_by String,
    log_offset      UInt64
)
ENGINE = ReplacingMergeTree(log_offset)
ORDER BY (website_id, alert_id)
TTL toDateTime(acknowledged_at, 'UTC') + toIntervalDay(800)
SETTINGS non_replicated_deduplication_window = 100;

-- Each metric of a website's health by interval, with its expected value (spec §4.9). Late requests rewrite an
-- interval.
CREATE TABLE IF NOT EXISTS health_points
(
    website_id   LowCardinality(String),
    metric       LowCardinality(String),
    start        DateTime('UTC'),
    value        Float64,
    mean         Float64,
    std          Float64,
    z            Float64,
    status       LowCardinality(String),
    -- Latency: requests with a known time. Other metrics: 0.
    timed        UInt64,
    maturity     LowCardinality(String),
    observations UInt32,
    written_at   DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(written_at)
PARTITION BY toYYYYMM(start)
ORDER BY (website_id, metric, start)
TTL start + toIntervalDay(31)
SETTINGS non_replicated_deduplication_window = 1000;

-- The detector's model of a website. Only services/detector reads it.
CREATE TABLE IF NOT EXISTS detector_states
(
    website_id LowCardinality(String),
    state      String CODEC(ZSTD(3)),
    saved_at   DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(saved_at)
ORDER BY website_id
TTL toDateTime(saved_at, 'UTC') + toIntervalDay(60)
SETTINGS non_replicated_deduplication_window = 1000;

-- Arrivals and evaluated intervals of a website, from which the detector's next owner continues. Only services/detector
-- reads it.
CREATE TABLE IF NOT EXISTS detector_arrivals
(
    website_id LowCardinality(String),
    arrivals   String CODEC(ZSTD(3)),
    saved_at   DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(saved_at)
ORDER BY website_id
TTL toDateTime(saved_at, 'UTC') + toIntervalDay(60)
SETTINGS non_replicated_deduplication_window = 1000;

-- Messages about alerts to people and webhooks (services/jobs/notifications): queued, sent and failed. A later revision
-- replaces an earlier row. Revision 0, written again, changes nothing. Rows outlive the records of the topic `alerts`
-- (30 days): a replayed record is not sent again.
CREATE TABLE IF NOT EXISTS notification_deliveries
(
    website_id      LowCardinality(String),
    -- Derived from channel, target and alert.
    delivery_id     String,
    organisation_id LowCardinality(String),
    channel         LowCardinality(String),
    -- E-mail: the user's id. Webhook: host and a digest of the URL, which may contain a secret.
    target          String,
    alert_id        String,
    -- The message, as JSON; '' when it is no longer needed.
    content         String CODEC(ZSTD(3)),
    status          LowCardinality(String),
    attempts        UInt32,
    reason          String,
    -- First attempt.
    queued_at       DateTime64(3, 'UTC'),
    next_attempt_at DateTime64(3, 'UTC'),
    revision        UInt32
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (website_id, delivery_id)
TTL toDateTime(queued_at, 'UTC') + toIntervalDay(45)
SETTINGS non_replicated_deduplication_window = 1000;
