import { z } from '@hono/zod-openapi';
import { budgetUrls } from '../../../../shared/reads/seo/budget-urls.js';
import { crawlerParameters, pageParameters } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { directoryParameter } from './directory-parameter.js';

export const getBudgetUrls = windowRead({
  id: 'getBudgetUrls',
  tag: 'SEO crawlers',
  path: '/seo/budget-urls',
  summary: 'Crawl budget: which URLs crawlers spend it on',
  description:
    'Paths below a directory by the requests of search crawlers (or of `bot`), most requests first, then by path. Proven impostors are not counted. What has no path (`OPTIONS *`, and lines of the log that are no HTTP request) is in no directory: `total_requests` of `/` leaves it out, where `crawler_requests` of /seo counts it.',
  plans: 'starter',
  parameters: z.object({ ...crawlerParameters, directory: directoryParameter, ...pageParameters() }),
  segment: false,
  answer: budgetUrls,
});
