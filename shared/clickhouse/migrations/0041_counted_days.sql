-- The requests of search crawlers that a build counted, by day (days since 1970-01-01): where a day has others now, rows were stored
-- since, or judged anew, and the build is stale. A build of before counted no day, and is stale.
ALTER TABLE page_importance_builds ADD COLUMN IF NOT EXISTS counted_days Array(UInt32), ADD COLUMN IF NOT EXISTS counted_requests Array(UInt64);
