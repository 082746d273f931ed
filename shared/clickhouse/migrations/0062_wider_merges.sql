-- placeholder
ALTER TABLE requests MODIFY SETTING merge_selector_base = 20;
ALTER TABLE ai_visits_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE bot_estimates_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE bots_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE client_ips_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE country_estimates_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE crawler_paths_per_day MODIFY SETTING merge_selector_base = 20;
ALTER TABLE crawler_paths_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE devices_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE estimates_per_day MODIFY SETTING merge_selector_base = 20;
ALTER TABLE estimates_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE locations_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE paths_per_day MODIFY SETTING merge_selector_base = 20;
ALTER TABLE paths_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE receipts_per_day MODIFY SETTING merge_selector_base = 20;
ALTER TABLE referrers_per_hour MODIFY SETTING merge_selector_base = 20;
ALTER TABLE traffic_per_hour MODIFY SETTING merge_selector_base = 20;
