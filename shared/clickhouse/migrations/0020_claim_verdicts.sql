-- Verdicts on the claims that a website's rows were stored with as 'pending'; reads resolve those through it
-- (shared/queries/verification.ts), so that nothing stored is ever rewritten. Website first: one website's flood is read,
-- kept and erased with that website alone. The latest decision counts. A verdict lives as long as the longest of the rows
-- that asked for it: `expires` is their last day, as in the rollups. Read `decided` with max(): under FINAL its elements,
-- read by themselves, are any row's.
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
