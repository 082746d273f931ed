import { z } from '@hono/zod-openapi';
import { budgetUrls } from '../../../../shared/reads/seo/budget-urls.js';
import { crawlerParameters, pageParameters } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { directoryParameter } from './directory-parameter.js';

export const getBudgetUrls = windowRead({
  id: 'getBudgetUrls',
  tag: 'SEO crawlers',
  path: '/seo/budget-urls',
  summary: 'Crawl budget by URL',
  description:
    'Paths below a directory with the requests of search crawlers (or of `bot`), most requests first, then by path. Proven impostors are not counted. Requests without a path (`OPTIONS *`, and log lines that are no HTTP request) are in no directory. `crawler_requests` of /seo counts them, but `total_requests` of `/` does not.',
  plans: 'starter',
  parameters: z.object({ ...crawlerParameters, directory: directoryParameter, ...pageParameters() }),
  segment: false,
  answer: budgetUrls,
});
