-- A path goes 61 days after the last fetch that found it listed, so that sitemaps that name other pages each day are kept for two months and not
-- for a year. The fetches go a day before: of a website that is fetched no more nothing is known then, rather than that it lists nothing.
ALTER TABLE sitemap_fetches MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE sitemap_fetches MODIFY TTL toDateTime(fetched_at) + INTERVAL 60 DAY;

ALTER TABLE sitemap_urls MODIFY SETTING materialize_ttl_recalculate_only = 1;
ALTER TABLE sitemap_urls MODIFY TTL toDateTime(last_seen) + INTERVAL 61 DAY;
