import { HOUR_MS } from '../../../shared/durations.js';
import type { AnalyticsConnection } from '../../../shared/reads/analytics/analytics-connection.js';
import type { AnalyticsDay } from '../../../shared/reads/analytics/analytics-measures.js';
import {
  readStoredAnalyticsDays,
  type StoredAnalyticsDay,
  writeAnalyticsDay,
} from '../../../shared/reads/analytics/analytics-writes.js';
import type { Sender } from '../../../shared/reads/analytics/session-senders.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { dayInZone, plusDays } from '../../../shared/zone-days.js';
import type { WebAnalytics } from './analytics-source.js';
import { foldPages } from './fold-pages.js';

/** The history that is read: 16 months. */
const HISTORY_DAYS = 487;
/** Google finishes a day within 48 hours of its end. So the newest day that is read ended this many days ago. */
const LAG_DAYS = 3;
/** Late data (up to 72 hours) and new attribution change recent days, even if their totals stay. */
const UNSETTLED_DAYS = 4;
/** The interval at which unsettled days are read again. */
const REREAD_MS = 20 * HOUR_MS;

export interface SyncDeps {
  readonly clickhouse: ClickHouse;
  readonly senderOf: (source: string, medium: string) => Sender;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** No further day is started after it, so the run ends in time: milliseconds since the epoch. */
  readonly until: number;
}

/** The progress of a sync. It is valid even if the source failed. */
export interface SyncProgress {
  /** The last finished day, after the newest day of the source is stored; null: it never was. */
  through: string | null;
  /** Everything since this day is stored; null: nothing is. */
  from: string | null;
  readonly counts: Record<'days' | 'days_left', number>;
}

/**
 * Updates the stored days from the source, newest first: missing days, days with other totals, and once a day the unsettled ones. The stored days show the
 * remaining work, so an interrupted run is resumed.
 * @throws SourceError, as ClickHouse
 */
export async function syncDays(
  connection: AnalyticsConnection,
  source: WebAnalytics,
  progress: SyncProgress,
  { clickhouse, senderOf, now, signal, until }: SyncDeps,
): Promise<void> {
  const reported = await source.days({ historyDays: HISTORY_DAYS, lagDays: LAG_DAYS }, signal);
  const today = dayInZone(now(), reported.timeZone);
  const through = plusDays(today, -LAG_DAYS);
  // Google ends them by its own clock.
  const days = reported.days.filter(({ day }) => day <= through);
  const stored = new Map(
    (await readStoredAnalyticsDays(clickhouse, connection)).map((one) => [one.day, one]),
  );
  const settled = plusDays(through, -UNSETTLED_DAYS);
  const isDue = (totals: AnalyticsDay) => {
    const held = stored.get(totals.day);
    if (held === undefined || !isSame(totals, held)) return true;
    return totals.day > settled && now() - held.version >= REREAD_MS;
  };
  const wanted = days.filter(isDue).reverse();
  const missing = new Set(days.map(({ day }) => day).filter((day) => !stored.has(day)));
  const note = () => {
    const newest = days.at(-1);
    if (newest !== undefined && missing.has(newest.day)) return;
    const gap = days.findLast(({ day }) => missing.has(day));
    progress.through = through;
    progress.from = gap === undefined ? plusDays(today, -HISTORY_DAYS) : plusDays(gap.day, 1);
  };
  note();
  progress.counts.days_left = wanted.length;
  for (const totals of wanted) {
    if (now() >= until) break;
    const pages = foldPages(
      await source.landings(totals.day, signal),
      await source.views(totals.day, signal),
      senderOf,
    );
    const sources = (await source.senders(totals.day, signal)).map((one) => ({
      ...one,
      aiOperator: senderOf(one.source, one.medium).aiOperator,
    }));
    // The greatest version wins. After a clock was set back, the day is read again until the clock has passed the old version.
    await writeAnalyticsDay(clickhouse, connection, now(), { totals, pages, sources });
    missing.delete(totals.day);
    progress.counts.days++;
    progress.counts.days_left--;
    note();
  }
}

/** Stored money may differ in its last digit. */
function isSame(one: AnalyticsDay, other: StoredAnalyticsDay): boolean {
  return (
    one.sessions === other.sessions &&
    one.engagedSessions === other.engagedSessions &&
    one.keyEvents === other.keyEvents &&
    one.pageviews === other.pageviews &&
    one.activeUsers === other.activeUsers &&
    one.engagementSecs === other.engagementSecs &&
    one.currency === other.currency &&
    Math.abs(one.revenue - other.revenue) <= 1e-9 * Math.max(1, Math.abs(one.revenue))
  );
}
