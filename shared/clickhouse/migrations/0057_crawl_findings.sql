-- What is wrong with pages of a crawl (docs/crawl-audit.md), worked out when it ends: it follows from the crawl alone.
CREATE TABLE IF NOT EXISTS crawl_findings
(
    website_id LowCardinality(String),
    crawl_id   String,
    finding    LowCardinality(String),
    page       UInt32,
    -- Which of the faults that the finding looks for; empty: it knows one alone.
    problem    LowCardinality(String),
    -- What was counted or measured, by finding; 0: nothing.
    value      UInt32 CODEC(ZSTD(1)),
    -- The text or the URL that is at fault; empty: none.
    text       String CODEC(ZSTD(1)),
    -- A few pages that have to do with it: they link to it, or have the same text.
    examples   Array(UInt32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, crawl_id, finding, page)
SETTINGS non_replicated_deduplication_window = 1000;
