-- Rows and rollups go in the same instant: when the last day of the row ends, UTC (shared/requests/last-day.ts). Until now a
-- row went at the time of day of its receipt, and the rollups' midnight before it, with rows that were still to be read.
-- What is stored gets its new time by a recalculation that reads the columns of the expression alone and links the
-- others: nothing is rewritten but small compact parts.
ALTER TABLE requests MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE requests MODIFY TTL toDateTime(toDate(received_at) + retention_days + 1, 'UTC');

ALTER TABLE receipts_per_day MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE receipts_per_day MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE traffic_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE traffic_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE bots_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE bots_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE bot_rejections_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE bot_rejections_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE paths_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE paths_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE paths_per_day MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE paths_per_day MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE locations_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE locations_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE client_ips_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE client_ips_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE client_ips_per_day MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE client_ips_per_day MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE referrers_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE referrers_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE devices_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE devices_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE estimates_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE estimates_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE estimates_per_day MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE estimates_per_day MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE country_estimates_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE country_estimates_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');

ALTER TABLE bot_estimates_per_hour MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE bot_estimates_per_hour MODIFY TTL toDateTime(expires + 1, 'UTC');
