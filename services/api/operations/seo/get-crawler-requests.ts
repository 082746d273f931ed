import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { toStatusCategory } from '../../../../shared/reads/answer/status-category.js';
import {
  crawlerRequestFilters,
  crawlerRequests,
} from '../../../../shared/reads/requests/crawler-requests.js';
import { crawlerParameters, pageParameters } from '../../operation/parameters.js';
import type { ScopeInput } from '../../operation/resolve-scope.js';
import { windowRead } from '../../operation/window-read.js';

export const getCrawlerRequests = windowRead({
  id: 'getCrawlerRequests',
  tag: 'SEO crawlers',
  path: '/seo/requests',
  summary: 'Single requests of crawlers',
  description:
    'Requests of search crawlers (or of `bot`) in pages, newest first. They are read from the single requests. Over very many requests the answer may have `data_buffering` true; repeat the same call to get the result.',
  plans: 'starter',
  parameters: z.object({
    ...crawlerParameters,
    filter_type: z.enum(crawlerRequestFilters).default('all').openapi({
      description:
        'all: without proven impostors. verified: proved to be the crawler. unverified: not proved, including proven impostors. 2xx to 5xx: answered with a status of that class; 304 is in 3xx. slowest: slowest first, only requests with a response time.',
    }),
    ...pageParameters(),
  }),
  segment: false,
  answer: crawlerRequests,
  input(parameters) {
    refuseOtherClass(parameters);
    const { bot, params_filter, filter_type, page, page_size } = parameters;
    return { bot, params_filter, filter_type, page, page_size };
  },
  raw: true,
});

/** Refuses two status filters that exclude each other. @throws PublicError invalid_request */
function refuseOtherClass(input: { filter_type: string } & Pick<ScopeInput, 'status' | 'status_category'>) {
  const { filter_type, status, status_category } = input;
  const category = status === undefined ? status_category : toStatusCategory(status);
  if (/^[1-5]xx$/.test(filter_type) && category !== undefined && category !== filter_type)
    throw new PublicError(
      'invalid_request',
      `filter_type: ${filter_type} differs from ${status === undefined ? 'status_category' : 'status'}`,
    );
}
