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
    'Fetches of a path, or of a path with one query string, by search crawlers, newest first, in pages, with the number of fetches per crawler. `bot` selects any crawler or family. Proven impostors are left out. Single requests are read: over a long window the answer may have `data_buffering` true; repeat the same call to get the result.',
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
