import { z } from '@hono/zod-openapi';
import { COUNTED_TEXT } from '../../../../shared/reads/bots/counted-crawlers.js';
import { MAX_PATHS, urlPatterns } from '../../../../shared/reads/url-patterns/url-patterns.js';
import { crawlerParameters, integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getUrlPatterns = windowRead({
  id: 'getUrlPatterns',
  tag: 'SEO crawlers',
  path: '/seo/url-patterns',
  summary: 'Crawl budget by URL pattern',
  description: `URL patterns that search crawlers (or \`bot\`) fetch, learned from the paths, each with its problems. ${COUNTED_TEXT} Patterns are learned from the ${MAX_PATHS} paths with most requests; \`complete\` is true if these are all paths.`,
  plans: 'starter',
  window: { defaultHours: 168 },
  parameters: z.object({
    ...crawlerParameters,
    min_urls: integerParameter({
      min: 1,
      max: 100_000,
      default: 3,
      description: 'Least number of distinct paths for a pattern without query strings.',
    }),
  }),
  segment: false,
  answer: urlPatterns,
});
