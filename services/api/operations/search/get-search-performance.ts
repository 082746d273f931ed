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
    'Daily figures of the connected search-performance source (Google Search Console or Bing Webmaster Tools), with the queries and pages that have most clicks. Days are whole days of the source: Google uses Pacific time. `hours` are rounded up to whole days. The window ends with the last complete day of the source, usually two or three days ago. Before the first read `available` is false.',
  unavailable: 'The data store can not be read now; `retryable` is true.',
  query: z.object(windowParameters()),
  answer: searchPerformance.schema,
  run: (input, context) =>
    orRetryable(
      searchPerformance.read(
        context.services.reader,
        { websiteId: context.website.id, now: context.now },
        { connection: connectionFor(context), wanted: wantedDays(input, context) },
      ),
    ),
});
