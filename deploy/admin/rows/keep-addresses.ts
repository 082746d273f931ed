import { z } from 'zod';
import type { ClickHouse, ClickHouseReader } from '../../../shared/store/client.js';
import { bucketsOf, type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';

/**
 * Changes the last day of client addresses in the stored rows of a website, as if they had been stored under the new setting. The
 * enricher applies the setting to later rows. Expired addresses are removed at once, and counts of them stay.
 *
 * 1. If addresses expire before the rows, late verdicts on claims are written into the rows: verdicts are stored by address and are removed
 *    with it. A claim without a verdict will never get one (services/enricher/enrich.ts).
 * 2. The rows get the new days, and lose the addresses whose last day is over.
 * 3. The rollups of their days are rebuilt, except counts of distinct addresses that rows no longer contain (rebuild-rollups.ts).
 * 4. The verdicts are deleted.
 *
 * Each step waits for its mutations on every replica. After a crash at any point, repeat the call. Nothing may insert rows of the website
 * meanwhile.
 */

export interface KeptAddresses {
  /** Rows with a new last day of their address. */
  readonly rows: number;
  /** Rows that lost their address now, including rows that are not in `rows`. */
  readonly cleared: number;
}

const SYNCED = { mutations_sync: 2 };
const OF_WEBSITE = 'website_id = {website: String}';
/** The value that the enricher writes: 0 if the address is kept as long as the row (services/enricher/block/kept-of-visitors.ts). */
const DAYS = 'if({days: UInt16} >= retention_days, 0, {days: UInt16})';
const OTHER_DAYS = `${OF_WEBSITE} AND address_days != ${DAYS} AND client_ip != toIPv6('::')`;
const PAST = `${OF_WEBSITE} AND {days: UInt16} > 0 AND {days: UInt16} < retention_days
  AND toDate(received_at) + {days: UInt16} < toDate(now(), 'UTC') AND client_ip != toIPv6('::')`;

/** Counts the rows of the website that were stored under other days. */
export function countOtherDays(reader: ClickHouseReader, websiteId: string, days: number): Promise<number> {
  return countOf(reader, OTHER_DAYS, { website: websiteId, days });
}

/**
 * Removed addresses can't be restored.
 * @param days whole days after the day of receipt; 0: as long as the rows.
 * @throws StoreUnavailableError, StoreTimeoutError, Error: repeat the whole call.
 */
export async function keepAddressesFor(
  clickhouse: ClickHouse,
  { websiteId, days }: { readonly websiteId: string; readonly days: number },
  options: RebuildOptions,
): Promise<KeptAddresses> {
  const params = { website: websiteId, days };
  const rows = await countOf(clickhouse, OTHER_DAYS, params);
  const cleared = await countOf(clickhouse, PAST, params);
  if (days > 0) await writeVerdicts(clickhouse, websiteId);
  await clickhouse.command(
    `ALTER TABLE requests UPDATE address_days = ${DAYS} WHERE ${OTHER_DAYS}`,
    params,
    SYNCED,
  );
  await clickhouse.command(
    `ALTER TABLE requests UPDATE client_ip = toIPv6('::') WHERE ${PAST}`,
    params,
    SYNCED,
  );
  await rebuildRollups(clickhouse, await bucketsOf(clickhouse, OF_WEBSITE, params), options);
  if (days > 0)
    await clickhouse.command(
      `ALTER TABLE claim_verdicts DELETE WHERE ${OF_WEBSITE}`,
      { website: websiteId },
      SYNCED,
    );
  options.logger.info({ website_id: websiteId, days, rows, cleared }, 'days of addresses set');
  return { rows, cleared };
}

/** Applies verdicts as reads do (shared/reads/sql/verification.ts): requests of an impostor get the class of impostors. */
async function writeVerdicts(clickhouse: ClickHouse, websiteId: string): Promise<void> {
  const pending = `${OF_WEBSITE} AND bot_verification = 'pending'`;
  const decided = `(bot_family, client_ip) IN (
  SELECT bot_family, client_ip FROM claim_verdicts WHERE ${OF_WEBSITE}
  GROUP BY bot_family, client_ip HAVING tupleElement(max(decided), 'status') = {status: String})`;
  const sets = [
    ['verified', `bot_verification = 'verified'`],
    ['spoofed', `bot_verification = 'spoofed', traffic_class = 'spoofed_bot'`],
  ] as const;
  for (const [status, changes] of sets)
    await clickhouse.command(
      `ALTER TABLE requests UPDATE ${changes} WHERE ${pending} AND ${decided}`,
      { website: websiteId, status },
      { ...SYNCED, allow_nondeterministic_mutations: 1 },
    );
  await clickhouse.command(
    `ALTER TABLE requests UPDATE bot_verification = 'unverifiable' WHERE ${pending}`,
    { website: websiteId },
    SYNCED,
  );
}

async function countOf(
  reader: ClickHouseReader,
  where: string,
  params: { website: string; days: number },
): Promise<number> {
  const [found] = await reader.read({
    name: 'addresses.count',
    sql: `SELECT count() AS rows FROM requests WHERE ${where}`,
    params,
    row: z.object({ rows: z.number() }),
    timeoutMs: 300_000,
  });
  return found!.rows;
}
