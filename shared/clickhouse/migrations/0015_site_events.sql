-- Timelines of websites, projected from control.events (services/api/projections). A row of a later place in that log
-- replaces an earlier one of the same event, so a projection that is repeated changes nothing. An empty website_id: the
-- event concerns every website of the organisation.
CREATE TABLE IF NOT EXISTS site_events
(
    organisation_id LowCardinality(String),
    website_id      LowCardinality(String),
    event_id        String,
    date            Date,
    time            String,
    title           String,
    category        LowCardinality(String),
    description     String,
    created_by      String,
    automatic       Bool,
    created_at      DateTime64(3, 'UTC'),
    deleted         Bool,
    log_offset      UInt64
)
ENGINE = ReplacingMergeTree(log_offset)
ORDER BY (organisation_id, website_id, event_id)
SETTINGS non_replicated_deduplication_window = 100;
