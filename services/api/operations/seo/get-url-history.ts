import { z } from '@hono/zod-openapi';
import { crawlerName, pageParameters } from '../../operation/parameters.js';
import { urlOf, urlParameter } from '../../operation/path-parameter.js';
import { windowRead } from '../../operation/window-read.js';
import { urlHistory } from '../url-history/url-history.js';

export const getUrlHistory = windowRead({
  id: 'getUrlHistory',
  tag: 'SEO',
  path: '/seo/sitemap/url-history',
  summary: 'Fetches of one page by search crawlers',
  description:
    'Each fetch of a path, or of a path with one query string, by search crawlers, newest first, by pages, and how often each crawler came. `bot` names any other crawler, by its name or family. Proven impostors are left out. It reads single requests: over a long window the answer may say `data_buffering` true; repeat the same call and it returns the finished result.',
  plans: 'starter',
  window: { defaultHours: 168 },
  parameters: z.object({
    url_path: urlParameter,
    bot: crawlerName('Only this crawler, by its name or the name of its family, ignoring case.'),
    ...pageParameters(),
  }),
  segment: false,
  raw: true,
  input: ({ url_path, bot, page, page_size }, { website }) => ({
    ...urlOf('url_path', url_path, website.domain),
    bot,
    page,
    page_size,
  }),
  answer: urlHistory,
});
