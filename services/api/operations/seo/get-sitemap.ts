import { z } from '@hono/zod-openapi';
import { plans } from '../../../../shared/control/domain/plans.js';
import { SEARCH_FETCH_DAYS } from '../../../../shared/reads/bots/search-crawler-fetches.js';
import { sitemapCoverage } from '../../../../shared/reads/sitemaps/sitemap-coverage.js';
import {
  coverageSorts,
  coverageStatuses,
  STALE_DAYS,
} from '../../../../shared/reads/sitemaps/sitemap-coverage-sql.js';
import { websiteRead } from '../../operation/operation.js';
import { pageParameters } from '../../operation/parameters.js';

const URLS_BY_PLAN = plans
  .filter((plan) => plan.public)
  .map(({ name, listedUrls }) => `${name} ${listedUrls.toLocaleString('en')}`)
  .join(', ');

export const getSitemap = websiteRead({
  id: 'getSitemap',
  tag: 'SEO',
  path: '/seo/sitemap',
  summary: 'Sitemap coverage',
  description: `Lists the URLs of the website’s sitemaps with the fetches of search crawlers in the last ${SEARCH_FETCH_DAYS} days (whole UTC days, including today). \`crawl_basis\` names the requests that count as fetches; proven impostors never count. \`status\`: \`never_crawled\`: not fetched in these days. \`recently_crawled\`: fetched within ${STALE_DAYS} days. \`stale\`: fetched before that. \`not_in_sitemap\`: in no sitemap, and the last crawler fetch was served (2xx or 304, of the types that /page-importance counts). Sitemaps are read daily: those that robots.txt names, else the first one found in the usual places. Limits are two levels of indexes, 1,000 files and the number of URLs in the plan (${URLS_BY_PLAN}); above that number \`snapshot.incomplete_reason\` is too_many_urls. URLs with different query strings are different pages, each with the fetches of its query. A listed path fetched with an unlisted query is a page of \`not_in_sitemap\`. A path that is in no sitemap is one page with all its fetches. A page counts as listed until a complete read of the sitemaps does not contain it.`,
  plans: 'starter',
  query: z.object({
    ...pageParameters(),
    status: z.enum(coverageStatuses).default('all').openapi({ description: 'Which pages.' }),
    sort: z.enum(coverageSorts).default('path').openapi({
      description:
        'Pages that were never crawled sort before the oldest fetch. Equal pages are sorted by path.',
    }),
    sort_dir: z.enum(['asc', 'desc']).default('asc').openapi({ description: 'Direction.' }),
  }),
  answer: sitemapCoverage.schema,
  run: ({ page, page_size, status, sort, sort_dir }, { website, now, services }) =>
    sitemapCoverage.read(
      services.reader,
      { websiteId: website.id, now },
      {
        domain: website.domain,
        fetchesWebsites: services.fetchesWebsites,
        status,
        sort,
        descending: sort_dir === 'desc',
        page,
        page_size,
      },
    ),
});
