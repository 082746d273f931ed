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
    'Requests of the crawlers of search engines, or of the one crawler or family that `bot`, `bot_name` or `bot_family` names, whatever it crawls for. Requests that claim to be a crawler and were proved not to be it are told as `unverified_suspicious` and count in nothing else.',
  plans: 'starter',
  parameters: z.object(crawlerParameters),
  segment: false,
  answer: seo,
});
