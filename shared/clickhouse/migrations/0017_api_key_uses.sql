-- When each API key last opened the API, to the minute or so (services/api/key-uses.ts).
CREATE TABLE IF NOT EXISTS api_key_uses
(
    api_key_id String,
    last_used  SimpleAggregateFunction(max, DateTime('UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY api_key_id
SETTINGS non_replicated_deduplication_window = 100;
