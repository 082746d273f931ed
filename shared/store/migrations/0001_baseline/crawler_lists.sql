-- Address ranges of crawlers as this installation downloaded them (services/jobs/crawler-lists): JSON of a
-- RangeSnapshot, one row per published list. A later download of the same list replaces its row, regardless of its
-- date: a clock that was ahead must not win.
CREATE TABLE IF NOT EXISTS crawler_lists
(
    feed      LowCardinality(String),
    since     Date,
    retrieved Date,
    snapshot  String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree
ORDER BY (feed, since)
TTL retrieved + toIntervalDay(1200)
SETTINGS non_replicated_deduplication_window = 100;

-- The last download of each feed, and why its list was refused ('': accepted).
CREATE TABLE IF NOT EXISTS crawler_list_checks
(
    feed       LowCardinality(String),
    checked_at DateTime64(3, 'UTC'),
    problem    String
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY feed
TTL toDateTime(checked_at) + toIntervalDay(400)
SETTINGS non_replicated_deduplication_window = 100;
