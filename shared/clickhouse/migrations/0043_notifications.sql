-- Messages to people and webhooks about alerts (services/jobs/notifications): what is to be sent, what was, and what could not be. A row of a
-- later revision replaces an earlier one of the same message; one that is put in again, with revision 0, changes nothing that was done since. Rows outlive
-- the records of the topic `alerts` (30 days): what is read from there again is not sent again.
CREATE TABLE IF NOT EXISTS notification_deliveries
(
    website_id      LowCardinality(String),
    -- Made of channel, target and alert.
    delivery_id     String,
    organisation_id LowCardinality(String),
    channel         LowCardinality(String),
    -- Of e-mail the user's id. Of webhooks the host, and a digest of the URL, which may hold a secret.
    target          String,
    alert_id        String,
    -- What the message tells, as JSON; '' when nobody needs it any more.
    content         String CODEC(ZSTD(3)),
    status          LowCardinality(String),
    attempts        UInt32,
    reason          String,
    -- Since when it is tried.
    queued_at       DateTime64(3, 'UTC'),
    next_attempt_at DateTime64(3, 'UTC'),
    revision        UInt32
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (website_id, delivery_id)
TTL toDateTime(queued_at, 'UTC') + INTERVAL 45 DAY
SETTINGS non_replicated_deduplication_window = 1000;
