import { z } from '@hono/zod-openapi';
import { latestReadyCrawl } from '../../../../shared/control/crawls/latest-crawl.js';
import { isOwnHost, readAddress } from '../../../../shared/urls/path-of-address.js';
import { type WebsiteContext, websiteRead } from '../../operation/operation.js';
import { integerParameter } from '../../operation/parameters.js';
import { refuseForeignHost } from '../../operation/path-parameter.js';
import { reuseUntilMidnight } from './reuse-until-midnight.js';
import { urlSearch } from './url-search.js';

export const searchUrls = websiteRead({
  id: 'searchUrls',
  tag: 'URLs',
  path: '/urls/search',
  summary: 'Find URLs',
  description:
    'Searches URLs by a part of their path: URLs fetched by search crawlers in the last 90 days, URLs in sitemaps, and URLs fetched by the latest crawl of the site. Made for a search box that leads to the report on one URL. `crawl_basis` names the fetches that count. Takes no window.',
  query: z.object({
    q: z.string().max(2048).default('').openapi({
      description:
        'Part or beginning of a path in any spelling, or a full URL of the website; its origin and query string are dropped. Empty: the URLs that crawlers fetch most.',
      example: '/blog/',
    }),
    limit: integerParameter({ min: 1, max: 50, default: 15, description: 'Maximum number of URLs.' }),
  }),
  answer: urlSearch.schema,
  reuse(input, context) {
    return { ...reuseUntilMidnight(input, context), on: [crawlIdFor(context)] };
  },
  run({ q, limit }, context) {
    const { website, now, services } = context;
    return urlSearch.read(
      services.reader,
      { websiteId: website.id, now },
      {
        fragment: fragmentOf(q.trim(), website.domain),
        limit,
        crawlId: crawlIdFor(context),
      },
    );
  },
});

/** The latest ready crawl of the site; null: none. */
function crawlIdFor({ services, website }: WebsiteContext): string | null {
  return latestReadyCrawl(services.control.state(), website.id)?.id ?? null;
}

/** The website's own name at the beginning is an origin, also without a scheme. */
function fragmentOf(text: string, domain: string): string {
  const { host, path } = readAddress(text);
  refuseForeignHost('q', host, domain);
  if (host !== null) return path;
  const slash = path.indexOf('/');
  const first = slash < 0 ? path : path.slice(0, slash);
  if (first === '' || !isOwnHost(first.toLowerCase(), domain)) return path;
  return slash < 0 ? '/' : path.slice(slash);
}
