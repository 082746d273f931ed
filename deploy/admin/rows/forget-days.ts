import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../../shared/durations.js';
import type { ClickHouse, ClickHouseReader } from '../../../shared/store/client.js';
import type { RowCounts } from './erase-rows.js';
import { bucketsOf, quoted, type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';
import { findRollups } from './rollup-tables.js';

/**
 * Removes days of a website from `requests` and from every rollup, as if they had never been sent.
 *
 * 1. The rollups of the days, and of the days of receipt, are rebuilt without the rows.
 * 2. rebuild-rollups.ts keeps the buckets of rows that lost their address earlier. These buckets are deleted if no other rows belong to them.
 * 3. The rows are deleted.
 *
 * Rollups come first, because the rows show the affected days. After a crash at any point, repeat the call. Each step waits for its
 * mutations on every replica. Nothing may insert rows of the days meanwhile.
 */

export interface ForgottenDays {
  readonly websiteId: string;
  /** YYYY-MM-DD, UTC, of the requests' own time. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  /** Only requests of this log source; null: of all. */
  readonly source: string | null;
  /** Milliseconds since the epoch: requests received in a later second stay. */
  readonly receivedBy: number;
}

const SYNCED = { mutations_sync: 2 };
/** Settings of a mutation with a subquery. */
const MUTATION = { ...SYNCED, allow_nondeterministic_mutations: 1 };
const COUNT_TIMEOUT = 300_000;

/** Condition of the rows to delete, without parameters: the setting that hides them from the views' queries accepts none. */
function forgotten(days: ForgottenDays): string {
  const { source, receivedBy } = days;
  const received = `received_at <= toDateTime(${Math.floor(receivedBy / SECOND_MS)}, 'UTC')`;
  const ofSource = source === null ? '' : ` AND source = ${quoted(source)}`;
  return `${within(days, 'timestamp')} AND ${received}${ofSource}`;
}

/** @param column a time. */
function within({ websiteId, from, to }: ForgottenDays, column: string): string {
  const end = new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  const midnight = (day: string) => `toDateTime(${quoted(`${day} 00:00:00`)}, 'UTC')`;
  return `website_id = ${quoted(websiteId)} AND ${column} >= ${midnight(from)} AND ${column} < ${midnight(end)}`;
}

interface DayTable {
  readonly target: string;
  readonly bucket: 'hour' | 'day';
  readonly countsAddresses: boolean;
}

/** Rollups by the requests' own time. */
async function rollupsOfDays(reader: ClickHouseReader): Promise<DayTable[]> {
  return (await findRollups(reader))
    .flatMap(({ target, bucket, countsAddresses, fed }) => [
      { target, bucket, countsAddresses },
      ...fed.map((one) => ({ ...one, countsAddresses })),
    ])
    .filter(({ target }) => target !== 'receipts_per_day');
}

const inBucket = (days: ForgottenDays, bucket: DayTable['bucket']) =>
  within(days, bucket === 'hour' ? 'hour' : "toDateTime(day, 'UTC')");

/** Counts the rows of `requests` to delete, and all rollup rows of the days, including other sources. */
export async function countDays(reader: ClickHouseReader, days: ForgottenDays): Promise<RowCounts> {
  const count = async (from: string, where: string) => {
    const [found] = await reader.read({
      name: 'forget.count',
      sql: `SELECT count() AS rows FROM ${from} WHERE ${where}`,
      params: {},
      row: z.object({ rows: z.number() }),
      timeoutMs: COUNT_TIMEOUT,
    });
    return found!.rows;
  };
  const counts = new Map([['requests', await count('requests', forgotten(days))]]);
  for (const { target, bucket } of await rollupsOfDays(reader))
    counts.set(target, await count(`${target} FINAL`, inBucket(days, bucket)));
  return Object.fromEntries(counts);
}

/**
 * @returns the number of deleted rows of `requests`. @throws StoreUnavailableError, StoreTimeoutError, Error: repeat it.
 */
export async function forgetDays(
  clickhouse: ClickHouse,
  days: ForgottenDays,
  options: RebuildOptions,
): Promise<number> {
  const rows = forgotten(days);
  const [found] = await clickhouse.read({
    name: 'forget.rows',
    sql: `SELECT count() AS rows FROM requests WHERE ${rows}`,
    params: {},
    row: z.object({ rows: z.number() }),
    timeoutMs: COUNT_TIMEOUT,
  });
  if (found!.rows === 0) return 0;
  await rebuildRollups(clickhouse, await bucketsOf(clickhouse, rows, {}), { ...options, without: rows });
  await emptyBuckets(clickhouse, days);
  await clickhouse.command(`ALTER TABLE requests DELETE WHERE ${rows}`, {}, SYNCED);
  return found!.rows;
}

/** Deletes buckets of distinct addresses without rows. */
async function emptyBuckets(clickhouse: ClickHouse, days: ForgottenDays): Promise<void> {
  for (const { target, bucket, countsAddresses } of await rollupsOfDays(clickhouse)) {
    if (!countsAddresses) continue;
    const at = bucket === 'hour' ? 'toStartOfHour(timestamp)' : 'toDate(timestamp)';
    await clickhouse.command(
      `ALTER TABLE ${target} DELETE WHERE ${inBucket(days, bucket)}
  AND (${bucket}, last_day) NOT IN (SELECT DISTINCT ${at}, toDate(received_at) + retention_days
    FROM requests WHERE ${within(days, 'timestamp')} AND NOT (${forgotten(days)}))`,
      {},
      MUTATION,
    );
  }
}
