import { DAY_MS } from '../../../../shared/durations.js';
import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';

const OLD_MS = 365 * DAY_MS;
/** So many pages that all changed in the same minute of this day were not changed: the date is that of the file. */
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
      return warn(
        'No page has a lastmod. With it search engines fetch again what changed, and leave alone what did not.',
        {
          ...seen,
          advisories: ['Write the date of the last real change into lastmod.'],
        },
      );
    const newest = Math.max(...dates);
    const newestText = new Date(newest).toISOString();
    if (dates.length >= MANY && new Set(dates).size === 1 && now - newest < DAY_MS)
      return warn(
        'All pages say that they changed at the same moment of today. Google stops heeding lastmod where it is not true.',
        {
          ...seen,
          newest: newestText,
        },
      );
    if (now - newest > OLD_MS)
      return warn(
        'No page that was looked at says that it changed within a year. Either nothing did, or the sitemaps are no longer written.',
        {
          ...seen,
          newest: newestText,
        },
      );
    return pass('Listed pages say when they changed.', { ...seen, newest: newestText });
  },
});
