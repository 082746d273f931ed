-- Verdicts of bot_verdicts go to the websites that have pending rows of the address, with the life of those rows, and out
-- of the table, which kept addresses longer than any row. It stays, empty, for programs of the release before: their
-- reads still name it, and what they write there is gone in a day.
INSERT INTO claim_verdicts (website_id, bot_family, client_ip, decided, expires)
SELECT website_id, bot_family, pending_ip, decided, last_day
FROM (
    SELECT p.website_id AS website_id, p.bot_family AS bot_family, p.pending_ip AS pending_ip,
        tuple(v.decided_at, toString(v.status)) AS decided, p.last_day AS last_day
    FROM bot_verdicts AS v
    INNER JOIN (
        SELECT website_id, bot_family, pending_ip, max(expires) AS last_day
        FROM bots_per_hour
        WHERE bot_verification = 'pending'
        GROUP BY website_id, bot_family, pending_ip
    ) AS p ON v.bot_family = p.bot_family AND v.client_ip = p.pending_ip
    SETTINGS join_algorithm = 'grace_hash', max_bytes_before_external_group_by = 200000000, max_bytes_in_join = 200000000
);

TRUNCATE TABLE IF EXISTS bot_verdicts;

ALTER TABLE bot_verdicts MODIFY TTL toDateTime(decided_at) + toIntervalDay(1);
