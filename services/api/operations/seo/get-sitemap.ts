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
  description: `Lists the URLs of the website’s sitemaps with the fetches of search crawlers in the last ${SEARCH_FETCH_DAYS} days (whole UTC days, today included). Fetches are those that \`crawl_basis\` names, and proven impostors never count. \`status\`: \`never_crawled\` was not fetched in these days, \`recently_crawled\` was within ${STALE_DAYS} days, \`stale\` was before that, \`not_in_sitemap\` are pages that no sitemap lists and that crawlers were served when they last asked (2xx or 304, of the types that /page-importance counts). Sitemaps are read each day: those that robots.txt names, else the first of the usual places that has one, through up to two levels of indexes, 1,000 files and as many URLs as the plan takes (${URLS_BY_PLAN}); where there are more, \`snapshot.incomplete_reason\` is too_many_urls. Two URLs that differ in the query string are two, and each has the fetches with its own query. A listed path fetched with a query that is not listed is a page of \`not_in_sitemap\`. A path of which no sitemap lists a URL is one page with all its fetches. A page counts as listed until a complete fetch does not find it any more.`,
  plans: 'starter',
  query: z.object({
    ...pageParameters(),
    status: z.enum(coverageStatuses).default('all').openapi({ description: 'Which pages.' }),
    sort: z.enum(coverageSorts).default('path').openapi({
      description:
        'Pages that were never crawled count as crawled before all others. Equal ones come by path.',
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
