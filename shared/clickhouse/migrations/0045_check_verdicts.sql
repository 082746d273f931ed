-- What the nightly checks said of a website (spec §2.8, §3.2): of each check and UTC day the last evaluation. All rows of one evaluation carry
-- its instant and come in one insert. What changed since the day before is worked out on reading, so that an evaluation may be written again.
CREATE TABLE IF NOT EXISTS check_verdicts
(
    website_id   LowCardinality(String),
    check_id     LowCardinality(String),
    day          Date,
    verdict      LowCardinality(String),
    -- As the check was called then: a later release may call it otherwise.
    title        LowCardinality(String),
    category     LowCardinality(String),
    weight       UInt8,
    evidence     String CODEC(ZSTD(3)),
    evaluated_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(evaluated_at)
ORDER BY (website_id, check_id, day)
TTL day + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 1000;
