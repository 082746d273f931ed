import { z } from '@hono/zod-openapi';
import { seo } from '../../../../shared/reads/seo/seo.js';
import { crawlerParameters } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getSeo = windowRead({
  id: 'getSeo',
  tag: 'SEO crawlers',
  path: '/seo',
  summary: 'Search crawlers: volume, verification, speed',
  description:
    'Requests of search crawlers, or of the crawler or family in `bot`, `bot_name` or `bot_family`, for any purpose. Proven impostors count only in `unverified_suspicious`.',
  plans: 'starter',
  parameters: z.object(crawlerParameters),
  segment: false,
  answer: seo,
});
