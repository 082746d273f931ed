-- A version's `stored_at` is renewed by each fetch that finds it, so it goes a day after the last fetch that names it (0033): a file that
-- differs at each fetch is kept for as long as its fetches, and no longer.
ALTER TABLE robots_versions MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE robots_versions MODIFY TTL toDateTime(stored_at) + INTERVAL 801 DAY;
