import { z } from '@hono/zod-openapi';
import { searchQueries } from '../../../../shared/reads/search/search-queries.js';
import { websiteRead } from '../../operation/operation.js';
import { pathOf, pathParameter } from '../../operation/path-parameter.js';
import { connectionFor } from './connection.js';

export const getSearchQueries = websiteRead({
  id: 'getSearchQueries',
  tag: 'Search',
  path: '/search/queries',
  summary: 'Search queries of one page',
  description:
    'Queries of one page in the 28 days that end with the last day of data, and its impressions and clicks by day, from the connected search-performance source. The source omits rare queries. Bing provides no queries per page. Takes no window.',
  query: z.object({ path: pathParameter }),
  answer: searchQueries.schema,
  run: ({ path }, context) =>
    searchQueries.read(
      context.services.reader,
      { websiteId: context.website.id, now: context.now },
      { connection: connectionFor(context), path: pathOf('path', path, context.website.domain) },
    ),
});
