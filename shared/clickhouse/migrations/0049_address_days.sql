-- A website may keep client addresses for fewer days than requests (docs/privacy.md). `address_days` counts from the day of receipt, as
-- `retention_days` does; 0: as long as the row. When the last of these days ends the address becomes '::', which no client has: a reader
-- takes it for an address that is not known. What was counted of it stays. What is stored gets its time by a recalculation (0022).
ALTER TABLE requests ADD COLUMN IF NOT EXISTS address_days UInt16;
ALTER TABLE requests MODIFY COLUMN client_ip IPv6 CODEC(ZSTD(1)) TTL toDateTime(toDate(received_at) + if(address_days = 0, retention_days, address_days) + 1, 'UTC');

-- Rollups by address go with the addresses; their `last_day` is that of the address. The view is made anew and not modified (0023).
-- Nothing may insert meanwhile: stop the enrichers.
DROP VIEW IF EXISTS client_ips_per_hour_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS client_ips_per_hour_mv TO client_ips_per_hour AS
SELECT
    website_id,
    toStartOfHour(timestamp) AS hour,
    client_ip,
    country,
    bot_name,
    bot_family,
    bot_verification,
    any(r.asn) AS asn,
    any(r.as_name) AS as_name,
    count() AS requests,
    countIf(status >= 400 AND status < 500) AS status_4xx,
    countIf(status >= 500 AND status < 600) AS status_5xx,
    sum(r.bytes_sent) AS bytes_sent,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    max(toDate(received_at) + if(address_days = 0, retention_days, address_days)) AS expires,
    toDate(received_at) + if(address_days = 0, retention_days, address_days) AS last_day
FROM requests AS r
WHERE client_ip != toIPv6('::')
GROUP BY website_id, hour, client_ip, country, bot_name, bot_family, bot_verification, last_day;
