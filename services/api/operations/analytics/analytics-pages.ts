import { z } from '@hono/zod-openapi';
import {
  type AnalyticsAsked,
  analyticsReason,
  analyticsWindow,
  currency,
  currencyOf,
  pageFigures,
  readAskedDays,
  toAnalyticsWindow,
  toPageFigures,
} from '../../../../shared/reads/analytics/analytics-figures.js';
import {
  readAnalyticsDays,
  readAnalyticsPages,
} from '../../../../shared/reads/analytics/web-analytics-sql.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count, loggedPath } from '../../../../shared/reads/answer/figures.js';

export interface AnalyticsPagesInput extends AnalyticsAsked {
  readonly limit: number;
  /** Part of a path, ignoring case; null: all pages. */
  readonly q: string | null;
}

/** Pages by web analytics (spec §4.5). */
export const analyticsPages = standaloneAnswer({
  schema: z.object({
    analytics_connected: z.boolean().openapi({ description: 'Whether web analytics are connected.' }),
    available: z.boolean().openapi({ description: 'false: no pages; see reason.' }),
    reason: analyticsReason,
    currency,
    window: analyticsWindow.nullable(),
    pages: z.array(z.object({ path: loggedPath, ...pageFigures })).openapi({
      description: 'Pages with sessions or views, most sessions first, then most views.',
    }),
    total: count('Matching pages, also beyond the limit.'),
  }),
  async read(reader, { now }, { connection, wanted, limit, q }: AnalyticsPagesInput) {
    const { span, sync, reason } = await readAskedDays(reader, { connection, wanted });
    const none = { currency: null, window: null, pages: [], total: 0, available: false };
    if (connection === null || span === null)
      return { analytics_connected: connection !== null, ...none, reason };
    const [days, found] = await Promise.all([
      readAnalyticsDays(reader, connection, span),
      readAnalyticsPages(reader, connection, { ...span, fragment: q, limit }),
    ]);
    if (days.length === 0)
      return { analytics_connected: true, ...none, reason: 'no_data_in_window' as const };
    return {
      ...{ analytics_connected: true, available: true, reason: null, currency: currencyOf(days) },
      window: toAnalyticsWindow(span, { through: sync!.dataThrough!, days, now }),
      pages: found.pages.map((page) => ({ path: page.path, ...toPageFigures(page) })),
      total: found.total,
    };
  },
});
