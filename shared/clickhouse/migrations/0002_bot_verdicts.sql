-- Verdicts that came after their requests were stored as 'pending'. Reads resolve a pending row through this
-- table (shared/queries/verification.ts), so that nothing stored is ever rewritten.
CREATE TABLE IF NOT EXISTS bot_verdicts
(
    bot_family LowCardinality(String),
    client_ip  IPv6,
    status     LowCardinality(String),
    decided_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(decided_at)
ORDER BY (bot_family, client_ip)
TTL toDateTime(decided_at) + INTERVAL 400 DAY;
