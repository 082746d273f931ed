-- Results of site crawls (spec §2.6). The control plane lists the crawls; rows of other crawls are deleted.
--
-- One row per known page. A page is stored when it is discovered, with fetched_at 0, and again when it was fetched; a
-- page of an upload is stored once. Pages are numbered from 0 in the order of discovery; links refer to these numbers.
CREATE TABLE IF NOT EXISTS crawl_pages
(
    website_id         LowCardinality(String),
    crawl_id           String,
    page               UInt32,
    url                String CODEC(ZSTD(1)),
    -- Without the query, as in logs.
    path               String CODEC(ZSTD(1)),
    -- home, seed, sitemap, link, redirect; upload.
    found_by           LowCardinality(String),
    in_sitemap         Bool,
    -- 0: not requested, or no response; `error` then has the reason.
    status             UInt16,
    error              LowCardinality(String),
    robots_allowed     Bool,
    -- Full URL of the next hop, also on another host; empty: none.
    redirect_to        String CODEC(ZSTD(1)),
    content_type       LowCardinality(String),
    -- Size of the decompressed body, as far as it was read.
    bytes              UInt32 CODEC(ZSTD(1)),
    -- Time until the response headers.
    ms                 UInt32 CODEC(ZSTD(1)),
    -- Status 200, HTML, allowed by robots.txt, no noindex, and no other canonical.
    indexable          Bool,
    -- status, redirect, robots, noindex, canonical, content_type, not_fetched; empty: it is indexable.
    unindexable_reason LowCardinality(String),
    -- Full URL; empty: none.
    canonical          String CODEC(ZSTD(1)),
    meta_robots        String CODEC(ZSTD(1)),
    x_robots_tag       String CODEC(ZSTD(1)),
    -- Number of title elements, and the text of the first.
    titles             UInt16,
    title              String CODEC(ZSTD(1)),
    description        String CODEC(ZSTD(1)),
    h1s                UInt16,
    h1                 String CODEC(ZSTD(1)),
    lang               LowCardinality(String),
    words              UInt32 CODEC(ZSTD(1)),
    hreflang_langs     Array(LowCardinality(String)),
    hreflang_urls      Array(String) CODEC(ZSTD(1)),
    -- Distinct targets on the site, and on other hosts.
    links_internal     UInt32 CODEC(ZSTD(1)),
    links_external     UInt32 CODEC(ZSTD(1)),
    -- Digest of the page's words.
    digest             String CODEC(ZSTD(1)),
    fetched_at         DateTime64(3, 'UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(fetched_at)
ORDER BY (website_id, crawl_id, page)
SETTINGS non_replicated_deduplication_window = 1000;

-- One row per pair of pages and kind: a (a link in the page), redirect, canonical.
CREATE TABLE IF NOT EXISTS crawl_links
(
    website_id LowCardinality(String),
    crawl_id   String,
    from_page  UInt32,
    to_page    UInt32,
    kind       LowCardinality(String),
    nofollow   Bool,
    anchor     String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, crawl_id, from_page, to_page, kind)
SETTINGS non_replicated_deduplication_window = 1000;

-- Link figures of each page, computed when a crawl ends.
CREATE TABLE IF NOT EXISTS crawl_ranks
(
    website_id LowCardinality(String),
    crawl_id   String,
    page       UInt32,
    -- Links from the home page; -1: unreachable.
    depth      Int32,
    -- Other pages that link to it, and to which it links.
    inlinks    UInt32,
    outlinks   UInt32,
    -- 0 to 1; the highest of the crawl is 1.
    pagerank   Float64
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, crawl_id, page)
SETTINGS non_replicated_deduplication_window = 1000;

-- Faults of pages (docs/crawls-and-checks.md), computed from the crawl when it ends.
CREATE TABLE IF NOT EXISTS crawl_findings
(
    website_id LowCardinality(String),
    crawl_id   String,
    finding    LowCardinality(String),
    page       UInt32,
    -- The fault, if a finding has several; else empty.
    problem    LowCardinality(String),
    -- Count or measurement, by finding; 0: none.
    value      UInt32 CODEC(ZSTD(1)),
    -- The wrong text or URL; empty: none.
    text       String CODEC(ZSTD(1)),
    -- Related pages: they link to it, or have the same text.
    examples   Array(UInt32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (website_id, crawl_id, finding, page)
SETTINGS non_replicated_deduplication_window = 1000;
