-- Browsers, operating systems and device types of human traffic: devices.
CREATE TABLE IF NOT EXISTS devices_per_hour
(
    website_id  LowCardinality(String),
    hour        DateTime('UTC'),
    device_type LowCardinality(String),
    os          LowCardinality(String),
    browser     LowCardinality(String),
    country     LowCardinality(String),
    requests    SimpleAggregateFunction(sum, UInt64),
    client_ips  AggregateFunction(uniqCombined64(14), IPv6),
    expires     SimpleAggregateFunction(max, Date),
    last_day    Date
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
PRIMARY KEY (website_id, hour, device_type, os, browser, country)
ORDER BY (website_id, hour, device_type, os, browser, country, last_day)
TTL toDateTime(expires + 1, 'UTC')
SETTINGS non_replicated_deduplication_window = 20000, merge_selector_base = 10;

CREATE MATERIALIZED VIEW IF NOT EXISTS devices_per_hour_mv TO devices_per_hour AS
SELECT
    website_id, toStartOfHour(timestamp) AS hour, device_type, os, browser, country,
    count() AS requests,
    uniqCombined64State(14)(client_ip) AS client_ips,
    max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests
WHERE traffic_class = 'human'
GROUP BY website_id, hour, device_type, os, browser, country, last_day;
