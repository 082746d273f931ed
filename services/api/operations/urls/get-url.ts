import { z } from '@hono/zod-openapi';
import { latestReadyCrawl } from '../../../../shared/control/crawls/latest-crawl.js';
import { analyticsConnectionOf } from '../../../../shared/reads/analytics/analytics-connection.js';
import { type UrlInput, url } from '../../../../shared/reads/urls/url.js';
import { pathOf, pathParameter } from '../../operation/path-parameter.js';
import { windowRead } from '../../operation/window-read.js';
import { connectionFor } from '../search/connection.js';

export const getUrl = windowRead({
  id: 'getUrl',
  tag: 'URLs',
  path: '/url',
  summary: 'All about one URL',
  description:
    'Data about one URL from the logs, the sitemaps, the daily page importance and the connected sources. `segment`, `countries` and other filters narrow only `logs`. `logs` is read from the single requests of the window. Over a long window it may be null with `data_buffering` true, while the other sections are complete; repeat the same call to get it. A section without a connected source has a `reason`. `analytics` covers the same days as ga/pages, and its `measurement_gap` is counted with `logs`.',
  parameters: z.object({ path: pathParameter }),
  segment: true,
  answer: url,
  // The window is selected by time alone, and for other paths only the path column is read.
  quickSecondHalf: true,
  input: ({ path }, context): UrlInput => ({
    path: pathOf('path', path, context.website.domain),
    now: context.now,
    connection: connectionFor(context),
    crawl: latestReadyCrawl(context.services.control.state(), context.website.id),
    analytics: analyticsConnectionOf(context.services.control.state(), context.website.id),
  }),
  identityOf: ({ path }) => path,
});
