import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

const LEAST = 20;
const WARN_PCT = 30;

export const sitemapComplete = defineCheck({
  id: 'sitemap_complete',
  title: 'Sitemaps list what search engines fetch',
  category: 'sitemaps',
  weight: 4,
  needs: ['sitemaps', 'logs'],
  judge({ sitemaps: { listed, neverCrawled, notInSitemap }, logs }) {
    const open = unlessProved(logs.crawl);
    if (open !== null) return open;
    if (listed === null || neverCrawled === null || notInSitemap === null)
      return unknown('No sitemap was read completely yet, so the unlisted pages are unknown.', {
        outcome: 'unconfirmed',
      });
    const fetched = listed - neverCrawled + notInSitemap;
    if (fetched < LEAST)
      return unknown(`Search crawlers were served fewer than ${LEAST} pages.`, { pages: fetched });
    const share = percentOf(notInSitemap, fetched);
    const seen = { fetched_pages: fetched, not_in_sitemap: notInSitemap, not_in_sitemap_pct: share };
    if (share > WARN_PCT)
      return warn(
        `${notInSitemap} of ${fetched} pages that search crawlers were served (${share} %) are in no sitemap. List the pages that should be found. The others waste crawl budget.`,
        seen,
      );
    return pass(`${share} % of the pages that search crawlers were served are in no sitemap.`, seen);
  },
});
