-- Whom an erasure is about, while it runs. The engine keeps the text of a mutation, and whatever value stands in it, after it is done: so mutations
-- name this table and the erasure's id, never an address or a name. Emptied when the erasure ends.
CREATE TABLE IF NOT EXISTS erasing
(
    erasure_id String,
    -- Of an address: as rows hold it, and the pattern of texts that name it. Of other texts: the values.
    client_ip  IPv6,
    naming     String,
    texts      Array(String),
    written_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY erasure_id
TTL written_at + INTERVAL 1 DAY
SETTINGS non_replicated_deduplication_window = 1000;
