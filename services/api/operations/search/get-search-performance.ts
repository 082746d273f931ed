import { z } from '@hono/zod-openapi';
import { searchPerformance } from '../../../../shared/reads/search/search-performance.js';
import { websiteRead } from '../../operation/operation.js';
import { windowParameters } from '../../operation/parameters.js';
import { wantedDays } from '../../operation/source-days.js';
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
