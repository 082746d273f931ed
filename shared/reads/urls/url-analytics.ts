import type { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import type { AnalyticsConnection } from '../analytics/analytics-connection.js';
import {
  currencyOf,
  dayMeasures,
  readAskedDays,
  toAnalyticsWindow,
  toPageFigures,
  type WantedDays,
} from '../analytics/analytics-figures.js';
import {
  type ComparedDay,
  compareWithLogs,
  type LogDays,
  noGap,
  onLoggedDays,
} from '../analytics/measurement-gap.js';
import { readAnalyticsDays, readAnalyticsPageDays } from '../analytics/web-analytics-sql.js';
import { nullsOf, sumsOf } from '../answer/figures.js';
import type { Window } from '../sql/scope.js';
import { isTemporary, urlAnalytics } from './url-report-sections.js';

/** Web analytics of one page: a section of its report, in two halves like ga/overview. */

type Section = z.input<typeof urlAnalytics>;

interface PageAsked {
  /** null: the website has no analytics connection. */
  readonly connection: AnalyticsConnection | null;
  readonly path: string;
  readonly window: Window;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A failure has the reason `lookup_failed`, and the rest of the report is complete. @throws if a repeat may succeed (isTemporary) */
export function readUrlAnalytics(reader: ClickHouseReader, question: PageAsked): Promise<Section> {
  return orFailed(async () => {
    const { connection, path, now } = question;
    const found = await readAskedDays(reader, { connection, wanted: daysOf(question.window) });
    if (connection === null || found.span === null) return noAnalytics(found.reason);
    const days = await readAnalyticsDays(reader, connection, found.span);
    if (days.length === 0) return noAnalytics('no_data_in_window');
    const ofPage = await readAnalyticsPageDays(reader, connection, { ...found.span, path, days });
    return {
      ...{ available: true, reason: null, currency: currencyOf(days) },
      window: toAnalyticsWindow(found.span, { through: found.sync!.dataThrough!, days, now }),
      ...toPageFigures(sumsOf(pageMeasures, ofPage)),
      measurement_gap: noGap(null),
    };
  });
}

/** The first half with its measurement gap. @param pagesOf the page's requests by people on these days */
export function withMeasurementGap(
  reader: ClickHouseReader,
  { connection, path }: Pick<PageAsked, 'connection' | 'path'>,
  firstHalf: Section,
  pagesOf: (days: readonly ComparedDay[]) => Promise<LogDays>,
): Promise<Section> {
  return orFailed(async () => {
    const { window } = firstHalf;
    if (connection === null || window === null) return firstHalf;
    const days = await readAnalyticsDays(reader, connection, window);
    const viewed = await readAnalyticsPageDays(reader, connection, {
      ...{ from: window.from, to: window.to },
      path,
      days,
    });
    const views = new Map(viewed.map(({ day, pageviews }) => [day, pageviews]));
    const compared = days.map(({ day, timeZone }) => ({ day, timeZone, pageviews: views.get(day) ?? 0 }));
    if (compared.length === 0) return { ...firstHalf, measurement_gap: noGap('no_log_data') };
    const logs = await onLoggedDays(reader, connection.websiteId, compared, pagesOf(compared));
    return { ...firstHalf, measurement_gap: compareWithLogs(compared, logs) };
  });
}

const pageMeasures = [...dayMeasures, 'aiSessions', 'searchSessions'] as const;

async function orFailed(read: () => Promise<Section>): Promise<Section> {
  try {
    return await read();
  } catch (error) {
    if (isTemporary(error)) throw error;
    return noAnalytics('lookup_failed');
  }
}

/** Hours are rounded up to whole days that end with the last complete one; dates are unchanged. */
function daysOf({ start, end, running = false }: Window): WantedDays {
  if (running) return { days: Math.ceil((end - start) / DAY_MS) };
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(start), to: dayOf(end - 1) };
}

function noAnalytics(reason: Section['reason']): Section {
  return { ...nullsOf(urlAnalytics), available: false, reason, measurement_gap: noGap(reason) };
}
