import { DAY_MS } from '../../../../shared/durations.js';
import type { SearchConnection } from '../../../../shared/reads/search/search-connection.js';
import type { DayFigures } from '../../../../shared/reads/search/search-measures.js';
import { readSearchDays } from '../../../../shared/reads/search/search-performance-sql.js';
import { writePageQueries, writeSearchDay } from '../../../../shared/reads/search/search-writes.js';
import type { ClickHouse } from '../../../../shared/store/client.js';
import { foldPaths } from './fold-paths.js';
import type { SearchSource } from './search-source.js';

export interface SyncDeps {
  readonly clickhouse: ClickHouse;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** No further work is started after it, so the run ends in time: milliseconds since the epoch. */
  readonly until: number;
}

/** Search Console keeps 16 months. */
const HISTORY_DAYS = 487;

export interface SyncedDays {
  /** The last stored day; null: the source has none. */
  readonly through: string | null;
  /** Days that were stored in this run. */
  readonly stored: number;
  /** Days that remain for the next run. */
  readonly left: number;
}

/**
 * Updates the stored days from the source: missing days and days with other totals, newest first. The stored days show the remaining work, so an
 * interrupted run is resumed.
 * @throws SourceError, as ClickHouse
 */
export async function syncDays(
  connection: SearchConnection,
  domain: string,
  source: SearchSource,
  { clickhouse, now, signal, until }: SyncDeps,
): Promise<SyncedDays> {
  const span = { from: dayOf(now() - HISTORY_DAYS * DAY_MS), to: dayOf(now()) };
  const days = await source.days(span, signal);
  const stored = new Map((await readSearchDays(clickhouse, connection, span)).map((one) => [one.day, one]));
  const wanted = days.filter((totals) => !isSame(totals, stored.get(totals.day))).reverse();
  let done = 0;
  for (const totals of wanted) {
    if (now() >= until) break;
    const pages = foldPaths(await source.pages(totals.day, signal), domain);
    const queries = await source.queries(totals.day, signal);
    // The greatest version wins. After a clock was set back, the day is read again until the clock has passed the old version.
    await writeSearchDay(clickhouse, connection, now(), { totals, pages, queries });
    done++;
  }
  const isNewestThere = done > 0 || wanted.length < days.length;
  return { through: isNewestThere ? days.at(-1)!.day : null, stored: done, left: wanted.length - done };
}

/** A stored position may differ in its last digit. */
function isSame(one: DayFigures, other: DayFigures | undefined): boolean {
  return (
    other !== undefined &&
    one.impressions === other.impressions &&
    one.clicks === other.clicks &&
    Math.abs(one.position - other.position) < 1e-9
  );
}

/** The days of a page's queries (spec §4.5). */
const PAGE_QUERY_DAYS = 28;

/** Stores the queries of each page for the 28 days that end with `through`. @returns their version; null: the source has none */
export async function syncPageQueries(
  connection: SearchConnection,
  domain: string,
  { through, source }: { readonly through: string; readonly source: SearchSource },
  { clickhouse, now, signal }: SyncDeps,
): Promise<number | null> {
  if (source.pageQueries === null) return null;
  const from = dayOf(Date.parse(through) - (PAGE_QUERY_DAYS - 1) * DAY_MS);
  const rows = foldPaths(
    await source.pageQueries({ from, to: through }, signal),
    domain,
    ({ query }) => query,
  );
  const version = now();
  await writePageQueries(clickhouse, connection, { version, through }, rows);
  return version;
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
