import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { ClickHouse, ClickHouseReader, Query } from '../../../shared/store/client.js';
import { findRollups, type RollupView } from './rollup-tables.js';

/**
 * Rebuilds rollups from the rows of `requests`, for whole days of websites: after rows were erased, and after a crash
 * left rows and rollups inconsistent. Afterwards the rollups of such a day equal the views' results over the current rows.
 *
 * Each rollup is emptied for the days and filled by its view's own query. Views fill the day tiers from their hour tiers.
 * After a crash at any point, a repeat from the start ends in the same state. It first deletes the rows of the earlier
 * attempt. Every insert has a token of its own attempt, so the store does not drop it as a duplicate of a deleted insert.
 * An insert of an earlier attempt may still run after its client ended, so the rebuild waits for it first.
 *
 * If client addresses expire before the rows, the rows no longer show the number of distinct addresses. Rollups with states
 * of distinct addresses therefore keep the buckets of such rows. All rows of a bucket, and their addresses, expire on the same day.
 *
 * Nothing may insert rows of these days into `requests` meanwhile: the views and the rebuild would both count them.
 * In one process the enricher waits (`withInsertsHeld`, insert-gate.ts) or is not started yet. With separate processes, the
 * operator stops the enrichers first.
 */

/** The rows of a website of one UTC day: by their own time in most rollups, by their receipt in `receipts_per_day`. */
export interface Bucket {
  readonly websiteId: string;
  /** YYYY-MM-DD */
  readonly day: string;
}

export interface RebuildOptions {
  /** Returns a different text at each call. */
  newId(): string;
  /** Name of the cluster whose tables are replicated; absent: one server. */
  readonly cluster?: string | undefined;
  readonly logger: Logger;
  /** Excludes these rows: a condition over columns of `requests`. It can't have bound parameters (see `quoted`). */
  readonly without?: string;
  /** Timeout for statements of an earlier attempt; default 150,000 ms, which exceeds the timeout of a write. */
  readonly patienceMs?: number;
}

/** Most rows of `requests` that one insert reads, unless one day of one website has more. It takes a second or two. */
const ROWS_PER_INSERT = 1_000_000;
/** Ranges of days in one statement. The embedded engine has them in the statement's text, which is limited to 256 KiB. */
const RANGES_PER_STATEMENT = 100;
/** Exceeds the timeout of a write (client.ts). */
const PATIENCE_MS = 150_000;
/** Identifies the statements in the server's list of running statements. */
const COMMENT = 'loglane rebuild of rollups';

/** Rebuilds all rollups of the buckets. @throws StoreUnavailableError, StoreTimeoutError, Error: repeat the whole call. */
export async function rebuildRollups(
  clickhouse: ClickHouse,
  buckets: readonly Bucket[],
  { newId, cluster, logger, without, patienceMs = PATIENCE_MS }: RebuildOptions,
): Promise<void> {
  if (buckets.length === 0) return;
  const rollups = await findRollups(clickhouse);
  await waitForEarlier(clickhouse, cluster, patienceMs);
  const attempt = newId();
  const batches = await gather(clickhouse, buckets);
  const gone = await daysWithoutAddresses(clickhouse, buckets);
  if (cluster !== undefined) await clickhouse.command('SYSTEM SYNC REPLICA requests');
  for (const rollup of rollups) {
    const kept = (ranges: readonly DayRange[]) => unlessGone(rollup.countsAddresses ? gone : [], ranges);
    for (const { target, bucket } of [rollup, ...rollup.fed])
      for (const ranges of inPieces(batches.flat(), RANGES_PER_STATEMENT)) {
        const { sql, params } = kept(ranges);
        await clickhouse.command(
          `ALTER TABLE ${target} DELETE WHERE ${within(bucket)}${sql}`,
          { ...paramsOf(ranges), ...params },
          { mutations_sync: 2 },
        );
      }
    for (const [index, ranges] of batches.entries()) {
      const { sql, params } = kept(ranges);
      await clickhouse.command(
        `${fill(rollup)}${sql}`,
        { ...paramsOf(ranges), ...params },
        {
          ...fillSettings(`${attempt}/${rollup.view}/${index}`, cluster !== undefined),
          ...filterOf(without),
        },
      );
    }
    logger.info({ rollup: rollup.target, days: buckets.length }, 'rollup rebuilt');
  }
}

/**
 * Buckets of the rows that match a condition, by their own time and by their receipt: rebuild these when the rows are
 * deleted.
 * @param where over columns of `requests`, with bound parameters.
 */
export async function bucketsOf(
  reader: ClickHouseReader,
  where: string,
  params: Query<unknown>['params'],
): Promise<Bucket[]> {
  const rows = await reader.read({
    name: 'rebuild.buckets',
    sql: `SELECT DISTINCT website_id, toString(day) AS day
FROM (SELECT website_id, arrayJoin([toDate(timestamp), toDate(received_at)]) AS day FROM requests WHERE ${where})
ORDER BY website_id, day`,
    params,
    row: z.object({ website_id: z.string(), day: z.string() }),
    timeoutMs: 300_000,
  });
  return rows.map(({ website_id, day }) => ({ websiteId: website_id, day }));
}

/** Values of `last_day` of these websites whose rows have lost their address, or lose it with the next merge. */
async function daysWithoutAddresses(
  reader: ClickHouseReader,
  buckets: readonly Bucket[],
): Promise<DayRange[]> {
  const websites = [...new Set(buckets.map(({ websiteId }) => websiteId))];
  const found: DayRange[] = [];
  for (const some of inPieces(websites, RANGES_PER_STATEMENT)) {
    const rows = await reader.read({
      name: 'rebuild.without_addresses',
      sql: `SELECT DISTINCT website_id, toString(toDate(received_at) + retention_days) AS day
FROM requests
WHERE website_id IN ({websites: Array(String)}) AND address_days > 0
  AND (client_ip = toIPv6('::') OR toDate(received_at) + address_days < toDate(now(), 'UTC'))
ORDER BY website_id, day`,
      params: { websites: some },
      row: z.object({ website_id: z.string(), day: z.string() }),
      timeoutMs: 300_000,
    });
    for (const { website_id: websiteId, day } of rows) {
      const last = found.at(-1);
      if (last?.websiteId === websiteId && nextDay(last.to) === day)
        found[found.length - 1] = { ...last, to: day };
      else found.push({ websiteId, from: day, to: day });
    }
  }
  return found;
}

/** Condition for buckets that are rebuilt; it follows the condition for `ranges`. */
function unlessGone(gone: readonly DayRange[], ranges: readonly DayRange[]) {
  const websites = new Set(ranges.map(({ websiteId }) => websiteId));
  const own = gone.filter(({ websiteId }) => websites.has(websiteId));
  if (own.length === 0) return { sql: '', params: {} };
  return {
    sql: `
  AND NOT arrayExists((website, first, last) -> website_id = website AND last_day >= first AND last_day <= last,
    {gone_websites: Array(String)}, {gone_firsts: Array(Date)}, {gone_lasts: Array(Date)})`,
    params: {
      gone_websites: own.map(({ websiteId }) => websiteId),
      gone_firsts: own.map(({ from }) => from),
      gone_lasts: own.map(({ to }) => to),
    },
  };
}

/** Days of a website without a gap. */
interface DayRange {
  readonly websiteId: string;
  readonly from: string;
  readonly to: string;
}

/** Condition for rows of the ranges. The primary key can use its first two parts. */
function within(bucket: RollupView['bucket']): string {
  const day = bucket === 'day' ? 'day' : 'toDate(hour)';
  return `website_id IN ({websites: Array(String)})
  AND ${bucket === 'day' ? 'day >= {first: Date} AND day <= {last: Date}' : withinDays('hour')}
  AND arrayExists((website, first, last) -> website_id = website AND ${day} >= first AND ${day} <= last,
    {websites: Array(String)}, {firsts: Array(Date)}, {lasts: Array(Date)})`;
}

/** From the first to the last day, UTC. @param column a time. */
function withinDays(column: string): string {
  return `${column} >= toDateTime({first: Date}, 'UTC') AND ${column} < toDateTime({last: Date} + 1, 'UTC')`;
}

function paramsOf(ranges: readonly DayRange[]): Query<unknown>['params'] {
  const firsts = ranges.map(({ from }) => from);
  const lasts = ranges.map(({ to }) => to);
  return {
    websites: ranges.map(({ websiteId }) => websiteId),
    firsts,
    lasts,
    first: [...firsts].sort()[0]!,
    last: [...lasts].sort().at(-1)!,
  };
}

function fill({ target, columns, select, bucket }: RollupView): string {
  const names = columns.join(', ');
  return `INSERT INTO ${target} (${names}) SELECT ${names} FROM (${select}) WHERE ${within(bucket)}`;
}

function fillSettings(token: string, replicated: boolean): Record<string, string | number> {
  return {
    log_comment: COMMENT,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    deduplicate_blocks_in_dependent_materialized_views: 1,
    max_bytes_before_external_group_by: 268_435_456,
    ...(replicated ? { insert_quorum: 'auto' } : {}),
  };
}

/** A setting filters every read of the table in the view's query. */
function filterOf(without: string | undefined): Record<string, string> {
  return without === undefined
    ? {}
    : { additional_table_filters: `{'requests': ${quoted(`NOT (${without})`)}}` };
}

/** A text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A server continues a statement after its client has ended. The statement would then fill the emptied rollups. */
async function waitForEarlier(
  reader: ClickHouseReader,
  cluster: string | undefined,
  patienceMs: number,
): Promise<void> {
  const processes =
    cluster === undefined ? 'system.processes' : `clusterAllReplicas('${cluster}', system.processes)`;
  for (let waited = 0; ; waited += 1_000) {
    const [found] = await reader.read({
      name: 'rebuild.running',
      sql: `SELECT count() AS running FROM ${processes} WHERE Settings['log_comment'] = {comment: String}`,
      params: { comment: COMMENT },
      row: z.object({ running: z.number() }),
    });
    if (found?.running === 0) return;
    if (waited >= patienceMs) throw new Error('another rebuild of rollups is running');
    await sleep(1_000);
  }
}

/** Groups days into ranges, one group per insert. A group is within one month, since a month is a partition, and has bounded work. */
async function gather(reader: ClickHouseReader, buckets: readonly Bucket[]): Promise<DayRange[][]> {
  const days = uniqueDays(buckets);
  const rows = await countRows(reader, days);
  const batches: DayRange[][] = [];
  let month = '';
  let work = 0;
  for (const { websiteId, day } of days) {
    const count = rows.get(`${websiteId} ${day}`) ?? 0;
    const batch = batches.at(-1);
    const last = batch?.at(-1);
    const fits = batch !== undefined && month === day.slice(0, 7) && work + count <= ROWS_PER_INSERT;
    if (fits && last?.websiteId === websiteId && nextDay(last.to) === day) {
      batch[batch.length - 1] = { ...last, to: day };
    } else if (fits && batch.length < RANGES_PER_STATEMENT) {
      batch.push({ websiteId, from: day, to: day });
    } else {
      batches.push([{ websiteId, from: day, to: day }]);
      work = 0;
    }
    month = day.slice(0, 7);
    work += count;
  }
  return batches;
}

/** Sorted by month, then by website and day. */
function uniqueDays(buckets: readonly Bucket[]): Bucket[] {
  const keys = new Set(buckets.map(({ websiteId, day }) => `${day.slice(0, 7)} ${websiteId} ${day}`));
  return [...keys].sort().map((key) => {
    const [, websiteId = '', day = ''] = key.split(' ');
    return { websiteId, day };
  });
}

async function countRows(reader: ClickHouseReader, days: readonly Bucket[]): Promise<Map<string, number>> {
  const websites = [...new Set(days.map(({ websiteId }) => websiteId))];
  const found = new Map<string, number>();
  const dates = days.map(({ day }) => day).sort();
  for (const some of inPieces(websites, RANGES_PER_STATEMENT)) {
    const rows = await reader.read({
      name: 'rebuild.rows',
      sql: `SELECT website_id, toString(toDate(timestamp)) AS day, count() AS rows
FROM requests WHERE website_id IN ({websites: Array(String)}) AND ${withinDays('timestamp')} GROUP BY website_id, day`,
      params: { websites: some, first: dates[0]!, last: dates.at(-1)! },
      row: z.object({ website_id: z.string(), day: z.string(), rows: z.number() }),
      timeoutMs: 300_000,
    });
    for (const { website_id, day, rows: count } of rows) found.set(`${website_id} ${day}`, count);
  }
  return found;
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
