import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { clientIpText } from '../../../../shared/reads/sql/client-ip.js';
import { joinVerification } from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { storableSecond } from '../../../../shared/store/column-bounds.js';

/** Requests whose claim needs reverse DNS: decided and waiting. */

const SAMPLE_ADDRESSES = 5;

const claimant = z.object({
  bot_name: z.string(),
  bot_family: z.string(),
  unproved: z.number(),
  decided: z.number(),
  addresses: z.number(),
  sample_ips: z.array(z.string()),
  /** First waiting request and last decided one, in milliseconds; 0: none. */
  waiting_since: z.number(),
  decided_until: z.number(),
});
export type DnsClaims = readonly Readonly<z.output<typeof claimant>>[];

const DAYS = 30;
/** User agents name bots, so a log may have any number of names. */
const MOST_BOTS = 200;

/**
 * Bots with such claims in the last 30 days, by the timestamps of their requests: most waiting requests first.
 * @throws as `ClickHouseReader.read`
 */
export async function readDnsClaims(
  reader: ClickHouseReader,
  { websiteId, now }: { websiteId: string; now: number },
): Promise<DnsClaims> {
  const window = { start: now - DAYS * DAY_MS, end: now + HOUR_MS };
  const rows = {
    sql: `SELECT bot_verification, bot_name, bot_family, pending_ip, sum(requests) AS requests,
  min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM bots_per_hour
WHERE website_id = {website_id: String} AND verification_method = 'reverse_dns'
  AND hour >= toDateTime({start: UInt32}, 'UTC') AND hour < toDateTime({end: UInt32}, 'UTC')
GROUP BY bot_verification, bot_name, bot_family, pending_ip`,
    params: {
      website_id: websiteId,
      start: storableSecond(Math.floor(window.start / 1_000)),
      end: storableSecond(Math.floor(window.end / 1_000)),
    },
  };
  const { sql, params } = joinVerification(rows, { websiteId, window });
  const isWaiting = "s.verification = 'pending'";
  return reader.read({
    name: 'setup.dns_claims',
    sql: `SELECT s.bot_name AS bot_name, s.bot_family AS bot_family,
  sumIf(s.requests, ${isWaiting}) AS unproved, sumIf(s.requests, NOT (${isWaiting})) AS decided,
  uniqExactIf(s.pending_ip, ${isWaiting}) AS addresses,
  groupUniqArrayIf(${SAMPLE_ADDRESSES})(${clientIpText('s.pending_ip')}, ${isWaiting}) AS sample_ips,
  toUnixTimestamp64Milli(minIf(s.first_seen, ${isWaiting})) AS waiting_since,
  toUnixTimestamp64Milli(maxIf(s.last_seen, NOT (${isWaiting}))) AS decided_until
FROM (${sql}) AS s
GROUP BY s.bot_name, s.bot_family
ORDER BY unproved DESC, s.bot_name, s.bot_family
LIMIT ${MOST_BOTS}`,
    params,
    row: claimant,
  });
}
