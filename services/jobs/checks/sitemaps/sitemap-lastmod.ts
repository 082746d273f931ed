import { DAY_MS } from '../../../../shared/durations.js';
import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';

const OLD_MS = 365 * DAY_MS;
/** If at least this many pages have the same minute of today, it is the date of the file and not of changes. */
const MANY = 20;

export const sitemapLastmod = defineCheck({
  id: 'sitemap_lastmod',
  title: 'Sitemaps have the dates of changes',
  category: 'sitemaps',
  weight: 3,
  needs: ['sitemaps', 'now'],
  judge({ sitemaps: { lastmods }, now }) {
    if (lastmods.length === 0) return notApplicable('No listed page is known.');
    const dates = lastmods.filter((date) => date !== null);
    const seen = { outcome: 'ok', pages_looked_at: lastmods.length, with_lastmod: dates.length } as const;
    if (dates.length === 0)
      return warn('No page has a lastmod. Search engines use it to fetch only changed pages again.', {
        ...seen,
        advisories: ['Write the date of the last real change into lastmod.'],
      });
    const newest = Math.max(...dates);
    const newestText = new Date(newest).toISOString();
    if (dates.length >= MANY && new Set(dates).size === 1 && now - newest < DAY_MS)
      return warn(
        'All pages have the same moment of today as lastmod. Google ignores lastmod if it is not true.',
        {
          ...seen,
          newest: newestText,
        },
      );
    if (now - newest > OLD_MS)
      return warn(
        'None of the examined pages has a lastmod within a year. Either no page changed, or the sitemaps are no longer updated.',
        {
          ...seen,
          newest: newestText,
        },
      );
    return pass('Listed pages have the dates of their changes.', { ...seen, newest: newestText });
  },
});
