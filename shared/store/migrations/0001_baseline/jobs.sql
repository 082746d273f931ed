-- Last run and outcome of each job of a website (services/jobs/runner), so that a restart does not repeat all jobs. A
-- later end replaces an earlier one.
CREATE TABLE IF NOT EXISTS job_runs
(
    website_id  LowCardinality(String),
    job         LowCardinality(String),
    started_at  DateTime64(3, 'UTC'),
    finished_at DateTime64(3, 'UTC'),
    outcome     LowCardinality(String),
    failures    UInt32,
    problem     String
)
ENGINE = ReplacingMergeTree(finished_at)
ORDER BY (website_id, job)
TTL toDateTime(finished_at) + toIntervalDay(400)
SETTINGS non_replicated_deduplication_window = 100;

-- Verdicts of the nightly checks (spec §2.8, §3.2): the last evaluation of each check and UTC day. All rows of one
-- evaluation have its time and are inserted together. Reads compute the change since the previous day, so an evaluation
-- may be rewritten.
CREATE TABLE IF NOT EXISTS check_verdicts
(
    website_id   LowCardinality(String),
    check_id     LowCardinality(String),
    day          Date,
    verdict      LowCardinality(String),
    title        LowCardinality(String),
    category     LowCardinality(String),
    weight       UInt8,
    evidence     String CODEC(ZSTD(3)),
    evaluated_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(evaluated_at)
ORDER BY (website_id, check_id, day)
TTL day + toIntervalDay(400)
SETTINGS non_replicated_deduplication_window = 1000;

-- Rows of exports that are computed by code (shared/reads): recommendations, URL patterns. The engine writes their
-- files from this table, as for other exports. They are needed for minutes.
CREATE TABLE IF NOT EXISTS export_rows
(
    website_id LowCardinality(String),
    -- One attempt to write the file.
    batch_id   String,
    place      UInt32,
    -- JSON.
    row        String CODEC(ZSTD(3)),
    written_at DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (website_id, batch_id, place)
TTL written_at + toIntervalDay(1)
SETTINGS non_replicated_deduplication_window = 1000;

-- Texts of a language model about a website (services/jobs/insights; spec §2.10, §4.9). An insight of the same day,
-- page and filters has the same id and replaces the earlier one.
CREATE TABLE IF NOT EXISTS insights
(
    website_id    LowCardinality(String),
    page          String,
    -- JSON with sorted names.
    filters       String,
    id            UInt64,
    -- Its window.
    period_start  DateTime('UTC'),
    period_end    DateTime('UTC'),
    content       String CODEC(ZSTD(3)),
    tools_used    Array(LowCardinality(String)),
    model         LowCardinality(String),
    input_tokens  UInt32,
    output_tokens UInt32,
    created_at    DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (website_id, page, filters, id)
TTL toDateTime(created_at, 'UTC') + toIntervalDay(90)
SETTINGS non_replicated_deduplication_window = 1000;

-- Tokens of a website's insights, counted against its daily budget. A call's tokens are reserved before the call; a
-- later revision has the tokens used.
CREATE TABLE IF NOT EXISTS insight_tokens
(
    website_id LowCardinality(String),
    day        Date,
    call_id    String,
    model      LowCardinality(String),
    tokens     UInt32,
    revision   UInt8
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (website_id, day, call_id)
TTL day + toIntervalDay(35)
SETTINGS non_replicated_deduplication_window = 1000;
