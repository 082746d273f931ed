import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { ClickHouse, ClickHouseReader, Query } from '../../../shared/store/client.js';
import { findRollups, type RollupView } from './rollup-tables.js';

/**
 * Makes rollups again from the rows of `requests`, for whole days of websites: after rows were erased, and where a crash
 * left rows and rollups apart. What stands in the rollups of such a day afterwards is what the views make of the rows that
 * are there now.
 *
 * Each rollup is emptied for the days and filled by its view's own query; the day tiers follow their hour tiers, since
 * views feed them. It is repeated from the start after a crash at any point, and then ends in the same state: what an
 * earlier attempt has left is deleted first, and every insert has a token of its own attempt, so that none is taken for a
 * repeat of one whose rows are gone. An insert of an earlier attempt may still run in a server whose client is gone:
 * it is waited for before anything is deleted.
 *
 * Where client addresses have gone before the rows, the rows can't tell any more how many there were. Rollups that hold states of
 * distinct addresses keep what stands in their buckets of such rows: all rows of a bucket go on one day, and so do their addresses.
 *
 * Nothing may insert rows of these days into `requests` meanwhile: they would be counted by the views and once more here.
 * In one process the enricher waits (`withInsertsHeld`, insert-gate.ts) or is not started yet; apart, the operator stops the
 * enrichers first.
 */

/** The rows of a website of one UTC day: by their own time in most rollups, by their receipt in `receipts_per_day`. */
export interface Bucket {
  readonly websiteId: string;
  /** YYYY-MM-DD */
  readonly day: string;
}

export interface RebuildOptions {
  /** Never the same text twice. */
  newId(): string;
  /** Name of the cluster whose tables are replicated; absent: one server. */
  readonly cluster?: string | undefined;
  readonly logger: Logger;
  /** As if these rows were not there: a condition over columns of `requests`. Nothing can be bound in it (`quoted`). */
  readonly without?: string;
  /** How long statements of an earlier attempt are waited for; default 150,000 ms, past the life of a write. */
  readonly patienceMs?: number;
}

/** Rows of `requests` that one insert reads at most, unless one day of one website has more: a second or two of work. */
const ROWS_PER_INSERT = 1_000_000;
/** Ranges of days in one statement: they are pasted into it on the embedded engine, whose text may be 256 KiB. */
const RANGES_PER_STATEMENT = 100;
/** Past the life of a write (client.ts). */
const PATIENCE_MS = 150_000;
/** Told by it in the server's list of running statements. */
const COMMENT = 'loglane rebuild of rollups';

/** @throws StoreUnavailableError, StoreTimeoutError, Error: repeat the whole call. */
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
    logger.info({ rollup: rollup.target, days: buckets.length }, 'rollup made again');
  }
}

/**
 * Days of the rows that a condition holds for, by their own time and by their receipt: what is to be rebuilt when they
 * are gone.
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

/** Values of `last_day` of these websites whose rows have no address any more, or lose it with the next merge. */
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

/** The condition, behind that for `ranges`, for buckets that are made again. */
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

/** The condition for rows of the ranges; the first two parts are what the primary key can narrow by. */
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

/** A setting holds for every read of the table, wherever the view's query names it. */
function filterOf(without: string | undefined): Record<string, string> {
  return without === undefined
    ? {}
    : { additional_table_filters: `{'requests': ${quoted(`NOT (${without})`)}}` };
}

/** A text as it stands in SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A statement goes on in a server after its client has died, and would fill what is emptied here. */
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

/** The days in ranges, together for one insert each: of one month, since that is a partition, and of bounded work. */
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

/** Month by month, within one by website and day. */
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
