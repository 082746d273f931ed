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
  summary: 'Web analytics by page',
  description:
    'Figures of the connected web analytics (Google Analytics 4) for each page: sessions that began on it, with their key events and revenue, and its views in all sessions. The window is that of ga/overview. Only pages of the website’s own host are listed, by their path in the logs.',
  query: z.object({
    ...windowParameters(),
    limit: integerParameter({
      min: 1,
      max: MOST_PAGES,
      default: 100,
      description: 'Maximum number of pages.',
    }),
    q: z.string().max(500).optional().openapi({
      description: 'Part of the path, ignoring case.',
      example: '/blog',
    }),
  }),
  answer: analyticsPages.schema,
  run: (input, context) =>
    analyticsPages.read(
      context.services.reader,
      { websiteId: context.website.id, now: context.now },
      {
        connection: analyticsConnectionOf(context.services.control.state(), context.website.id),
        wanted: wantedDays(input, context),
        limit: input.limit,
        q: input.q || null,
      },
    ),
});
