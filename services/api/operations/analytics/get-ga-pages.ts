import { z } from '@hono/zod-openapi';
import { analyticsConnectionOf } from '../../../../shared/reads/analytics/analytics-connection.js';
import { websiteRead } from '../../operation/operation.js';
import { integerParameter, windowParameters } from '../../operation/parameters.js';
import { wantedDays } from '../../operation/source-days.js';
import { analyticsPages } from './analytics-pages.js';

const MOST_PAGES = 1_000;

export const getGaPages = websiteRead({
  id: 'getGaPages',
  tag: 'Analytics',
  path: '/ga/pages',
  summary: 'Pages by web analytics',
  description:
    'What the connected web analytics (Google Analytics 4) count of each page: sessions that began on it, with their key events and revenue, and views of it in whatever session. The window is that of ga/overview. Pages are those of the website’s own host, by path as logs have it.',
  query: z.object({
    ...windowParameters(),
    limit: integerParameter({ min: 1, max: MOST_PAGES, default: 100, description: 'Pages at most.' }),
    q: z.string().max(500).optional().openapi({
      description: 'Part of the path, in upper or lower case.',
      example: '/blog',
    }),
  }),
  answer: analyticsPages.schema,
  run: (given, context) =>
    analyticsPages.read(
      context.services.reader,
      { websiteId: context.website.id, now: context.now },
      {
        connection: analyticsConnectionOf(context.services.control.state(), context.website.id),
        wanted: wantedDays(given, context),
        limit: given.limit,
        q: given.q || null,
      },
    ),
});
