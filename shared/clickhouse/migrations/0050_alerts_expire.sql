-- Alerts go 400 days after they were seen for the last time: the longest window that may be listed has 365 (spec §8), and strangers make as many
-- as they like. That one was acknowledged stays known longer than any alert that is still there.
ALTER TABLE alerts MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE alerts MODIFY TTL toDateTime(last_seen, 'UTC') + INTERVAL 400 DAY;

ALTER TABLE alert_acknowledgements MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE alert_acknowledgements MODIFY TTL toDateTime(acknowledged_at, 'UTC') + INTERVAL 800 DAY;
