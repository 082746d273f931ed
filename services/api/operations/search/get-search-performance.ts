import { z } from '@hono/zod-openapi';
import { searchPerformance } from '../../../../shared/answers/search-performance.js';
import { DAY_MS } from '../../../../shared/durations.js';
import type { StoredSpan } from '../../../../shared/queries/search-performance.js';
import { type WebsiteContext, websiteRead } from '../../operation.js';
import { windowParameters } from '../../parameters.js';
import { resolveWindow, type WindowInput } from '../../resolve-scope.js';
import { connectionFor } from './connection.js';
import { orRetryable } from './search-store-failure.js';

export const getSearchPerformance = websiteRead({
  id: 'getSearchPerformance',
  tag: 'Search',
  path: '/search/performance',
  summary: 'Impressions and clicks in search results',
  description:
    'What the connected search-performance source (Google Search Console or Bing Webmaster Tools) counts, day by day, with the queries and pages that got most clicks. Days are whole, and those of the source: Google counts by Pacific time. `hours` are rounded up to whole days, and the window ends with the last day that the source has told in full, which is two or three days ago as a rule. Before the first reading `available` is false.',
  unavailable: 'The data store can not be read at the moment; `retryable` is true.',
  query: z.object(windowParameters()),
  answer: searchPerformance.schema,
  run: (given, context) =>
    orRetryable(
      searchPerformance.read(
        context.services.reader,
        { websiteId: context.website.id, now: context.now },
        { connection: connectionFor(context), wanted: wantedDays(given, context) },
      ),
    ),
});

/** Hours end with the last day of data, whichever that is; dates are what they are. */
function wantedDays(given: WindowInput, { now }: WebsiteContext): { readonly days: number } | StoredSpan {
  const { start, end } = resolveWindow(given, now);
  if (given.start === undefined || given.end === undefined)
    return { days: Math.ceil(Number(given.hours) / 24) };
  const dayOf = (at: number) => new Date(Math.floor(at / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
  return { from: dayOf(start), to: dayOf(end - 1) };
}
