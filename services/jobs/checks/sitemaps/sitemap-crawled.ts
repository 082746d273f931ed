import { DAY_MS } from '../../../../shared/durations.js';
import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

/** Below it, a share means little. */
const LEAST = 20;
const WARN_PCT = 50;
const FAIL_PCT = 90;
/** Rare pages are fetched about once a month. Shorter logs can only show that enough pages were fetched. */
const LEAST_MS = 30 * DAY_MS;

export const sitemapCrawled = defineCheck({
  id: 'sitemap_crawled',
  title: 'Search engines fetch the listed pages',
  category: 'sitemaps',
  weight: 6,
  needs: ['sitemaps', 'logs', 'now'],
  judge({ sitemaps: { listed, neverCrawled }, logs, now }) {
    const open = unlessProved(logs.crawl);
    if (open !== null) return open;
    if (listed === null || neverCrawled === null || listed < LEAST || logs.crawl.requests === 0)
      return unknown(
        `There is too little data: fewer than ${LEAST} listed pages, or no search crawler came.`,
        {
          pages: listed,
        },
      );
    const share = percentOf(neverCrawled, listed);
    const seen = { pages: listed, never_crawled: neverCrawled, never_crawled_pct: share };
    const note = `${neverCrawled} of ${listed} listed pages (${share} %) were not fetched by a search crawler in 90 days.`;
    if (share > WARN_PCT && now - logs.since < LEAST_MS)
      return unknown(
        `${neverCrawled} of ${listed} listed pages (${share} %) were not fetched by a search crawler since the logs begin, less than 30 days ago.`,
        { ...seen, outcome: 'partial' },
      );
    if (share > FAIL_PCT)
      return fail(`${note} Search engines do not list pages that they do not fetch.`, seen);
    if (share > WARN_PCT)
      return warn(
        `${note} Link to them from pages that are fetched often, or remove unimportant ones from the sitemap.`,
        seen,
      );
    return pass(note, seen);
  },
});
