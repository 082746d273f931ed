import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { accessFailureOf } from './access-failure.js';

export const sitemapFound = defineCheck({
  id: 'sitemap_found',
  title: 'The website has a sitemap',
  category: 'sitemaps',
  weight: 6,
  needs: ['sitemaps'],
  judge({ sitemaps }) {
    const { state, listed, problems } = sitemaps;
    if (state === 'none')
      return warn(
        'robots.txt names no sitemap, and none is in the usual places. Search engines find new pages only by links, which takes longer.',
        { outcome: 'missing' },
      );
    const outcome = accessFailureOf(sitemaps.problems);
    if (state === 'unreadable' && outcome !== null)
      return unknown(
        'The website gave Loglane no sitemap, which does not prove that search engines get none.',
        {
          outcome,
          problems,
        },
      );
    if (state === 'unreadable')
      return fail('A sitemap is declared, but none can be read.', { outcome: 'invalid', problems });
    return pass('Search engines can read the list of pages.', { outcome: 'ok', pages: listed });
  },
});
