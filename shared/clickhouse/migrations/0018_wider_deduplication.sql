-- How many of the last parts' tokens each table knows, so that a repeated insert is dropped (services/enricher/sink/EXACTLY-ONCE.md).
-- It counts parts and not inserts: one insert makes a part for each month, in `requests` and in every view's target. 1,000 lasted
-- for ten inserts of 95 months. Fifteen full windows of 20,000 take some 65 MB and a second of the engine's start, of 100,000
-- 300 MB and five seconds; an insert takes as long as before with any of them.
-- A new target of a view over requests starts with 20,000 (a test counts them).
ALTER TABLE requests MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE receipts_per_day MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE traffic_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE bots_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE bot_rejections_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE paths_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE paths_per_day MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE locations_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE client_ips_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE client_ips_per_day MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE referrers_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE devices_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE estimates_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE estimates_per_day MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE country_estimates_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE bot_estimates_per_hour MODIFY SETTING non_replicated_deduplication_window = 20000;
