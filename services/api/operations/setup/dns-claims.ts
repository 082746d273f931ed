import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { joinVerification } from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { storableSecond } from '../../../../shared/store/column-bounds.js';

/** Requests whose claim needs reverse DNS: decided and waiting. */

const counts = z.object({ unproved: z.number(), decided: z.number() });
export type DnsClaims = Readonly<z.output<typeof counts>>;

const DAYS = 30;

/** Counts requests of the last 30 days, by their timestamps. @throws as `ClickHouseReader.read` */
export async function readDnsClaims(
  reader: ClickHouseReader,
  { websiteId, now }: { websiteId: string; now: number },
): Promise<DnsClaims> {
  const window = { start: now - DAYS * DAY_MS, end: now + HOUR_MS };
  const rows = {
    sql: `SELECT bot_verification, bot_family, pending_ip, sum(requests) AS requests FROM bots_per_hour
WHERE website_id = {website_id: String} AND verification_method = 'reverse_dns'
  AND hour >= toDateTime({start: UInt32}, 'UTC') AND hour < toDateTime({end: UInt32}, 'UTC')
GROUP BY bot_verification, bot_family, pending_ip`,
    params: {
      website_id: websiteId,
      start: storableSecond(Math.floor(window.start / 1_000)),
      end: storableSecond(Math.floor(window.end / 1_000)),
    },
  };
  const { sql, params } = joinVerification(rows, { websiteId, window });
  const [row] = await reader.read({
    name: 'setup.dns_claims',
    sql: `SELECT sumIf(requests, verification = 'pending') AS unproved, sumIf(requests, verification != 'pending') AS decided
FROM (${sql})`,
    params,
    row: counts,
  });
  return row!;
}
