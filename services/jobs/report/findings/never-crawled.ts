import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 5;
const LEAST_PCT = 3;

export const neverCrawled: Find = ({ sitemap }) => {
  const all = sitemap?.totals.all ?? 0;
  const never = sitemap?.totals.never_crawled ?? 0;
  const share = shareOf(never, all);
  if (sitemap === null || never < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers did not fetch some pages of the sitemaps',
    figure: `${whole(never)} of ${whole(all)} pages in the sitemaps were not fetched by a search crawler in the last ${sitemap.crawl_days} days: ${percent(share)}.`,
    why: 'Search engines cannot index a page that they do not fetch.',
    action:
      'Link to these pages from pages that are crawled often. Remove pages from the sitemap that should not be found.',
    read: 'GET /seo/sitemap?status=never_crawled',
    impact: impact(25 + share, 75),
    examples: tableOrNone(
      'Not fetched, oldest entries first',
      [column('Page', 'path'), column('Listed since')],
      (sitemap.urls ?? [])
        .slice(0, MOST_EXAMPLES)
        .map(({ path, url, first_seen }) => [pathText(path ?? url), (first_seen ?? '').slice(0, 10)]),
    ),
  };
};
