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
    'What the logs, the sitemaps, the daily page importance and the connected sources say of one URL. `segment`, `countries` and the other filters narrow `logs` alone. `logs` is read from the single requests of the window: over a long one it may be null and `data_buffering` true, while the other sections are there; repeat the same call and it returns the finished result. A section whose source is not connected says so in `reason`. `analytics` is of the days that ga/pages would tell of the same window, and its `measurement_gap` is counted with `logs`.',
  parameters: z.object({ path: pathParameter }),
  segment: true,
  answer: url,
  // By its time alone a window is cut out of the raw rows, and of other paths nothing but the path is read.
  quickSecondHalf: true,
  input: ({ path }, context): UrlInput => ({
    path: pathOf('path', path, context.website.domain),
    now: context.now,
    connection: connectionFor(context),
    crawl: latestReadyCrawl(context.services.control.state(), context.website.id),
    analytics: analyticsConnectionOf(context.services.control.state(), context.website.id),
  }),
  named: ({ path }) => path,
});
