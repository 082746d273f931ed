import { defineCheck, fail, pass, warn } from '../check.js';

export const sitemapFound = defineCheck({
  id: 'sitemap_found',
  title: 'There is a sitemap',
  category: 'sitemaps',
  weight: 6,
  needs: ['sitemaps'],
  judge({ sitemaps: { state, files, listed, problems } }) {
    if (state === 'none')
      return warn(
        'robots.txt names no sitemap, and none is in the usual places. Search engines find new pages by links alone, which takes longer.',
        { outcome: 'missing' },
      );
    if (state === 'unreadable')
      return fail('There should be a sitemap, and none can be read.', { outcome: 'invalid', problems });
    return pass('Search engines can read which pages there are.', { outcome: 'ok', files, pages: listed });
  },
});
