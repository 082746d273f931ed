import { z } from 'zod';
import type { ClickHouse, ClickHouseReader } from '../../../shared/store/client.js';
import { bucketsOf, type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';

/**
 * Gives the stored rows of a website another end of their client addresses, as if they had been stored under it: rows of later
 * have it from the enricher. What is past its new end goes at once, and what was counted of it stays.
 *
 * 1. Where addresses go before the rows, late verdicts on claims are written into the rows: they are stored by address, and go with it.
 *    What has none will never have one (services/enricher/enrich.ts).
 * 2. The rows get the days, and lose the addresses whose last day is over.
 * 3. The rollups of their days are made again, but for the counts of distinct addresses that the rows can't tell any more (rebuild-rollups.ts).
 * 4. The verdicts go.
 *
 * Mutations that are waited for, on every replica. It may be cut off anywhere and is repeated from the start. Nothing may insert rows of the
 * website meanwhile.
 */

export interface KeptAddresses {
  /** Rows that got another end of their address. */
  readonly rows: number;
  /** Of these and of others, the ones whose address went now. */
  readonly cleared: number;
}

const SYNCED = { mutations_sync: 2 };
const OF_WEBSITE = 'website_id = {website: String}';
/** What the enricher gives a row: 0 where the address lives as long (services/enricher/block/kept-of-visitors.ts). */
const DAYS = 'if({days: UInt16} >= retention_days, 0, {days: UInt16})';
const OTHER_DAYS = `${OF_WEBSITE} AND address_days != ${DAYS} AND client_ip != toIPv6('::')`;
const PAST = `${OF_WEBSITE} AND {days: UInt16} > 0 AND {days: UInt16} < retention_days
  AND toDate(received_at) + {days: UInt16} < toDate(now(), 'UTC') AND client_ip != toIPv6('::')`;

/** Rows of the website that were stored under other days. */
export function countOtherDays(reader: ClickHouseReader, websiteId: string, days: number): Promise<number> {
  return countOf(reader, OTHER_DAYS, { website: websiteId, days });
}

/**
 * @param days whole days after that of receipt; 0: as long as the rows. What has gone does not come back.
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

/** As a read applies them (shared/reads/sql/verification.ts): an impostor's requests get the class of one. */
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
